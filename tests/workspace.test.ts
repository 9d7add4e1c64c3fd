/** A folder that tools read and write: copied in, reviewed, written, and a newer file is never overwritten. */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { ToolResult } from '../src/runtime/spec/result.ts';
import { callInPage, openFolder, scanned } from './support/app.ts';
import type { StopAt } from './support/call-here.ts';
import { answer, question } from './support/questions.ts';
import { expect, test } from './support/test.ts';
import { press, pressUntil } from './support/press-until.ts';
import { keptFiles, onDisk, openWithWorkspace } from './support/workspace.ts';

async function call(
  page: Page,
  tool: string,
  args: Record<string, unknown> = {},
  stopAt?: StopAt,
): Promise<ToolResult> {
  return (await callInPage(page, `workspace:${tool}`, args, stopAt)).result;
}

function states(result: ToolResult): Record<string, string> {
  return Object.fromEntries(
    result.workspace?.entries.map(({ path, state }) => [path, state]) ?? [],
  );
}

const changes = (page: Page) => page.getByRole('region', { name: 'Changes' });
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });

test('of three edited files, the one that changed on disk meanwhile asks', async ({
  page,
  folder,
}) => {
  await openWithWorkspace(page, folder);
  await onDisk(page, { 'a.txt': 'a', 'b.txt': 'b', 'sub/c.txt': 'c' });
  await press(button(page, 'Immediately'));
  expect(JSON.parse((await call(page, 'contents')).textResultForLlm)).toEqual({
    'a.txt': 'a',
    'b.txt': 'b',
    'sub/c.txt': 'c',
  });
  // While the call runs, another program saves b.txt.
  const files = { 'a.txt': 'A!', 'b.txt': 'B!', 'sub/c.txt': 'C!' };
  const running = call(page, 'edit_approved', { files });
  await expect(question(page)).toBeVisible();
  await onDisk(page, { 'b.txt': 'saved meanwhile' });
  await answer(page, /^approve$/i);
  expect(states(await running)).toEqual({
    'a.txt': 'written',
    'b.txt': 'asks',
    'sub/c.txt': 'written',
  });
  expect(await keptFiles(page)).toEqual({
    'a.txt': 'A!',
    'b.txt': 'saved meanwhile',
    'sub/c.txt': 'C!',
  });
  await expect(page.getByRole('link', { name: 'Workspace: 1 change to review' })).toBeVisible();
  const item = changes(page).getByRole('listitem').filter({ hasText: 'b.txt' });
  await expect(item).toContainText('The file in the folder has changed since the tool read it.');
  await item.getByText('Conflict').click();
  await expect(item.getByLabel('Changed lines')).toContainText('saved meanwhile');
  await item.getByRole('button', { name: 'Save as' }).click();
  await expect(page.getByText('No changes to review')).toBeVisible();
  expect(await keptFiles(page)).toMatchObject({
    'b.txt': 'saved meanwhile',
    'b (from tool).txt': 'B!',
  });
});

test('two tabs with one tools folder have the same workspace, whichever of them chooses it', async ({
  page,
  folder,
}) => {
  const code = await readFile(new URL('support/workspace.py', import.meta.url), 'utf8');
  const made = await folder({ 'workspace.py': code }, 'writers');
  await page.goto('./');
  await openFolder(page, made.path);
  const other = await page.context().newPage();
  await other.goto('./#/workspace');
  await expect(button(other, 'New folder in this browser')).toBeVisible();
  await page.evaluate(() => (location.hash = '#/workspace'));
  await press(button(page, 'New folder in this browser'));
  await expect(other.getByRole('group', { name: 'Contents' })).toContainText('0 files');
  const files = { 'a.txt': 'a' };
  await press(button(other, 'Immediately'));
  await expect(button(page, 'Immediately')).toHaveAttribute('aria-pressed', 'true');
  expect(states(await call(page, 'edit', { files }))).toEqual({ 'a.txt': 'written' });
  const read = await call(other, 'contents');
  expect(JSON.parse(read.textResultForLlm)).toEqual(files);
  await other.close();
});

