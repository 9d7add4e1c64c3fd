/** A folder on disk that changes while it is open: it is edited with an ordinary program, and its tools are updated. */

import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { spareReady } from '../bench/pages.mjs';
import { invoke, listing, openFolder } from './support/app.ts';
import { makeFolder, type MadeFolder } from './support/make-folder.ts';
import { expect, test } from './support/shared-page.ts';

const greet = (said: string, extra = ''): string => `
import counting

calls = 0

def hello(name: str = "world") -> str:
    """${said} somebody."""
    global calls
    calls += 1
    return f"${said}, {name} {calls} {counting.step()}"
${extra}
TOOL_SPECS = [
    {"name": "greet:hello", "description": "${said} somebody.", "handler": hello,
     "parameters": {"type": "object", "properties": {"name": {"type": "string", "description": "Who"}}}},
]
`;

const other = `
import time

count = 0

def bump() -> int:
    global count
    count += 1
    return count

def slow(seconds: float) -> str:
    time.sleep(seconds)
    return "old"

TOOL_SPECS = [
    {"name": "other:bump", "description": "Counts.", "handler": bump, "parameters": {"type": "object", "properties": {}}},
    {"name": "other:slow", "description": "Waits.", "handler": slow,
     "parameters": {"type": "object", "properties": {"seconds": {"type": "number", "description": "How long"}}, "required": ["seconds"]}},
]
`;
import { jsonArguments } from './support/json-arguments.ts';

const helper = (by: number): string => `
total = 0

def step():
    global total
    total += ${by}
    return total
`;

const files = { 'greet.py': greet('Hello'), 'other.py': other, 'counting.py': helper(1) };

// What follows a save on a machine that does much else besides.
const soon = { timeout: 90_000 };

let folder: MadeFolder;

const names = async (page: Page): Promise<string[]> =>
  (await listing(page)).tools.map(({ name }) => name);

const codes = async (page: Page): Promise<string[]> =>
  (await listing(page)).problems.map(({ code, file }) => `${code} ${file}`);

const loadedAt = (page: Page): Promise<number | undefined> =>
  page.evaluate(() => globalThis.cloche.registry.get('greet:hello')?.loadedAt);

/** What an edit is inspected in is there without a start of Python. */
function spareIsWarm(page: Page): Promise<void> {
  return spareReady(page, 90_000);
}

test.beforeAll(async ({ shared }) => {
  await shared.open(files, 'first');
});

test.beforeEach(async ({ page }) => {
  folder = await makeFolder({ files, name: 'tools' });
  await page.evaluate(() => {
    globalThis.cloche.folder.close();
  });
  await openFolder(page, folder.path);
  await spareIsWarm(page);
});

test.afterEach(async ({ page }) => {
  await page.evaluate(() => {
    globalThis.cloche.folder.close();
  });
  await folder.dispose();
});

test('a saved edit is shown soon, arguments stay', { tag: '@timing' }, async ({ page }) => {
  await page.getByRole('link', { name: 'hello', exact: true }).first().click();
  const box = await jsonArguments(page);
  await box.fill('{"name": "Ada"}');
  await expect(page.getByText('Watching the folder')).toBeVisible();
  for (const said of ['Good day', 'Good evening', 'Good night']) {
    const shown = page.evaluate(
      (words) =>
        new Promise<number>((resolve) => {
          const look = (): void => {
            const title = document.querySelector('article header')?.textContent ?? '';
            if (title.includes(words)) resolve(Date.now());
            else requestAnimationFrame(look);
          };
          look();
        }),
      `${said} somebody.`,
    );
    await page.evaluate(() => undefined);
    const from = Date.now();
    await folder.write({ 'greet.py': greet(said) });
    const took = (await shown) - from;
    test.info().annotations.push({ type: 'save to page', description: `${took} ms` });
    // Half a second on a machine that does nothing else; here others work too.
    expect(took).toBeLessThan(3_000);
  }
  await expect(page.getByText('Updated just now')).toBeVisible();
  await expect(page.getByText('greet:hello was updated')).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'Editor of greet.py' })).toContainText(
    'Good night, {name}',
  );
  await expect(box).toHaveValue('{"name": "Ada"}');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result.getByText('Good night, Ada 1 1')).toBeVisible(soon);
});

