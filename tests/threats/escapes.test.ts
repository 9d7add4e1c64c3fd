/** threats.md rows 1 to 10 and 23, in a real browser: nothing leaves the sandbox, nothing of the app is reached. */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { invoke, openFolder } from '../support/app.ts';
import { expect, test } from '../support/test.ts';
import { startWitness, type Witness } from '../support/witness.ts';

const source = new URL('escapes.py', import.meta.url);

let witness: Witness;
test.beforeEach(async ({ page, folder, trouble }) => {
  // The browser reports every refusal on its console; that is what this file is about.
  trouble.expect(/Content Security Policy|violates|Refused|net::ERR|Failed to load|WebSocket/);
  trouble.expect(/foreign request/);
  // And what fails in the tool's own worker without anybody catching it.
  trouble.expect(/^uncaught/);
  witness = await startWitness();
  const { path } = await folder({ 'escapes.py': await readFile(source) });
  await page.goto('./');
  await openFolder(page, path);
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

test('storage of the app is out of reach', async ({ page }) => {
  const databases = (): Promise<string[]> =>
    page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? ''));
  const before = await databases();
  const answers = await outcomes(page, 'storage');
  expect(Object.keys(answers).length).toBeGreaterThan(15);
  expect(gotSomething(answers)).toEqual([]);
  expect(await databases()).toEqual(before);
});

test('nothing reaches the network, nor the app', async ({ page, baseURL }) => {
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
  test(`workers of the tool's own reach no more (${kind})`, async ({ page, baseURL }) => {
    const heard = page.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          const messages: string[] = [];
          new BroadcastChannel('cloche').onmessage = ({ data }) => messages.push(String(data));
          setTimeout(resolve, 5_000, messages);
        }),
    );
    const args = { target: witness.origin, app: baseURL, kind };
    const answers = await outcomes(page, 'nested', args);
    expect(gotSomething(answers)).toEqual([]);
    expect(witness.log).toEqual([]);
    expect(await heard).toEqual([]);
  });
}

test('no code is made from strings', async ({ page }) => {
  const answers = await outcomes(page, 'evaluate');
  expect(gotSomething(answers)).toEqual([]);
  expect(answers['string timer']).toBe('did not run');
});

test('channels lead neither to the app nor back', async ({ page }) => {
  const names = ['cloche', 'cloche-api-host:/', 'sessions', 'updates'];
  const heard = page.evaluate((channels) => {
    const messages: unknown[] = [];
    for (const name of channels) {
      const channel = new BroadcastChannel(name);
      channel.onmessage = ({ data }) => messages.push(data);
      setInterval(() => {
        channel.postMessage('from the app');
      }, 100);
    }
    return new Promise<unknown[]>((resolve) => setTimeout(resolve, 3_000, messages));
  }, names);
  const { textResultForLlm } = await invoke(page, 'escapes:broadcast', { names });
  expect(JSON.parse(textResultForLlm)).toEqual([]);
  expect(await heard).toEqual([]);
});