test('a call that is ended writes nothing, and says so', async ({ page, folder }) => {
  await openWithWorkspace(page, folder);
  await onDisk(page, { 'kept.txt': 'kept' });
  for (const [tool, stopAt, error] of [
    ['write_and_spin', undefined, 'timeout'],
    ['write_and_wait', 'first output', 'cancelled'],
    ['write_and_spin', 'first output', 'cancelled'],
  ] as const) {
    const result = await call(page, tool, {}, stopAt);
    expect(result.error).toBe(error);
    expect(result.stdout).toContain('written');
    expect(result.textResultForLlm).toContain('Its changes to the workspace are lost.');
    expect(result.workspace?.entries).toEqual([]);
    // Nor does the next call meet it.
    const next = await call(page, 'contents');
    expect(JSON.parse(next.textResultForLlm)).toEqual({ 'kept.txt': 'kept' });
  }
  expect(await keptFiles(page)).toEqual({ 'kept.txt': 'kept' });
  await expect(page.getByText('No changes to review')).toBeVisible();
});

test('changes are looked at, written and discarded', { tag: '@full' }, async ({ page, folder }) => {
  await openWithWorkspace(page, folder);
  await onDisk(page, { 'a.txt': 'one\ntwo\nthree\n', 'gone.txt': 'gone' });
  const files = { 'a.txt': 'one\n2\nthree\n', 'new/b.txt': 'b', 'gone.txt': null, 'c.txt': 'c' };
  expect(states(await call(page, 'edit', { files }))).toEqual({
    'a.txt': 'waiting',
    'new/b.txt': 'waiting',
    'gone.txt': 'waiting',
    'c.txt': 'waiting',
  });
  // Tools see what waits, those of other sessions too.
  const other = JSON.parse((await call(page, 'contents')).textResultForLlm) as unknown;
  expect(other).toEqual({ 'a.txt': 'one\n2\nthree\n', 'new/b.txt': 'b', 'c.txt': 'c' });
  expect(await keptFiles(page)).toEqual({ 'a.txt': 'one\ntwo\nthree\n', 'gone.txt': 'gone' });
  await page.getByRole('link', { name: 'Workspace: 4 changes to review' }).click();
  const item = (path: string) => changes(page).getByRole('listitem').filter({ hasText: path });
  await item('a.txt').getByText('Changes').click();
  await expect(item('a.txt').getByLabel('Changed lines')).toContainText('−removed: two');
  await expect(item('a.txt').getByLabel('Changed lines')).toContainText('+added: 2');
  await button(page, 'Discard c.txt').click();
  await pressUntil(button(page, 'Write a.txt'), page.getByRole('heading', { name: '2 changes' }));
  expect(await keptFiles(page)).toEqual({ 'a.txt': 'one\n2\nthree\n', 'gone.txt': 'gone' });
  await pressUntil(button(page, 'Write all'), page.getByText('No changes to review'));
  const written = { 'a.txt': 'one\n2\nthree\n', 'new/b.txt': 'b' };
  expect(await keptFiles(page)).toEqual(written);
  // What was discarded is gone for tools too.
  expect(JSON.parse((await call(page, 'contents')).textResultForLlm)).toEqual(written);
});

test(
  'a change counts before an exception, and with equal size and times',
  { tag: '@full' },
  async ({ page, folder }) => {
    await openWithWorkspace(page, folder);
    await onDisk(page, { 'a.txt': 'same size' });
    expect(states(await call(page, 'quiet_edit'))).toEqual({ 'a.txt': 'waiting' });
    const result = await call(page, 'fail');
    expect(result.error).toBe('ValueError: after writing');
    expect(states(result)).toEqual({ 'before.txt': 'waiting' });
  },
);

