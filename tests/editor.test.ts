/** A tool is written in the page: from the empty start to a zip whose tests pass under CPython. */

import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { violations } from './support/axe.ts';
import { tabTo } from './support/keyboard.ts';
import { listing, scanned } from './support/app.ts';
import { expect, test } from './support/test.ts';

const code = (page: Page) => page.getByRole('textbox', { name: /^Text of/ });
const state = (page: Page) =>
  page
    .getByRole('region', { name: /^Editor of/ })
    .getByRole('status')
    .first();

const handler = `def area(width: float, height: float) -> float:
"""Area of a rectangle."""
return width * height
`;
const spec = `

TOOL_SPECS = [
{"name": "shapes:area", "description": "Area of a rectangle.", "handler": area, "parameters": {"type": "object", "properties": {"width": {"type": "number", "description": "In metres"}, "height": {"type": "number", "description": "In metres"}}, "required": ["width", "height"]}},
]`;

/** Unpacks what was exported, and runs its tests under this machine's Python, as a user would. */
async function testExported(zip: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cloche-exported-'));
  try {
    const unpack = 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])';
    execFileSync('python3', ['-c', unpack, zip, folder]);
    return execFileSync('python3', ['cloche_test.py', '.'], { cwd: folder, encoding: 'utf8' });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Replaces a text in the editor, with its search. */
async function replace(page: Page, from: string, to: string, saves = true): Promise<void> {
  await code(page).click();
  await page.keyboard.press('ControlOrMeta+f');
  await page.keyboard.type(from);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Delete');
  await page.keyboard.type(to);
  if (saves) await page.keyboard.press('ControlOrMeta+s');
}

async function run(page: Page, result: string): Promise<void> {
  await page.getByRole('textbox', { name: 'width' }).fill('2');
  await page.getByRole('textbox', { name: 'height' }).fill('3');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('region', { name: /^Result/ })).toContainText(result);
}

