/** Forms by keyboard alone: required values are asked for, alternatives stay chosen, fields follow conditions. */

import type { Locator, Page } from '@playwright/test';
import { violations } from '../support/axe.ts';
import { pressUntil } from '../support/press-until.ts';
import { jsonArguments } from '../support/json-arguments.ts';
import { expect, test } from './support/shared-page.ts';

const names = [
  'order',
  'bag',
  'find',
  'either',
  'flag',
  'fit',
  'loose',
  'feed',
  'country',
  'multi',
];
/** Only shown as source. The tools are defined in tools/choices.ts. */
const source = names.map((name) => `def ${name}(**values):\n    return values\n`).join('\n');

test.beforeAll(async ({ shared }) => {
  await shared.open({ 'choices.py': source }, 'choices');
});

test.beforeEach(async ({ page }) => {
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith('cloche:draft')) localStorage.removeItem(key);
  });
  await page.reload();
});

async function open(page: Page, tool: string): Promise<void> {
  await page.evaluate((name) => {
    location.hash = `/tools/choices:${name}`;
  }, tool);
  await expect(page.getByRole('heading', { name: `choices:${tool}` })).toBeVisible();
  await page.getByRole('group', { name: 'Edit as' }).getByRole('button', { name: 'Form' }).click();
}

const at = (page: Page, pointer: string): Locator => page.locator(`[data-path="${pointer}"]`);
const run = (page: Page): Promise<void> => page.keyboard.press('Control+Enter');
const result = (page: Page): Locator => page.getByRole('region', { name: 'Result' });
const alternative = (page: Page, name: string): Locator =>
  page.getByRole('combobox', { name: `Alternative of ${name}` });

/** The arguments of the last run, as they were sent. */
async function sent(page: Page): Promise<string> {
  await expect(result(page).getByText('Success', { exact: true })).toBeVisible();
  const text = await (await jsonArguments(page)).inputValue();
  await page.getByRole('group', { name: 'Edit as' }).getByRole('button', { name: 'Form' }).click();
  return text.replace(/\s+/g, '');
}

test('an untouched form does not run: what is required is asked for, field by field', async ({
  page,
}) => {
  await open(page, 'order');
  const { keyboard } = page;
  // No value is invented, and no field is red before the first attempt.
  await expect(page.locator('.field .error')).toHaveCount(0);
  await expect(at(page, '/gift')).toHaveValue('out');
  await expect(at(page, '/size')).toHaveValue('out');
  for (const [pointer, fill] of [
    ['/name', () => keyboard.type('x')],
    ['/price', () => keyboard.type('-0.50')],
    ['/gift', () => keyboard.press('ArrowDown')],
    ['/size', () => keyboard.press('ArrowDown')],
    [
      '/tags',
      async () => {
        await keyboard.press('Enter');
        await expect(at(page, '/tags/0')).toBeFocused();
        await keyboard.type('t');
      },
    ],
    ['/ship/city', () => keyboard.press('Enter')],
  ] as const) {
    await run(page);
    await expect(at(page, pointer)).toBeFocused();
    await expect(at(page, pointer)).toHaveAccessibleDescription('is required');
    await expect(page.getByRole('button', { name: 'Run', exact: true })).toHaveAttribute(
      'aria-disabled',
      'false',
    );
    await expect(result(page).getByText('Success', { exact: true })).toHaveCount(0);
    await fill();
  }
  // The viewport is high enough that the fixed buttons cover nothing.
  await page.setViewportSize({ width: 1280, height: 1600 });
  expect(await violations(page)).toEqual([]);
  // An empty text is sent if the user chooses it.
  await at(page, '/ship/city').focus();
  await keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Use empty text' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(at(page, '/ship/city')).toBeFocused();
  await run(page);
  await expect(page.getByRole('button', { name: 'Add extra' })).toBeFocused();
  await keyboard.press('Enter');
  await run(page);
  expect(JSON.parse(await sent(page))).toEqual({
    name: 'x',
    price: -0.5,
    gift: true,
    size: 'small',
    tags: ['t'],
    ship: { express: false, city: '' },
    extra: {},
  });
});

test('one of several names is asked for, and any of them will do', async ({ page }) => {
  await open(page, 'find');
  await expect(page.locator('.field .error')).toHaveCount(0);
  await run(page);
  await expect(at(page, '/name')).toBeFocused();
  const words = 'is required, unless you enter email';
  await expect(at(page, '/name')).toHaveAccessibleDescription(words);
  await at(page, '/email').fill('a@b');
  await expect(page.locator('.field .error')).toHaveCount(0);
  await run(page);
  expect(JSON.parse(await sent(page))).toEqual({ email: 'a@b' });
});