test(
  'a tool gets the path of its workspace, which survives a reload, and no path without one',
  { tag: '@full' },
  async ({ page, folder }) => {
    await openWithWorkspace(page, folder);
    expect(JSON.parse((await call(page, 'where')).textResultForLlm)).toMatchObject({
      path: '/workspace/workspace',
      sandbox: { workspace: { name: 'workspace', writing: 'review' } },
    });
    await press(button(page, 'Immediately'));
    await call(page, 'edit', { files: { 'a.txt': 'a' } });
    await page.reload();
    await scanned(page);
    expect(JSON.parse((await call(page, 'contents')).textResultForLlm)).toEqual({ 'a.txt': 'a' });
    await expect(button(page, 'Immediately')).toHaveAttribute('aria-pressed', 'true');
    await expect(page.getByRole('group', { name: 'Contents' })).toContainText('1 file');
    await button(page, 'Remove workspace').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove workspace' }).click();
    await expect(button(page, 'New folder in this browser')).toBeVisible();
    expect(JSON.parse((await call(page, 'where')).textResultForLlm)).toMatchObject({
      path: null,
      sandbox: { workspace: null },
    });
  },
);

test(
  'links, odd names and other programs’ folders are left out, each with its reason',
  { tag: '@full' },
  async ({ page, folder }) => {
    await openWithWorkspace(page, folder);
    await onDisk(page, { 'readme.txt': 'r', '.git/config': 'mine' });
    await press(button(page, 'Immediately'));
    const result = await call(page, 'misbehave');
    expect(states(result)).toMatchObject({
      'fine.txt': 'written',
      out: 'refused',
      password: 'refused',
      '.git/config': 'refused',
      'CON.txt': 'refused',
      'trailing. ': 'refused',
      'a:b': 'refused',
      'a\ufffdb': 'refused',
      'README.TXT': 'refused',
    });
    expect(await keptFiles(page)).toEqual({
      'readme.txt': 'r',
      '.git/config': 'mine',
      'fine.txt': 'fine',
    });
    // What was refused is said once, and nothing of it is written later.
    expect((await call(page, 'where')).workspace).toBeUndefined();
  },
);

test('what does not fit is named', { tag: '@full' }, async ({ page, folder }) => {
  test.slow();
  await openWithWorkspace(page, folder);
  await press(button(page, 'Immediately'));
  const one = await call(page, 'large', { megabytes: 51 });
  expect(one.workspace?.entries).toEqual([
    { path: 'large-0.bin', what: 'changed', state: 'refused', reason: 'it is larger than 50 MB' },
  ]);
  const many = await call(page, 'large', { megabytes: 45, count: 6 });
  expect(many.workspace?.entries.filter(({ state }) => state === 'written')).toHaveLength(5);
  expect(many.workspace?.entries.at(-1)).toMatchObject({
    state: 'refused',
    reason: 'the workspace would be larger than 256 MB',
  });
  await button(page, 'Reload files').click();
  await expect(page.getByRole('group', { name: 'Contents' })).toContainText('5 files');
});

test('of two interpreters, the second asks', { tag: '@full' }, async ({ page, folder }) => {
  await openWithWorkspace(page, folder);
  await onDisk(page, { 'shared.txt': 'first\n' });
  const results = await page.evaluate(async () => {
    const { calls, sessions } = globalThis.cloche;
    sessions.open('one');
    sessions.open('two');
    const call = (sessionId: string) =>
      calls.call(new AbortController().signal, {
        id: crypto.randomUUID(),
        tool: 'workspace:add',
        arguments: JSON.stringify({ name: sessionId }),
        caller: 'page',
        sessionId,
        sessionKey: '',
        turnId: '',
        agentId: '',
        validate: true,
      });
    // Both start once before, so that they run at the same time then.
    await Promise.all([call('one'), call('two')]);
    return Promise.all([call('one'), call('two')]);
  });
  const ends = results.map((result) => states(result)['shared.txt']);
  expect(ends).toContain('asks');
  await page.evaluate(() => (location.hash = '#/workspace'));
  await expect(changes(page).getByText(/in conflict/)).toBeVisible();
});