test('a tool is written, run, saved as a test, broken, fixed and exported with its test', async ({
  page,
}) => {
  const seconds: string[] = [];
  /** One step of a new user's, whose time is recorded. */
  const step = async (name: string, work: () => Promise<void>): Promise<void> => {
    const began = performance.now();
    await test.step(name, work);
    seconds.push(`${name}: ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  };
  const tests = page.getByRole('region', { name: 'Drawer' }).getByRole('status');

  await step('create a folder', async () => {
    await page.goto('./');
    await tabTo(page, page.getByRole('button', { name: 'Write a tool', exact: true }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
    // Replaces the suggested name.
    await page.keyboard.type('shapes');
    await page.keyboard.press('Enter');
    await expect(code(page)).toContainText('def greet');
  });
  await step('write a tool', async () => {
    await expect(code(page)).toBeFocused();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(handler);
    // Back to the first column.
    await page.keyboard.press('Backspace');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(
      page.getByText('shapes.py was saved. It has no tool to run.').first(),
    ).toBeVisible();
    // Pasted, because typing it takes seconds.
    await page.keyboard.insertText(spec);
    await expect(state(page)).toHaveText('Unsaved changes');
    await scanned(page);
    await page.keyboard.press('ControlOrMeta+s');
    await expect(state(page)).toHaveText('Saved');
  });
  await step('run it', async () => {
    await page.getByRole('link', { name: /area/ }).first().click();
    await run(page, '6');
  });
  await step('save the run as a test and as an example', async () => {
    await page.getByRole('button', { name: 'Save as test' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('area of 2 by 3');
    await page.getByRole('dialog').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Save test' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.evaluate(() => (location.hash = '#/tools/shapes:area?panel=tests'));
    await expect(code(page)).toContainText('"examples": [{"width": 2, "height": 3}]');
    await expect(tests).toHaveText('1 passed, 0 failed');
  });
  await step('break it, and see the test fail', async () => {
    await replace(page, 'width * height', 'width + height');
    await expect(tests).toHaveText('0 passed, 1 failed');
    await expect(page.getByText('expected 6, got 5')).toBeVisible();
  });
  await step('fix it, and see the test pass', async () => {
    await replace(page, 'width + height', 'width * height');
    await expect(tests).toHaveText('1 passed, 0 failed');
  });
  await step('break its spec, and apply the fix that is offered', async () => {
    await replace(page, '"type": "object", ', '', false);
    // The problem shows before the file is saved.
    await expect(page.locator('.cm-problem-error')).toContainText('parameters has no type');
    await expect(state(page)).toHaveText('Unsaved changes');
    await page.keyboard.press('ControlOrMeta+s');
    await expect(page.getByRole('link', { name: /^Problems ?\d error/ })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.locator('.cm-problem').getByRole('button', { name: 'Add "type": "object"' }).click();
    await expect(code(page)).toContainText('"type": "object", ');
    await page.keyboard.press('ControlOrMeta+s');
    await expect(state(page)).toHaveText('Saved');
    await expect(page.getByRole('link', { name: /^Problems$/ })).toBeVisible();
    await run(page, '6');
  });
  await step('export it, and run its tests under Python', async () => {
    await page.reload();
    await scanned(page);
    // The last results are still there.
    await expect(tests).toHaveText('1 passed, 0 failed');
    await page.evaluate(() => (location.hash = '#/'));
    const exporting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export folder as zip' }).click();
    const exported = await exporting;
    expect(exported.suggestedFilename()).toBe('shapes.zip');
    expect(await testExported(await exported.path())).toBe('1 passed, 0 failed\n');
  });
  test.info().annotations.push(...seconds.map((description) => ({ type: 'step', description })));
});

test('a tool that is not loaded is fixed on its page, in one editor', async ({ page }) => {
  await page.goto('./');
  await page.getByRole('button', { name: 'Write a tool', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('shapes');
  await page.keyboard.press('Enter');
  await scanned(page);
  await code(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  const indented = handler.replaceAll(/\n(?=\S)/g, '\n    ');
  await page.keyboard.insertText(`${indented}${spec.replace('"type": "object", ', '')}`);
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByRole('link', { name: /^area not loaded/ }).click();
  await expect(page.getByRole('heading', { name: 'shapes:area' })).toBeVisible();
  await replace(page, '"properties"', '"type": "object", "properties"', false);
  // The problem beside the editor is that of the saved file.
  const main = page.getByRole('main');
  await expect(main).toContainText('shapes.py has unsaved changes. Save it to load the tool');
  await main.getByRole('link', { name: /^shapes\.py:\d/ }).focus();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('textbox', { name: 'width' })).toBeVisible();
  await expect(state(page)).toHaveText('Saved');
  // Breaking and loading the tool leaves the cursor where it is.
  await replace(page, '"type": "object", ', '');
  await expect(page.getByRole('link', { name: /^Problems ?1 error/ })).toBeVisible();
  await page.keyboard.type('"type": "object", ');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByRole('link', { name: /^Problems$/ })).toBeVisible();
  await expect(code(page)).toBeFocused();
});

test('the example runs on the welcome page, is edited there, and then in the workbench', async ({
  page,
}) => {
  await page.goto('./');
  const result = page.getByRole('region', { name: /^Result/ });
  await page.getByRole('textbox', { name: 'years' }).fill('10');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(result.getByText('29,548 after 10 years').first()).toBeVisible();
  await expect(result.getByRole('img')).toBeVisible();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await replace(page, 'is interest', 'is profit', false);
  // One key saves and runs.
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(result).toContainText('is profit');
  await expect(page.getByRole('heading', { name: 'Run Python tools' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Open in workbench' }).click();
  await scanned(page);
  // The same folder, and the same result.
  await expect(page.getByRole('heading', { name: 'savings:savings_chart' })).toBeVisible();
  await expect(result).toContainText('is profit');
  await expect(state(page)).toHaveText('Saved');
  // The example that a visitor sees first has no problems.
  expect((await listing(page)).problems).toEqual([]);
});