test('a value of any type takes text without quotes, and a required list begins with an item', async ({
  page,
}) => {
  await open(page, 'loose');
  const { keyboard } = page;
  await at(page, '/text').focus();
  await keyboard.type('the cat');
  await expect(at(page, '/text')).toHaveValue('the cat');
  await run(page);
  await expect(page.getByRole('button', { name: 'Add prices' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(at(page, '/prices/0')).toBeFocused();
  await keyboard.type('12.5');
  await run(page);
  expect(JSON.parse(await sent(page))).toEqual({ text: 'thecat', prices: [12.5] });
  // Input that begins like JSON is read as JSON, and its error is shown once, at the field.
  await at(page, '/text').fill('{"a":');
  await expect(page.locator('.field .error')).toHaveCount(1);
  await expect(page.getByText(/^Line \d+, column \d+/)).toHaveCount(0);
  await at(page, '/text').fill('{"a": 1}');
  await run(page);
  expect(JSON.parse(await sent(page))).toEqual({ text: { a: 1 }, prices: [12.5] });
});

test('a chosen button of a group looks chosen under the pointer', async ({ page }) => {
  await open(page, 'loose');
  const [form, json] = ['Form', 'JSON'].map((name) =>
    page.getByRole('group', { name: 'Edit as' }).getByRole('button', { name }),
  );
  const background = (button: Locator | undefined): Promise<string> | undefined =>
    button?.evaluate((element) => getComputedStyle(element).backgroundColor);
  await json?.hover();
  const chosen = await background(form);
  await form?.hover();
  expect(await background(form)).toBe(chosen);
});

test('an item that was added is empty until something is entered', async ({ page }) => {
  await open(page, 'bag');
  await page.getByRole('button', { name: 'Add tags' }).press('Enter');
  await expect(at(page, '/tags/0')).toBeFocused();
  await at(page, '/ship/city').fill('Oslo');
  await run(page);
  await expect(at(page, '/tags/0')).toBeFocused();
  await expect(at(page, '/tags/0')).toHaveAccessibleDescription(/^is empty/);
});

test('a required field in a closed group is shown, and focused', async ({ page }) => {
  await open(page, 'bag');
  await page.getByRole('button', { name: 'Add tags' }).press('Enter');
  await at(page, '/tags/0').fill('t');
  const fold = at(page, '/ship').locator('[aria-expanded]').first();
  // A form that is still being built may open the group again.
  await pressUntil(fold, at(page, '/ship').locator('[aria-expanded="false"]').first());
  await expect(at(page, '/ship/city')).toHaveCount(0);
  await run(page);
  await expect(at(page, '/ship/city')).toBeFocused();
});

for (const [tool, index] of [
  ['either', '0'],
  ['flag', '1'],
  ['fit', '0'],
] as const)
  test(`numbers are typed into the alternative that is chosen: ${tool}`, async ({ page }) => {
    await open(page, tool);
    const { keyboard } = page;
    if ((await alternative(page, 'v').inputValue()) !== index) {
      await alternative(page, 'v').focus();
      await keyboard.press('ArrowDown');
    }
    for (const typed of ['-2', '0.5', '1e3']) {
      await at(page, '/v').focus();
      await keyboard.press('Control+a');
      for (const key of typed) {
        await keyboard.press(key);
        await expect(alternative(page, 'v')).toHaveValue(index);
        await expect(at(page, '/v')).toBeFocused();
      }
      await run(page);
      expect(await sent(page)).toBe(`{"v":${typed}}`);
    }
    // An incomplete number is not sent as a string.
    await at(page, '/v').focus();
    await keyboard.press('Control+a');
    await keyboard.type('1e');
    await run(page);
    await expect(at(page, '/v')).toBeFocused();
    await expect(at(page, '/v')).toHaveAccessibleDescription(/^is not a number yet/);
    await expect(alternative(page, 'v')).toHaveValue(index);
    await keyboard.press('Control+a');
    await keyboard.press('Delete');
    await expect(alternative(page, 'v')).toHaveValue(index);
    await expect(at(page, '/v')).toBeFocused();
    await keyboard.type('7');
    await run(page);
    expect(await sent(page)).toBe('{"v":7}');
  });

test('an alternative is chosen before anything is entered', async ({ page }) => {
  await open(page, 'feed');
  await alternative(page, 'feed').focus();
  await page.keyboard.press('ArrowDown');
  await expect(at(page, '/feed/author')).toBeVisible();
  await expect(at(page, '/feed/lang')).toHaveCount(0);
  await at(page, '/feed/author').focus();
  await page.keyboard.type('Ada');
  await run(page);
  expect(await sent(page)).toBe('{"feed":{"author":"Ada"}}');
});

test(
  'fields follow their conditions; what no longer applies is left out, and comes back',
  { tag: '@full' },
  async ({ page }) => {
    await open(page, 'country');
    const { keyboard } = page;
    await expect(at(page, '/state')).toHaveCount(0);
    await at(page, '/country').focus();
    await keyboard.type('US');
    await expect(at(page, '/state')).toBeVisible();
    await run(page);
    await expect(at(page, '/state')).toBeFocused();
    await keyboard.type('Alabama');
    await at(page, '/org').focus();
    await keyboard.type('ACME');
    await run(page);
    expect(await sent(page)).toBe('{"country":"US","state":"Alabama","org":"ACME"}');
    await at(page, '/country').focus();
    await keyboard.type('CA');
    const left = page.getByRole('status').filter({ hasText: 'state, org' });
    await expect(left).toBeVisible();
    await expect(at(page, '/country')).toBeFocused();
    await expect(at(page, '/state')).toHaveCount(0);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await violations(page)).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: null, reducedMotion: null });
    await run(page);
    expect(await sent(page)).toBe('{"country":"CA"}');
    await at(page, '/country').focus();
    await keyboard.type('US');
    await expect(at(page, '/org')).toHaveValue('ACME');
    await expect(left).toHaveCount(0);
    await run(page);
    expect(await sent(page)).toBe('{"country":"US","state":"Alabama","org":"ACME"}');
  },
);

test('no field is offered that is always refused', async ({ page }) => {
  await open(page, 'multi');
  await expect(at(page, '/single')).toBeVisible();
  await expect(at(page, '/low')).toHaveCount(0);
  await at(page, '/multi').selectOption('true');
  await expect(at(page, '/single')).toHaveCount(0);
  await at(page, '/low').focus();
  await page.keyboard.type('-3');
  await run(page);
  expect(await sent(page)).toBe('{"multi":true,"low":-3}');
});
