/**
 * docs/decisions/attacks.md rows 1 to 10 and 23, in a real browser: nothing leaves the sandbox, nothing of the app is reached.
 * controls.test.ts shows that each attempt succeeds where its wall is taken away. Row 4 where the user can be asked, 11
 * to 14 and 30 are in tests/grants, 15 to 22, 24 to 27 and 29 beside this file, zips (28) in tests/opening.test.ts.
 */

import { readFile } from 'node:fs/promises';
import { drop } from '../../bench/drop.mjs';
import { invoke, scanned } from '../support/app.ts';
import { expect, test } from '../support/shared-page.ts';
import { startWitness, type Witness } from '../support/witness.ts';
import { heardByPage, heardBySandboxes, outcomes, successes, watchApp } from './escapes.ts';

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
  expect(successes(answers)).toEqual([]);
  expect(await databases()).toEqual(before);
});

test('rows 3 to 7, 9: no network, no app', { tag: '@process' }, async ({ page, baseURL }) => {
  const toApp = watchApp(page.context());
  const app = baseURL ?? '';
  const answers = await outcomes(page, 'network', { target: witness.origin, app });
  // Constructors that connect later return an object; the server's log counts.
  const objects = ['EventSource', 'WebSocket'];
  expect(successes(answers).filter((name) => !objects.includes(name))).toEqual([]);
  expect([witness.log, [...toApp]]).toEqual([[], []]);
});

test('row 4: libraries reach no host of this machine', async ({ page }) => {
  const answers = await outcomes(page, 'libraries', { target: witness.origin });
  expect(successes(answers)).toEqual([]);
  expect(witness.log).toEqual([]);
});

for (const kind of ['blob', 'data']) {
  test(`row 8: workers of the tool's own reach no more (${kind})`, async ({ page, baseURL }) => {
    const toApp = watchApp(page.context());
    const args = { target: witness.origin, app: baseURL, kind };
    const heard = await heardByPage(page, async () => {
      expect(successes(await outcomes(page, 'nested', args))).toEqual([]);
    });
    expect([witness.log, [...toApp], heard]).toEqual([[], [], []]);
  });
}

test('rows 8 and 22: a tool has no workers of its own', async ({ page }) => {
  const { textResultForLlm } = await invoke(page, 'escapes:makers_of_threads');
  expect(JSON.parse(textResultForLlm)).toEqual([]);
});

test('row 10: channels lead nowhere', { tag: '@process' }, async ({ page, folder }) => {
  // Another folder's sandbox in another page, and the app itself.
  const other = await page.context().newPage();
  await other.goto('./');
  const { path } = await folder({ 'escapes.py': await readFile(source) }, 'another-folder');
  await drop(other, path);
  await scanned(other);
  const heard = await heardByPage(page, async () => {
    expect(await heardBySandboxes(page, other)).toEqual([[], []]);
  });
  expect(heard).toEqual([]);
  await other.close();
});

test('row 23: no code is made from strings', async ({ page }) => {
  const answers = await outcomes(page, 'evaluate');
  expect(successes(answers)).toEqual([]);
  expect(answers['string timer']).toBe('did not run');
});
