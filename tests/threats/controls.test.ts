/**
 * Positive controls of escapes.test.ts: the same attempts succeed where the wall that stops them is taken away, so that
 * none of them fails there for another reason, and what they would reach can be reached.
 *
 * Rows 11 to 14 and 16 to 20 have their controls in their own tests: each has the same server reached by what is
 * allowed (tests/grants), or an honest or forged message of the same form taken where it may be (floods.test.ts: printed
 * lines, `answer_twice`).
 */

import { readFile } from 'node:fs/promises';
import { test as base, type BrowserContext, type Page } from '@playwright/test';
import { drop } from '../../bench/drop.mjs';
import { invoke, scanned } from '../support/app.ts';
import { channelNames } from '../support/channels.ts';
import { makeFolder } from '../support/make-folder.ts';
import { serveWithout, type Wall } from '../support/open-build.ts';
import { answer } from '../support/questions.ts';
import { startWitness, type Witness } from '../support/witness.ts';
import {
  heardByPage,
  heardBySandboxes,
  notInWorkers,
  outcomes,
  successes,
  watchApp,
  withoutBase,
} from './escapes.ts';

interface Opened {
  readonly url: string;
  readonly context: BrowserContext;
  /** A page of the app with the tools of escapes.py. */
  open(): Promise<Page>;
}

interface Fixtures {
  witness: Witness;
  /** Serves the app without some of its walls, to a separate context. */
  without: (...walls: Wall[]) => Promise<Opened>;
}

const test = base.extend<Fixtures>({
  witness: async ({}, use) => {
    const witness = await startWitness();
    await use(witness);
    await witness.close();
  },
  // A browser for each test: Chromium crashes now and then when a context closes whose attempts still go on.
  without: async ({ playwright }, use, { project }) => {
    const browser = await playwright.chromium.launch(project.use.launchOptions);
    const source = new URL('escapes.py', import.meta.url);
    const folder = await makeFolder({ files: { 'escapes.py': await readFile(source) } });
    const endings: (() => Promise<void>)[] = [folder.dispose];
    await use(async (...walls) => {
      const { url, dispose } = await serveWithout(...walls);
      const context = await browser.newContext({ baseURL: url });
      endings.push(dispose, () => context.close());
      const open = async (): Promise<Page> => {
        const page = await context.newPage();
        await page.goto('./');
        await page.evaluate(() => navigator.serviceWorker.ready);
        await drop(page, folder.path);
        await scanned(page);
        return page;
      };
      return { url, context, open };
    });
    for (const end of endings.reverse()) await end();
    await browser.close();
  },
});

const { expect } = test;

/** The attempts that failed, except for what no worker can do anyway. */
function failures(answers: Record<string, string>): string[] {
  const got = successes(answers);
  const never = [...notInWorkers, ...withoutBase];
  return Object.keys(answers).filter((name) => !got.includes(name) && !never.includes(name));
}

test('rows 1, 2 and 10 without the sandbox attribute', async ({ without }) => {
  const { open } = await without('sandbox', 'worker');
  const page = await open();
  expect(failures(await outcomes(page, 'storage'))).toEqual([]);
  const other = await open();
  const heard = await heardByPage(page, async () => {
    const fromApp = channelNames.map((name) => `${name}: from the app`);
    const fromSandbox = channelNames.map((name) => `${name}: from the sandbox`);
    const all = [...fromApp, ...fromSandbox].sort();
    expect(await heardBySandboxes(page, other)).toEqual([all, all]);
  });
  expect(heard).toEqual(channelNames.map((name) => `${name}: from the sandbox`).sort());
});

test('rows 3, 5, 6, 7, 9 and 23 without the policy', async ({ without, witness }) => {
  const { open, context, url } = await without('policy');
  const page = await open();
  const toApp = watchApp(context);
  await outcomes(page, 'network', { target: witness.origin, app: url });
  expect(reached(witness)).toEqual([
    'GET /event-source',
    'GET /import-scripts-prototype',
    'GET /original',
    'upgrade /websocket',
    'upgrade /websocket-stream',
  ]);
  expect([...toApp].sort()).toEqual(['/', '/api/tools']);
  const answers = await outcomes(page, 'evaluate');
  expect(failures(answers)).toEqual(['string timer']);
  expect(answers['string timer']).toBe('ran');
});

