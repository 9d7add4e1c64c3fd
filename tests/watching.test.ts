/** A folder on disk that changes while it is open: edited with an ordinary program, its tools follow. */

import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
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

const helper = (by: number): string => `
total = 0

def step():
    global total
    total += ${by}
    return total
`;

const files = { 'greet.py': greet('Hello'), 'other.py': other, 'counting.py': helper(1) };

// What follows a save on a machine that does much else besides.
const soon = { timeout: 30_000 };

let folder: MadeFolder;

const names = async (page: Page): Promise<string[]> =>
  (await listing(page)).tools.map(({ name }) => name);

const codes = async (page: Page): Promise<string[]> =>
  (await listing(page)).problems.map(({ code, file }) => `${code} ${file}`);

const description = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => globalThis.cloche.registry.get('greet:hello')?.description);

test.beforeAll(async ({ shared }) => {
  await shared.open(files, 'first');
});

test.beforeEach(async ({ page }) => {
  folder = await makeFolder({ files, name: 'tools' });
  await page.evaluate(() => {
    globalThis.cloche.close();
  });
  await openFolder(page, folder.path);
});

test.afterEach(async ({ page }) => {
  await page.evaluate(() => {
    globalThis.cloche.close();
  });
  await folder.dispose();
});

test('a saved edit is on the tool\u2019s page at once, and the arguments are still there', async ({
  page,
}) => {
  await page.getByRole('link', { name: 'hello', exact: true }).first().click();
  const box = page.getByRole('textbox', { name: /arguments/i });
  await box.fill('{"name": "Ada"}');
  await expect(page.getByText('Watching the folder')).toBeVisible();
  await page.getByRole('link', { name: 'Source' }).click();
  for (const said of ['Good day', 'Good night']) {
    await folder.write({ 'greet.py': greet(said) });
    const from = Date.now();
    await expect(
      page
        .getByRole('banner')
        .getByText(`${said} somebody.`)
        .or(page.locator('header .description').getByText(`${said} somebody.`))
        .first(),
    ).toBeVisible(soon);
    test.info().annotations.push({ type: 'save to page', description: `${Date.now() - from} ms` });
    console.log('save to page', Date.now() - from);
  }
  await expect(page.getByText('Updated just now')).toBeVisible();
  await expect(page.getByText('greet:hello was updated')).toHaveCount(1);
  await expect(page.getByRole('group', { name: 'Source of greet.py' })).toContainText(
    'Good night, {name}',
  );
  await expect(box).toHaveValue('{"name": "Ada"}');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(
    page.getByRole('region', { name: 'Result' }).getByText('Good night, Ada 1 1'),
  ).toBeVisible(soon);
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
      page.getByText(/the last good version\s+from \d\d:\d\d is in use/).first(),
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
