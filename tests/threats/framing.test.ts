/**
 * docs/decisions/attacks.md rows 32 and 33: a page of the same site, on another port, frames the app. The frame has the app's real
 * storage, since browsers partition storage by site.
 */

import { readFile } from 'node:fs/promises';
import type { Frame, Page } from '@playwright/test';
import { drop } from '../../bench/drop.mjs';
import { openFolder } from '../support/app.ts';
import { callHere, countEndings, endingsHere } from '../support/call-here.ts';
import { startFramingSite, type FramingSite } from '../support/framing-site.ts';
import { jsonArguments } from '../support/json-arguments.ts';
import { answer } from '../support/questions.ts';
import { expect, test } from '../support/test.ts';

const files = {
  'ask.py': await readFile(new URL('../grants/ask.py', import.meta.url), 'utf8'),
  'waiting.py': await readFile(new URL('waiting.py', import.meta.url), 'utf8'),
};

let site: FramingSite;
test.beforeAll(async () => {
  site = await startFramingSite();
});
test.afterAll(() => site.close());
test.beforeEach(({ trouble }) => {
  trouble.allowOrigin(site.origin);
});

/** Opens an address of the app in the foreign page. @returns the app's frame */
async function framed(page: Page, address: string): Promise<Frame> {
  await page.goto(site.around(address));
  const frame = page.frames().find((one) => one.url() === address);
  if (frame === undefined) throw new Error('The app is not in the frame.');
  await expect(notice(frame)).toBeVisible();
  return frame;
}

function notice(frame: Frame) {
  return frame.getByRole('link', { name: 'Open in its own window' });
}

