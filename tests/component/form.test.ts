/** The form of a tool's arguments: every kind of field, by keyboard, beside the same arguments as JSON. */

import type { Locator, Page } from '@playwright/test';
import { violations } from '../support/axe.ts';
import { jsonArguments } from '../support/json-arguments.ts';
import { expect, test } from './support/shared-page.ts';

/** Shown as source; what the tools are is in tools/forms.ts. */
const source = ['book', 'plain', 'bare', 'bare_more', 'closed', 'slow']
  .map((name) => `def ${name}(**values):\n    return values\n`)
  .join('\n');

test.beforeAll(async ({ shared }) => {
  await shared.open({ 'forms.py': source }, 'fields');
});

test.beforeEach(async ({ page }) => {
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith('cloche:draft')) localStorage.removeItem(key);
  });
  await page.reload();
});

async function open(page: Page, tool: string, text?: string): Promise<void> {
  await page.evaluate((name) => {
    location.hash = `/tools/forms:${name}`;
  }, tool);
  await expect(page.getByRole('heading', { name: `forms:${tool}` })).toBeVisible();
  if (text !== undefined) await (await jsonArguments(page)).fill(text);
  await form(page);
}

async function form(page: Page): Promise<void> {
  const choice = page.getByRole('group', { name: 'Edit as' });
  await choice.getByRole('button', { name: 'Form' }).click();
}

const at = (page: Page, pointer: string): Locator => page.locator(`[data-path="${pointer}"]`);

/** The arguments as text; the form is shown again afterwards. */
async function text(page: Page): Promise<string> {
  const value = await (await jsonArguments(page)).inputValue();
  await form(page);
  return value;
}

test('what is typed into the fields is the text, and numbers keep their spelling', async ({
  page,
}) => {
  await open(page, 'book', '{\n  "nights": 3.0,\n  "budget": 1e2,\n  "extra": {"n": 1.0}\n}');
  // What the schema does not know, or misses, is shown.
  await expect(at(page, '/extra')).toHaveValue('{"n": 1.0}');
  await expect(at(page, '/nights')).toHaveValue('3.0');
  const big = `1${'0'.repeat(40)}`;
  await at(page, '/budget').fill(big);
  await page.getByRole('button', { name: 'Add guest' }).click();
  await expect(at(page, '/guest/name')).toBeFocused();
  await at(page, '/guest/name').fill('two\nlines'.replace('\n', ' '));
  await at(page, '/guest/name').press('Shift+Enter');
  await page.keyboard.type('more');
  await at(page, '/language').selectOption('no');
  expect(await text(page)).toBe(`{
  "nights": 3.0,
  "budget": ${big},
  "extra": {"n": 1.0},
  "guest": {
    "name": "two lines\\nmore"
  },
  "language": "no"
}`);
  await page.getByRole('button', { name: 'Leave out budget' }).click();
  await expect(at(page, '/budget')).toHaveValue('');
  expect(await text(page)).not.toContain('budget');
});

test('errors are at their fields while one types, those that the run gives', async ({ page }) => {
  const card = '"payment": {"kind": "card"}';
  await open(
    page,
    'book',
    `{"guest": {"name": "", "email": "a@b"}, "nights": 99, "language": "xx", ${card}, "no": 1}`,
  );
  const error = (pointer: string): Locator =>
    page
      .locator('.field')
      .filter({ has: at(page, pointer) })
      .last()
      .locator('.error');
  await expect(error('/guest/name')).toHaveText('is too short (0 < 1)');
  await expect(error('/nights')).toHaveText('99 is greater than 30');
  await expect(error('/language')).toContainText('does not match any of');
  // Before the first attempt to run, an empty field is not an error.
  await expect(error('/payment/number')).toHaveCount(0);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(error('/payment/number')).toHaveText('is required');
  await expect(at(page, '/payment/number')).toBeFocused();
  await expect(error('/no')).toHaveText('is not a declared property');
  // Only the alternative that is meant has errors.
  await expect(page.getByText('vat', { exact: true })).toHaveCount(0);
  await expect(at(page, '/nights')).toHaveAttribute('aria-invalid', 'true');
  await at(page, '/nights').fill('9');
  await expect(error('/nights')).toHaveCount(0);
  // The list below leads to each.
  await page.getByRole('button', { name: /^guest\.name is too short/ }).click();
  await expect(at(page, '/guest/name')).toBeFocused();
  await at(page, '/nights').fill('nine');
  await expect(error('/nights')).toHaveText(/^is not a number yet/);
  expect(await text(page)).toContain('"nights": "nine"');
});

