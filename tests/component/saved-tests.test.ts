/** The screens of saved tests: none yet, saving, running, failing with a difference, and broken files. */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { violations } from '../support/axe.ts';
import { hello } from '../support/hello.ts';
import { button, kept, openZip } from '../support/opening.ts';
import { textIn, writablePicks, writeFile } from '../support/saved-tests.ts';
import { openFolder, ready } from './support/app.ts';
import { expect, test } from './support/test.ts';
import { press } from '../support/press-until.ts';

const drawer = (page: Page) => page.getByRole('region', { name: 'Drawer' });
const dialog = (page: Page) => page.getByRole('dialog');

async function runHello(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'hello', exact: true }).first().click();
  await button(page, 'Run').first().click();
  await expect(page.getByRole('region', { name: 'Result' }).getByText('world')).toBeVisible();
}

test('a run is saved as a test, fails after an edit, and its expectation is updated', async ({
  page,
}) => {
  await writablePicks(page, { 'greet.py': hello });
  await page.goto('./');
  await button(page, 'Open folder').first().click();
  await ready(page, 'greetings');
  await page.goto('./#/?panel=tests');
  await expect(drawer(page)).toContainText('This folder has no tests yet.');
  await expect(drawer(page)).toContainText('Save as test');

  await runHello(page);
  await button(page, 'Save as test').click();
  await button(page, 'Save test').click();
  await expect(dialog(page).getByRole('alert')).toContainText('Enter a name');
  await dialog(page).getByLabel('Name').fill('greets the world');
  await dialog(page).getByLabel('Expectation', { exact: true }).fill('{"equals": }');
  await button(page, 'Save test').click();
  await expect(dialog(page).getByRole('alert')).toContainText('The expectation is not valid JSON');
  for (const [choice, text] of [
    ['Schema', '"required": ["hello"]'],
    ['Expression', 'result[\\"hello\\"] == \\"world\\"'],
    ['Exact value', '"equals": '],
  ] as const) {
    await button(page, choice).click();
    await expect(dialog(page).getByLabel('Expectation', { exact: true })).toHaveValue(
      new RegExp(text.replace(/[[\]\\]/g, '\\$&')),
    );
  }
  expect(await violations(page)).toEqual([]);
  await button(page, 'Save test').click();
  await expect(dialog(page)).toHaveCount(0);
  expect(JSON.parse(await textIn(page, 'tests', 'greet.json'))).toEqual([
    {
      name: 'greets the world',
      tool: 'greet:hello',
      arguments: {},
      expect: { equals: { hello: 'world' } },
    },
  ]);
  await page.goto('./#/?panel=tests');
  await expect(drawer(page).getByRole('status')).toHaveText('1 passed, 0 failed');

  await writeFile(page, 'greet.py', hello.replace('"world"', '"moon"'));
  await expect(drawer(page).getByRole('status')).toHaveText('0 passed, 1 failed');
  await expect(drawer(page)).toContainText('expected {"hello":"world"}, got {"hello":"moon"}');
  const failing = page.getByRole('link', { name: /hello.*a test fails/ });
  await expect(failing).toBeVisible();
  const filter = page.getByRole('combobox', { name: 'Show tools' });
  await filter.selectOption('Failing tests');
  await expect(failing).toBeVisible();
  await expect(page.getByRole('link', { name: /^Tests ?1 failing$/ })).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await button(page, 'Update expectation').click();
  await expect(dialog(page).getByLabel('Changed lines')).toContainText('moon');
  await dialog(page).getByRole('button', { name: 'Update expectation' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(drawer(page).getByRole('status')).toHaveText('1 passed, 0 failed');
  await expect(page.getByRole('link', { name: /a test fails/ })).toHaveCount(0);
  await expect(page.getByText('No matching tools.')).toBeVisible();
  await filter.selectOption('All');
  await expect(filter).toHaveCount(0);
});

test(
  'a test of a folder that cannot be written is kept in this browser, also after a reload',
  { tag: '@full' },
  async ({ page }) => {
    await page.goto('./');
    await openZip(page, 'greetings.zip', [{ name: 'greetings/greet.py', content: hello }]);
    await ready(page, 'greetings');
    await runHello(page);
    await button(page, 'Save as test').click();
    // The icon says what it copies.
    await expect(button(page, 'Copy arguments for examples')).toBeVisible();
    await expect(dialog(page)).toContainText(
      'Copy the arguments to add them to the tool’s examples.',
    );
    await dialog(page).getByLabel('Name').fill('greets');
    await button(page, 'Save test').click();
    await expect(dialog(page)).toContainText('This folder is read-only');
    const download = page.waitForEvent('download');
    await button(page, 'Download file').click();
    expect((await download).suggestedFilename()).toBe('greet.json');
    await button(page, 'Close').last().click();
    await kept(page, 1);
    await page.reload();
    await ready(page, 'greetings');
    await page.goto('./#/?panel=tests');
    await expect(drawer(page)).toContainText('only in this browser');
    await press(button(page, 'Run 1 test'));
    await expect(drawer(page).getByRole('status')).toHaveText('1 passed, 0 failed');

    // The exported folder has it, and what runs it, which is not part of this page's build.
    await page.route('**/cloche_test.py', (route) => route.fulfill({ body: '# runs tests' }));
    await page.evaluate(() => (location.hash = '#/?panel=tests'));
    const exporting = page.waitForEvent('download');
    await button(page, 'Export folder as zip').click();
    const zip = unzipSync(await readFile(await (await exporting).path()));
    expect(Object.keys(zip).sort()).toEqual(['cloche_test.py', 'greet.py', 'tests/greet.json']);

    await button(page, 'Delete file').click();
    expect(await violations(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(drawer(page)).toContainText('This folder has no tests yet.');
    await page.reload();
    await ready(page, 'greetings');
    await expect(drawer(page)).toContainText('This folder has no tests yet.');
  },
);

test(
  'results survive a reload, and are out of date once the tool has changed',
  { tag: '@full' },
  async ({ page }) => {
    await page.goto('./');
    await openZip(page, 'greetings.zip', [
      { name: 'greetings/greet.py', content: hello },
      {
        name: 'greetings/tests/greet.json',
        content: '[{"name": "greets", "tool": "greet:hello"}]',
      },
    ]);
    await ready(page, 'greetings');
    await kept(page, 1);
    await page.goto('./#/?panel=tests');
    const status = drawer(page).getByRole('status');
    await press(button(page, 'Run 1 test'));
    await expect(status).toHaveText('1 passed, 0 failed');
    await page.reload();
    await ready(page, 'greetings');
    await expect(status).toHaveText('1 passed, 0 failed');
    await page.evaluate(() => {
      const key = Object.keys(localStorage).find((one) => one.endsWith(':test-results')) ?? '';
      localStorage.setItem(
        key,
        (localStorage.getItem(key) ?? '').replace(/"hash":"\w{4}/, '"hash":"0000'),
      );
    });
    await page.reload();
    await ready(page, 'greetings');
    await expect(status).toHaveText('0 passed, 0 failed, 1 out of date');
    await expect(drawer(page)).toContainText('passed before its tool changed');
    expect(await violations(page)).toEqual([]);
  },
);

test('a broken test file is a problem at its line, and the other tests run', async ({
  page,
  folder,
}) => {
  const made = await folder({
    'greet.py': hello,
    'tests/a.json': '[{"name": "works", "tool": "greet:hello"}]',
    'tests/b.json': '[\n{"tool": "greet:hello", "expect": {"equal": 1}}\n]',
  });
  await page.goto('./');
  await openFolder(page, made.path);
  await page.goto('./#/tools/greet:hello/tests?panel=tests');
  await expect(drawer(page)).toContainText('1 problem in test files');
  await press(drawer(page).getByRole('button', { name: 'Run 1 test' }));
  await expect(drawer(page).getByRole('status')).toHaveText('1 passed, 0 failed');
  await drawer(page).getByRole('link', { name: '1 problem in test files' }).click();
  await expect(drawer(page)).toContainText('$[0].expect has the unknown key "equal"');
  await expect(drawer(page).getByRole('link', { name: /tests\/b\.json:2/ })).toBeVisible();
});
