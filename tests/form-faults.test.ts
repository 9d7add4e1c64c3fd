/** Forms that once sent other values than the user entered (tests/faults), by keyboard in the built app. */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { jsonArguments } from './support/json-arguments.ts';
import { expect, test } from './support/shared-page.ts';

const file = (name: string) => readFile(new URL(`faults/${name}`, import.meta.url), 'utf8');

test.beforeAll(async ({ shared }) => {
  const [conditional, unions] = await Promise.all(['conditional-fields.py', 'unions.py'].map(file));
  await shared.open(
    { 'conditional-fields.py': conditional ?? '', 'unions.py': unions ?? '' },
    'faults',
  );
});

async function open(page: Page, tool: string): Promise<void> {
  await page.evaluate((name) => {
    location.hash = `/tools/${name}`;
  }, tool);
  await expect(page.getByRole('heading', { name: tool })).toBeVisible();
  await page.getByRole('group', { name: 'Edit as' }).getByRole('button', { name: 'Form' }).click();
}

const at = (page: Page, pointer: string) => page.locator(`[data-path="${pointer}"]`);

/**
 * Runs the tool, which returns its arguments.
 * @param shown a part of the result that no earlier result has
 * @returns what was sent
 */
async function run(page: Page, shown: string): Promise<string> {
  await page.keyboard.press('Control+Enter');
  const text = (await (await jsonArguments(page)).inputValue()).replace(/\s+/g, '');
  await page.getByRole('group', { name: 'Edit as' }).getByRole('button', { name: 'Form' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result).toContainText(shown);
  return text;
}

/** Chooses an alternative by keyboard, if it is not the shown one. */
async function choose(page: Page, index: number, nth = 0): Promise<void> {
  const select = page.getByRole('combobox', { name: 'Alternative of v' }).nth(nth);
  await select.focus();
  const now = Number(await select.inputValue());
  for (let step = now; step < index; step += 1) await page.keyboard.press('ArrowDown');
  for (let step = now; step > index; step -= 1) await page.keyboard.press('ArrowUp');
  await expect(select).toHaveValue(String(index));
}

// tests/component/form-choices.test.ts tests the same forms without Python.
test(
  'numbers are typed into the alternative that is chosen',
  { tag: '@full' },
  async ({ page }) => {
    for (const [tool, index] of [
      ['str_num', 1],
      ['num_str', 0],
      ['types_num_str', 0],
      ['num_null', 0],
      ['num_bool', 1],
      ['num_enum', 0],
    ] as const) {
      await open(page, `unions:${tool}`);
      // The form asks for values before it has been touched.
      await page.keyboard.press('Control+Enter');
      await expect(page.getByText('is required', { exact: true }).first()).toBeVisible();
      await choose(page, index);
      for (const [typed, shown] of [
        ['-2', '-2'],
        ['0.5', '0.5'],
        ['1e3', '1000.0'],
      ] as const) {
        await at(page, '/v').focus();
        await page.keyboard.press('Control+a');
        await page.keyboard.type(typed);
        expect(await run(page, shown), tool).toBe(`{"v":${typed}}`);
      }
    }
  },
);

test('an alternative is chosen before anything is entered', { tag: '@full' }, async ({ page }) => {
  for (const [tool, field] of [
    ['any_props', '/v/name'],
    ['types_first', '/v/text'],
    ['refs', '/v/text'],
    ['extra_open', '/v/name'],
    ['two_unions', '/v/text'],
  ] as const) {
    await open(page, `unions:${tool}`);
    await choose(page, 1);
    await at(page, field).focus();
    await page.keyboard.type('-5');
    expect(await run(page, '-5'), tool).toBe(`{"v":{"${field.slice(3)}":"-5"}}`);
  }
});

test('fields follow their conditions', { tag: '@full' }, async ({ page }) => {
  await open(page, 'conditional-fields:country');
  const { keyboard } = page;
  for (const [pointer, typed] of [
    ['/country', 'US'],
    ['/state', 'Alabama'],
    ['/org', 'ACME'],
  ] as const) {
    await keyboard.press('Control+Enter');
    await expect(at(page, pointer)).toBeFocused();
    await keyboard.type(typed);
  }
  expect(await run(page, 'ACME')).toBe('{"country":"US","state":"Alabama","org":"ACME"}');
  await at(page, '/country').focus();
  await keyboard.type('CA');
  await expect(
    page.getByText('No longer sent, because other arguments changed: state, org.'),
  ).toBeVisible();
  expect(await run(page, 'CA')).toBe('{"country":"CA"}');
  await open(page, 'conditional-fields:multi');
  await expect(at(page, '/low')).toHaveCount(0);
  await at(page, '/multi').focus();
  await keyboard.type('true');
  await expect(at(page, '/single')).toHaveCount(0);
  await at(page, '/low').focus();
  await keyboard.type('-3');
  expect(await run(page, '-3')).toBe('{"multi":true,"low":-3}');
});