test(
  'a value that is typed as JSON keeps its field, and the focus, when it begins to fit',
  { tag: '@full' },
  async ({ page }) => {
    await open(page, 'plain', '{"place": [1], "count": 2, "more": 5}');
    const { keyboard } = page;
    const place = at(page, '/place');
    await place.focus();
    await keyboard.press('Control+a');
    await keyboard.type('"Oslo"');
    await expect(place).toBeFocused();
    await expect(place).toHaveValue('"Oslo"');
    expect(await place.evaluate((field) => field.tagName)).toBe('TEXTAREA');
    await keyboard.press('Tab');
    await page.getByRole('button', { name: 'Edit as string' }).press('Enter');
    await expect(place).toBeFocused();
    await expect(place).toHaveValue('Oslo');
    await expect(place).toHaveAttribute('aria-required', 'true');
    await expect(at(page, '/count')).not.toHaveAttribute('aria-required');

    // The field of an undeclared name stays while it is emptied and filled.
    const more = at(page, '/more');
    await more.focus();
    await keyboard.press('Control+a');
    await keyboard.press('Delete');
    await expect(more).toBeFocused();
    await keyboard.type('[6]');
    expect(await text(page)).toBe('{"place": "Oslo", "count": 2, "more": [6]}');
    expect(await violations(page)).toEqual([]);
  },
);

test('an empty name is added only if it is meant, and is told apart', async ({ page }) => {
  await open(page, 'plain', '{"place": "Oslo"}');
  await page.getByRole('button', { name: 'Add another field' }).click();
  const add = page.getByRole('button', { name: 'Add field' });
  await add.click();
  await expect(page.getByRole('alert')).toHaveText(/^The name is empty\./);
  expect(await text(page)).toBe('{"place": "Oslo"}');
  await add.click();
  await expect(page.getByRole('textbox', { name: '(empty name)' })).toBeFocused();
  expect(await text(page)).toMatch(/"": null/);
});

test('a tool takes undeclared arguments only if its function and its schema do', async ({
  page,
}) => {
  const main = page.getByRole('main');
  const add = page.getByRole('button', { name: 'Add another field' });
  await open(page, 'bare');
  await expect(main.getByText('This tool takes no arguments.').first()).toBeVisible();
  await expect(page.getByRole('textbox', { name: /^Name of a new field/ })).toHaveCount(0);
  await expect(add).toHaveCount(0);
  await open(page, 'closed');
  await expect(at(page, '/place')).toBeVisible();
  await expect(add).toHaveCount(0);
  await open(page, 'bare_more');
  await add.click();
  await page.getByRole('textbox', { name: 'Name of a new field in the arguments' }).fill('n');
  await page.keyboard.press('Enter');
  await expect(at(page, '/n')).toBeFocused();
  expect(JSON.parse(await text(page))).toEqual({ n: null });
});

test('the picker of a time keeps its offset', async ({ page }) => {
  await open(page, 'book', '{"arrival": "2026-03-01T10:20:30+02:00"}');
  const picker = page.getByLabel('Pick a date and time');
  await expect(picker).toHaveValue('2026-03-01T10:20:30');
  await picker.fill('2026-04-02T11:22:33');
  await expect(at(page, '/arrival')).toHaveValue('2026-04-02T11:22:33+02:00');
});

