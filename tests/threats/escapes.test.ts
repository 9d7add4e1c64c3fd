/**
 * threats.md rows 1 to 10 and 23, in a real browser: nothing leaves the sandbox, nothing of the app is reached. Row 4
 * where the person can be asked, 11 to 14 and 30 are in tests/grants, 15 to 22, 24 to 27 and 29 beside this file, zips
 * (28) in tests/opening.test.ts.
 */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { drop } from '../../bench/drop.mjs';
import { callInPage, invoke, scanned } from '../support/app.ts';
import { expect, test } from '../support/shared-page.ts';
import { startWitness, type Witness } from '../support/witness.ts';

const source = new URL('escapes.py', import.meta.url);

let witness: Witness;
test.beforeAll(async ({ shared }) => {
  await shared.open({ 'escapes.py': await readFile(source) });
});
test.beforeEach(async ({ trouble }) => {
  // The browser reports every refusal on its console; that is what this file is about.
  trouble.expect(/Content Security Policy|violates|Refused|net::ERR|Failed to load|WebSocket/);
  trouble.expect(/foreign request/);
  // And what fails in the tool's own worker without anybody catching it.
  trouble.expect(/^uncaught/);
  witness = await startWitness();
});
test.afterEach(async () => {
  await witness.close();
});

async function outcomes(
  page: Page,
  tool: string,
  args: Record<string, unknown> = {},
): Promise<Record<string, string>> {
  const { textResultForLlm, resultType } = await invoke(page, `escapes:${tool}`, args);
  expect(resultType, textResultForLlm).toBe('success');
  return JSON.parse(textResultForLlm) as Record<string, string>;
}

const gotSomething = (answers: Record<string, string>): [string, string][] =>
  Object.entries(answers).filter(([, answer]) => answer.startsWith('got'));

test('the sandbox has its process', { tag: '@process' }, async ({ browser }, { project }) => {
  const client = await browser.newBrowserCDPSession();
  const { targetInfos } = await client.send('Target.getTargets');
  const isolated = targetInfos.some(({ type }) => type === 'iframe');
  expect(isolated ? 'own' : 'shared').toBe(project.metadata.sandboxProcess);
});

test('rows 1 and 2: storage of the app is out of reach', { tag: '@process' }, async ({ page }) => {
  const databases = (): Promise<string[]> =>
    page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? ''));
  const before = await databases();
  const answers = await outcomes(page, 'storage');
  expect(Object.keys(answers).length).toBeGreaterThan(15);
  expect(gotSomething(answers)).toEqual([]);
  expect(await databases()).toEqual(before);
});

test('rows 3 to 7, 9: no network, no app', { tag: '@process' }, async ({ page, baseURL }) => {
  const requests: string[] = [];
  page.context().on('response', (response) => requests.push(response.url()));
  const app = baseURL ?? '';
  const answers = await outcomes(page, 'network', { target: witness.origin, app });
  // Constructors that begin to connect later answer with an object; the server's log is the judge.
  const objects = ['xhr', 'EventSource', 'WebSocket'];
  expect(gotSomething(answers).filter(([name]) => !objects.includes(name))).toEqual([]);
  expect(witness.log).toEqual([]);
  expect(requests.filter((url) => url.includes('api/tools') && !url.includes('invoke'))).toEqual(
    [],
  );
});

for (const kind of ['blob', 'data']) {
  test(`row 8: workers of the tool's own reach no more (${kind})`, async ({ page, baseURL }) => {
    const heard = await page.evaluateHandle(() => {
      const messages: string[] = [];
      const channel = new BroadcastChannel('cloche');
      channel.onmessage = ({ data }) => messages.push(String(data));
      return { messages, channel };
    });
    const args = { target: witness.origin, app: baseURL, kind };
    const answers = await outcomes(page, 'nested', args);
    expect(gotSomething(answers)).toEqual([]);
    expect(witness.log).toEqual([]);
    const messages = await heard.evaluate((listening) => {
      listening.channel.close();
      return listening.messages;
    });
    expect(messages).toEqual([]);
  });
}

test('rows 8 and 22: a tool has no workers of its own', async ({ page }) => {
  const { textResultForLlm } = await invoke(page, 'escapes:makers_of_threads');
  expect(JSON.parse(textResultForLlm)).toEqual([]);
});

test('row 10: channels lead nowhere', { tag: '@process' }, async ({ page, folder }) => {
  const names = ['cloche', 'cloche-api-host:/', 'sessions', 'updates'];
  const heard = page.evaluate(async (wanted) => {
    const messages: unknown[] = [];
    const channels = wanted.map((name) => new BroadcastChannel(name));
    for (const channel of channels) channel.onmessage = ({ data }) => messages.push(data);
    const timer = setInterval(() => {
      for (const channel of channels) channel.postMessage('from the app');
    }, 100);
    await new Promise((wake) => setTimeout(wake, 3_000));
    clearInterval(timer);
    for (const channel of channels) channel.close();
    return messages;
  }, names);
  const { textResultForLlm } = await invoke(page, 'escapes:broadcast', { names });
  expect(JSON.parse(textResultForLlm)).toEqual([]);
  expect(await heard).toEqual([]);

  const other = await page.context().newPage();
  await other.goto('./');
  const { path } = await folder({ 'escapes.py': await readFile(source) }, 'another-folder');
  await drop(other, path);
  await scanned(other);
  const both = [page, other].map((one) => callInPage(one, 'escapes:broadcast', { names }));
  const texts = (await Promise.all(both)).map(({ result }) => result.textResultForLlm);
  expect(texts).toEqual(['[]', '[]']);
  await other.close();
});

test('row 23: no code is made from strings', async ({ page }) => {
  const answers = await outcomes(page, 'evaluate');
  expect(gotSomething(answers)).toEqual([]);
  expect(answers['string timer']).toBe('did not run');
});