test('row 4 where the user allows the host', async ({ without, witness }) => {
  const { open } = await without();
  const page = await open();
  const target = `http://witness.glass.example:${witness.port}`;
  const first = outcomes(page, 'libraries', { target });
  await answer(page, /visit/i);
  // Attempts give up after a second, which the answer may take longer than.
  await first;
  witness.log.length = 0;
  expect(failures(await outcomes(page, 'libraries', { target }))).toEqual([]);
  expect(reached(witness)).toEqual([
    'GET /fetch',
    'GET /http-client',
    'GET /no-cors',
    'GET /open-url',
    'GET /pyfetch',
    'GET /socket',
    'GET /urllib',
    'GET /xhr',
    'POST /keepalive',
  ]);
});

test('row 8: without the removal of Worker the policy still holds', async ({
  without,
  witness,
}) => {
  const { open, context, url } = await without('worker');
  const page = await open();
  const toApp = watchApp(context);
  for (const kind of ['blob', 'data']) {
    const args = { target: witness.origin, app: url, kind };
    const heard = await heardByPage(page, async () => {
      const answers = await outcomes(page, 'nested', args);
      // The policy lets blobs be scripts, and those do nothing more than the worker itself; data: is refused whole.
      expect(Object.keys(answers).length).toBeGreaterThan(kind === 'blob' ? 15 : 0);
      expect(successes(answers)).toEqual([]);
    });
    expect([reached(witness), [...toApp], heard]).toEqual([[], [], []]);
  }
});

const nested = [
  'GET /nested-data-import',
  'GET /nested-data-scripts',
  'GET /nested-es',
  'GET /nested-fetch',
  'GET /nested-font',
  'GET /nested-import-scripts.js',
  'GET /nested-import.js',
  'GET /nested-no-cors',
  'GET /nested-wasm',
  'GET /nested-worker.js',
  'GET /nested-xhr',
  'GET /nested-xhr-later',
  'upgrade /nested-ws',
];

test('rows 3, 6, 7, 8 and 22 without any wall', async ({ without, witness }) => {
  const { open, context, url } = await without('policy', 'sandbox', 'worker');
  const page = await open();
  const { textResultForLlm } = await invoke(page, 'escapes:makers_of_threads');
  expect(JSON.parse(textResultForLlm)).toEqual(expect.arrayContaining(['FontFace', 'Worker']));

  // What a real origin, or workers, are needed for.
  const target = witness.origin;
  await outcomes(page, 'network', { target, app: url });
  expect(reached(witness)).toEqual(
    expect.arrayContaining([
      'GET /font',
      'GET /import-scripts',
      'GET /module-worker',
      'GET /worker',
      'datagram',
    ]),
  );

  for (const kind of ['blob', 'data']) {
    witness.log.length = 0;
    const toApp = watchApp(context);
    const heard = await heardByPage(page, async () => {
      const answers = await outcomes(page, 'nested', { target, app: url, kind });
      const stored = ['indexedDB', 'caches', 'opfs'];
      // A worker from a data: address never has the app's origin.
      const expected = kind === 'blob' ? [...stored, 'app'] : [];
      const own = ['fetch', 'no-cors', 'xhr', 'eval', 'Function', 'string timer'];
      expect(successes(answers)).toEqual(expect.arrayContaining([...expected, ...own]));
    });
    // WebTransport keeps trying for a while.
    expect(reached(witness).filter((line) => line !== 'datagram')).toEqual(nested);
    expect([...toApp]).toEqual(['/api/tools']);
    expect(heard).toEqual(kind === 'blob' ? ['cloche: from the sandbox'] : []);
  }
});

function reached({ log }: Witness): string[] {
  return [...new Set(log)].filter((line) => line !== 'connection').sort();
}