test('alternatives, lists and free names by keyboard alone', async ({ page }) => {
  await open(page, 'book', '{"payment": {"kind": "card", "number": "1"}}');
  const { keyboard } = page;
  await page.getByRole('combobox', { name: 'Alternative of payment' }).focus();
  await keyboard.press('ArrowDown');
  await expect(at(page, '/payment/kind')).toHaveValue('0');
  await expect(at(page, '/payment/vat')).toBeVisible();

  await page.getByRole('button', { name: 'Add rooms' }).press('Enter');
  const rooms = page.getByRole('group', { name: 'rooms' });
  const add = rooms.getByRole('button', { name: 'Add item' });
  for (const beds of ['1', '2', '3']) {
    await add.press('Enter');
    await expect(at(page, `/rooms/${Number(beds) - 1}/beds`)).toHaveValue('');
    await at(page, `/rooms/${Number(beds) - 1}/beds`).focus();
    await keyboard.press('Control+a');
    await keyboard.type(beds);
  }
  await rooms.getByRole('button', { name: 'Move item 2 up' }).press('Enter');
  await expect(rooms.getByRole('button', { name: 'Move item 1 up' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(rooms.getByRole('button', { name: 'Move item 0 up' })).toBeFocused();
  await rooms.getByRole('button', { name: 'Remove item 1' }).press('Enter');
  // The focus moves on before another key is pressed.
  await expect(at(page, '/rooms/1/beds')).toBeFocused();

  await page.getByRole('button', { name: 'Add tags' }).press('Enter');
  const name = page.getByRole('textbox', { name: 'Name of a new field in tags' });
  await name.focus();
  await keyboard.type('a/b');
  await keyboard.press('Enter');
  await expect(at(page, '/tags/a~1b')).toBeFocused();
  await keyboard.type('x');

  await page.getByRole('button', { name: 'Add flags' }).press('Enter');
  const flag = page.getByRole('textbox', { name: 'Name of a new field in flags' });
  await flag.fill('other');
  await flag.press('Enter');
  await expect(page.getByText('The schema does not allow this name.')).toBeVisible();
  await flag.fill('x-1');
  await flag.press('Enter');
  await expect(at(page, '/flags/x-1')).toBeFocused();
  await keyboard.type('-4');

  await at(page, '/currency').focus();
  await keyboard.type('c17');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await expect(at(page, '/currency')).toHaveValue('C171');

  await page.getByRole('button', { name: 'Add party' }).press('Enter');
  await page.getByRole('button', { name: 'Add children' }).press('Enter');
  await page
    .getByRole('group', { name: 'children' })
    .getByRole('button', { name: 'Add item' })
    .press('Enter');
  await at(page, '/party/children/0/name').fill('Bo');
  expect(JSON.parse(await text(page))).toEqual({
    payment: { kind: 'invoice' },
    rooms: [{ beds: 3 }, { beds: 2 }],
    tags: { 'a/b': 'x' },
    flags: { 'x-1': -4 },
    currency: 'C171',
    party: { children: [{ name: 'Bo' }] },
  });
});

test('an item that is added in the frame in which its list appears gets the focus', async ({
  page,
}) => {
  await open(page, 'book', '{}');
  await page.evaluate(async () => {
    for (const selector of ['button[data-path="/rooms"]', '[data-path="/rooms"] > .item']) {
      document.querySelector<HTMLElement>(selector)?.click();
      // The page is updated in microtasks, so both presses come before the next frame.
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    }
  });
  await expect(at(page, '/rooms/0/beds')).toBeFocused();
});

test('a file becomes base64, and pickers write their formats', async ({ page }) => {
  await open(page, 'book', '{}');
  const file = {
    name: 'a.bin',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from([0, 255]),
  };
  await page.getByLabel('File to insert as base64').setInputFiles(file);
  await expect(at(page, '/passport')).toHaveValue('AP8=');
  await page.getByLabel('Pick a date and time').fill('2026-11-25T18:00');
  await expect(at(page, '/arrival')).toHaveValue('2026-11-25T18:00:00Z');
  await page.getByLabel('Pick a colour').fill('#00ff7f');
  await expect(at(page, '/colour')).toHaveValue('#00ff7f');
});

test('after a look at its JSON, the form is as it was left, and has what changed there', async ({
  page,
}) => {
  await open(page, 'book', '{"guest": {"name": "Ada", "email": ""}}');
  const fold = at(page, '/guest').locator('[aria-expanded]').first();
  await fold.click();
  await expect(fold).toHaveAttribute('aria-expanded', 'false');
  const takesFocus = () =>
    at(page, '/nights').evaluate((field: HTMLElement) => {
      field.focus();
      return document.activeElement === field;
    });
  expect(await takesFocus()).toBe(true);
  const field = await jsonArguments(page);
  expect(await takesFocus()).toBe(false);
  await field.fill('{"guest": {"name": "Bob", "email": ""}, "nights": 4}');
  await form(page);
  await expect(at(page, '/nights')).toHaveValue('4');
  await expect(fold).toHaveAttribute('aria-expanded', 'false');
  await fold.click();
  await expect(at(page, '/guest/name')).toHaveValue('Bob');
});

test('broken JSON is kept, explained and blocks the run', async ({ page }) => {
  await open(page, 'book', '{}');
  await at(page, '/anything').fill('{"a": [1.0');
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await expect(page.getByText('is not valid JSON yet')).toBeVisible();
  await expect(run).toHaveAttribute('aria-disabled', 'true');
  await expect(run).toHaveAccessibleDescription(/not valid JSON/);
  // Another field can be edited meanwhile.
  await at(page, '/nights').fill('2');
  const field = await jsonArguments(page);
  await expect(field).toHaveValue(/"anything": \{"a": \[1\.0,\n {2}"nights": 2\n\}/);
  await field.fill('{"nights": ');
  await form(page);
  await expect(page.getByText('The arguments are not valid JSON')).toHaveCount(2);
  await run.click({ force: true });
  await expect(page.getByRole('textbox', { name: 'Arguments', exact: true })).toBeFocused();
  await field.fill('{"nights": 2}');
  await expect(run).toHaveAttribute('aria-disabled', 'false');
});

test('a draft that was not run, and the chosen view, survive a reload', async ({ page }) => {
  await open(page, 'plain');
  await at(page, '/place').fill('Oslo');
  await at(page, '/count').fill('3.0');
  await page.reload();
  await expect(at(page, '/count')).toHaveValue('3.0');
  await expect(at(page, '/place')).toHaveValue('Oslo');
  await jsonArguments(page);
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Arguments', exact: true })).toBeVisible();
  await form(page);
});

test('a pattern that takes forever is left to the run', async ({ page }) => {
  await open(page, 'slow', '{}');
  await at(page, '/text').fill(`${'a'.repeat(40)}!`);
  await expect(page.getByText('take too long to check while you type')).toBeVisible();
  await at(page, '/text').fill('short');
  await expect(at(page, '/text')).toHaveValue('short');
});

test('the form is accessible, and fits a phone', { tag: '@full' }, async ({ page }) => {
  await open(
    page,
    'book',
    '{"guest": {"name": ""}, "nights": 99, "rooms": [{"beds": 1}], "position": [1, 2], "payment": {"kind": "card"}, "tags": {"a": "b"}, "colour": 7, "breakfast": true}',
  );
  await expect(page.getByText('99 is greater than 30', { exact: true })).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    // Without motion: a colour that is on its way has another contrast.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await violations(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = await page.evaluate(() =>
    [...document.querySelectorAll('[data-path]')]
      .filter((each) => each.getBoundingClientRect().right > window.innerWidth)
      .map((each) => each.getAttribute('data-path')),
  );
  expect(overflow).toEqual([]);
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
});