/** Presses Run, again if it had just moved and did not react, until the result has this text. */
async function runs(place: Page | Frame, text: string | RegExp): Promise<void> {
  await expect(async () => {
    await place.getByRole('button', { name: /^Run/ }).click();
    const result = place.getByRole('region', { name: 'Result' });
    await expect(result).toContainText(text, { timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
}

/** Drops a folder on the frame, and waits until its tools are there. */
async function openInFrame(page: Page, frame: Frame, path: string): Promise<void> {
  await drop(page, path);
  const phase = (): Promise<string> => frame.evaluate(() => globalThis.cloche.status.get().phase);
  await expect.poll(phase, { timeout: 240_000 }).toBe('ready');
}

/** Everything in the app's database and in its local and session storage. */
async function everythingStored(page: Page | Frame): Promise<string> {
  return page.evaluate(async () => {
    const opening = indexedDB.open('cloche:/');
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      opening.onsuccess = () => {
        resolve(opening.result);
      };
      opening.onerror = () => {
        reject(new Error('The database cannot be read.'));
      };
    });
    const all: Record<string, unknown> = {
      local: Object.entries(localStorage),
      tab: Object.entries(sessionStorage),
    };
    for (const name of database.objectStoreNames) {
      const reading = database.transaction(name).objectStore(name).getAll();
      all[name] = await new Promise((resolve) => {
        reading.onsuccess = () => {
          resolve(reading.result);
        };
      });
    }
    database.close();
    return JSON.stringify(all);
  });
}

test('row 32: in a frame of another origin, a click opens, approves, grants and stores nothing', async ({
  page,
  context,
  folder,
  baseURL,
}) => {
  const { path } = await folder(files, 'mine');
  await page.goto('./');
  await openFolder(page, path);
  // Controls: in Cloche's own window, the same click runs the tool, switches are there, and a reload opens the folder.
  await page.goto('./#/tools/ask%3Astrict');
  await (await jsonArguments(page)).fill('{"value": 7}');
  await runs(page, '7');
  await page.goto('./#/policy/local');
  await expect(page.getByRole('switch')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('switch')).toBeVisible({ timeout: 60_000 });
  await page.goto(`${String(baseURL)}license.txt`);

  const other = await context.newPage();
  const frame = await framed(other, `${String(baseURL)}#/policy/local`);
  await expect(frame.getByText('Python ready')).toBeVisible({ timeout: 60_000 });
  // The frame sees the storage of the window, and its folder.
  const before = await everythingStored(frame);
  expect(before).toContain('"name":"mine"');
  expect(await frame.evaluate(() => globalThis.cloche.status.get().phase)).toBe('none');
  for (const place of [
    'policy',
    'policy/local',
    'settings',
    'settings/models',
    'sessions',
    'workspace',
  ]) {
    await frame.evaluate((to) => (location.hash = `#/${to}`), place);
    await expect(frame.getByText('opens only in Cloche’s own window')).toBeVisible();
    await expect(frame.getByRole('main').getByRole('button')).toHaveCount(0);
  }
  await frame.evaluate(() => (location.hash = '#/open?server=https%3A%2F%2Fmcp.example.com'));
  await expect(frame.getByText('A link that proposes a server opens only in')).toBeVisible();
  await expect(frame.getByRole('main').getByRole('button')).toHaveCount(0);
  await openInFrame(other, frame, path);
  await frame.evaluate(() => (location.hash = '#/policy/local'));
  await expect(frame.getByText('opens only in Cloche’s own window')).toBeVisible();
  await expect(frame.getByRole('switch')).toHaveCount(0);

  // A tool that requires approval does not run; others do.
  for (const [tool, text] of [
    ['strict', /requires approval.*own window/],
    ['depends', /^$|"value"|5/],
  ] as const) {
    await frame.evaluate((name) => (location.hash = `#/tools/ask%3A${name}`), tool);
    await (await jsonArguments(frame)).fill('{"value": 5}');
    await runs(frame, text);
  }
  // A tool's own question is denied without being shown.
  const asked = ['ask:plain', '{}', undefined] as const;
  expect((await frame.evaluate(callHere, asked)).result.textResultForLlm).toBe('false');
  await expect(frame.getByRole('dialog')).toHaveCount(0);
  expect(await everythingStored(frame)).toBe(before);

  const opening = context.waitForEvent('page');
  await notice(frame).click();
  const own = await opening;
  await expect(own.getByRole('heading', { name: /depends/ })).toBeVisible({ timeout: 60_000 });
  await expect(own.getByText('Open in its own window')).toHaveCount(0);
  expect(await own.evaluate(() => window.opener === null)).toBe(true);
});

test('row 32: every ancestor is judged, and pages of the app’s own origin may frame it', async ({
  page,
  baseURL,
}) => {
  const plain = `${String(baseURL)}license.txt`;
  const addFrame = (address: string): void => {
    const frame = document.createElement('iframe');
    frame.src = address;
    frame.style.cssText = 'width: 1000px; height: 600px';
    document.body.append(frame);
  };
  await page.goto(plain);
  await page.evaluate(addFrame, String(baseURL));
  const inOwn = page.frameLocator('iframe');
  await expect(inOwn.getByText('Python ready')).toBeVisible({ timeout: 60_000 });
  await expect(inOwn.getByText('Open in its own window')).toHaveCount(0);

  await page.goto(site.around(plain));
  const between = page.frames().find((one) => one.url() === plain);
  await between?.evaluate(addFrame, String(baseURL));
  const inner = page.frameLocator('iframe').frameLocator('iframe');
  await expect(inner.getByText('Open in its own window')).toBeVisible({ timeout: 60_000 });
});

test(
  'row 33: a frame of another origin never answers the API',
  { tag: '@process' },
  async ({ page, context, folder, baseURL, trouble }) => {
    trouble.expect(/503/);
    const { path } = await folder(files);
    await page.goto('./');
    await page.evaluate(() => navigator.serviceWorker.ready);
    const other = await context.newPage();
    const frame = await framed(other, String(baseURL));
    await openInFrame(other, frame, path);
    await page.goto(`${String(baseURL)}license.txt`);
    const invoke = (): Promise<[number, string]> =>
      page.evaluate(async () => {
        const body = JSON.stringify({ arguments: { value: 3 } });
        const headers = { 'content-type': 'application/json' };
        const answered = await fetch('api/tools/ask%3Astrict/invoke', {
          method: 'POST',
          headers,
          body,
        });
        return [answered.status, await answered.text()];
      });
    // At once: the service worker does not wait for the frame.
    expect((await invoke())[0]).toBe(503);
    expect(await frame.evaluate(() => globalThis.cloche.status.get().api)).toBe('off');
    // Control: the same page in a window of its own answers, and its questions are asked there.
    const own = await context.newPage();
    await own.goto('./');
    await openFolder(own, path);
    const invoked = invoke();
    await answer(own, /^allow once$/i);
    const [status, text] = await invoked;
    expect(status).toBe(200);
    expect(text).toContain('"textResultForLlm":"3"');
  },
);

test(
  'row 33: calls end if the page around navigates the sandbox’s frames, wherever to',
  { tag: '@process' },
  async ({ page, folder, baseURL, trouble }) => {
    trouble.expect(/frame-src|Content Security Policy|Unsafe attempt|ERR_BLOCKED_BY_CSP/);
    const { path } = await folder(files);
    const frame = await framed(page, String(baseURL));
    await openInFrame(page, frame, path);
    const call = (seconds: number) =>
      frame.evaluate(callHere, ['waiting:wait', `{"seconds": ${seconds}}`, undefined] as const);
    // Control: left alone, the call ends by itself.
    expect((await call(0)).result.textResultForLlm).toBe('waited');
    for (const target of ['about:blank', 'data:text/html,taken', `${site.origin}/?taken`]) {
      await frame.evaluate(countEndings);
      const lost = call(50);
      await expect
        .poll(() => frame.evaluate(() => globalThis.cloche.status.get().python))
        .toBe('busy');
      await page.evaluate((address) => {
        const app = document.querySelector('iframe')?.contentWindow;
        for (let at = 0; at < (app?.length ?? 0); at += 1) {
          const sandbox = app?.[at];
          if (sandbox !== undefined) sandbox.location.href = address;
        }
      }, target);
      expect((await lost).result.error, target).toBe('crashed');
      expect((await call(0)).result.textResultForLlm, target).toBe('waited');
      expect(await frame.evaluate(endingsHere), target).toEqual([1]);
    }
  },
);