test('a broken edit keeps the last good version in use, and says so everywhere', async ({
  page,
}) => {
  expect((await invoke(page, 'greet:hello')).textResultForLlm).toBe('Hello, world 1 1');
  await page.getByRole('link', { name: 'hello', exact: true }).first().click();
  for (const broken of [
    greet('Bye').replace('def hello', 'def hello('),
    `${greet('Bye')}\n1 / 0\n`,
    greet('Bye').replace('"type": "object"', '"type": "objct"'),
  ]) {
    await folder.write({ 'greet.py': broken });
    await expect.poll(() => codes(page), soon).toContain('last-good-version greet.py');
    await expect(
      page.getByText(/The last good version, from\s+\d\d:\d\d,\s+is in use/).first(),
    ).toBeVisible();
    const state = page.evaluate(
      async () =>
        ((await (await fetch('api/tools/greet%3Ahello')).json()) as { state: string }).state,
    );
    expect(await state).toBe('last-good');
    await folder.write({ 'greet.py': greet('Hello') });
    await expect.poll(() => codes(page), soon).toEqual([]);
  }
  // Nothing that ran has noticed.
  const result = await invoke(page, 'greet:hello');
  expect([result.textResultForLlm, result.stateLost]).toEqual(['Hello, world 2 2', false]);
});

test('an edited helper has its users loaded anew, their state is lost and said; the rest keeps its own', async ({
  page,
}) => {
  expect((await invoke(page, 'greet:hello')).textResultForLlm).toBe('Hello, world 1 1');
  expect((await invoke(page, 'other:bump')).textResultForLlm).toBe('1');
  const before = await loadedAt(page);
  await folder.write({ 'counting.py': helper(10) });
  await expect.poll(() => loadedAt(page), soon).not.toBe(before);
  const greeted = await invoke(page, 'greet:hello');
  expect([greeted.textResultForLlm, greeted.stateLost]).toEqual(['Hello, world 1 10', true]);
  const bumped = await invoke(page, 'other:bump');
  expect([bumped.textResultForLlm, bumped.stateLost]).toEqual(['2', false]);
});

test(
  'a running call keeps its code, while the list has the new one already',
  { tag: '@full' },
  async ({ page }) => {
    const running = invoke(page, 'other:slow', { seconds: 4 });
    await expect
      .poll(() => page.evaluate(() => globalThis.cloche.status.get().python), soon)
      .toBe('busy');
    await folder.write({
      'other.py': other.replaceAll('"old"', '"new"').replace('Waits.', 'Waits anew.'),
    });
    const listed = (): Promise<string | undefined> =>
      page.evaluate(() => globalThis.cloche.registry.get('other:slow')?.description);
    await expect.poll(listed, soon).toBe('Waits anew.');
    expect((await running).textResultForLlm).toBe('old');
    expect((await invoke(page, 'other:slow', { seconds: 0 })).textResultForLlm).toBe('new');
  },
);

test(
  'files written by way of a temporary one, renamed, removed and added',
  { tag: '@full' },
  async ({ page }) => {
    await page.getByRole('link', { name: 'bump', exact: true }).first().click();
    const at = (file: string): string => join(folder.path, file);
    await writeFile(at('.greet.py.swp'), greet('Swapped'));
    await rename(at('.greet.py.swp'), at('greet.py'));
    const text = async (): Promise<string> => (await invoke(page, 'greet:hello')).textResultForLlm;
    await expect.poll(text, soon).toContain('Swapped');
    await rename(at('other.py'), at('renamed.py'));
    // Its specs name the module that they were in.
    await expect
      .poll(() => codes(page), soon)
      .toEqual(['bad-name renamed.py', 'bad-name renamed.py']);
    expect(await names(page)).toEqual(['greet:hello']);
    await expect(page.getByText(/This tool was removed from other\.py at \d\d:\d\d/)).toBeVisible();
    await folder.write({ 'renamed.py': other.replaceAll('other:', 'renamed:') });
    await folder.write({ 'third.py': other.replaceAll('other:', 'third:') });
    await folder.remove('greet.py');
    await expect
      .poll(() => names(page), soon)
      .toEqual(['renamed:bump', 'renamed:slow', 'third:bump', 'third:slow']);
    expect((await invoke(page, 'third:bump')).textResultForLlm).toBe('1');
  },
);
