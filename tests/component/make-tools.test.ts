/** The preview of specs: keyboard, focus, a narrow page, and what is chosen. */

import type { Page } from '@playwright/test';
import { violations } from '../support/axe.ts';
import { begin, button, openZip } from '../support/opening.ts';
import { ready } from './support/app.ts';
import { expect, test } from './support/test.ts';

const source = `def add(a: int, b, monthly_total: int) -> int:
    return a + b


def no_way(stream: object):
    ...
`;
const dialog = (page: Page) => page.getByRole('dialog');

test.beforeEach(async ({ page }) => {
  await page.goto('./');
  await openZip(page, 'sums.zip', [{ name: 'sums/sums.py', content: source }]);
  await ready(page, 'sums');
});

test('a folder of functions offers to make them tools, and no example', async ({ page }) => {
  await expect(button(page, 'Make it a tool').first()).toBeVisible();
  await expect(button(page, 'Edit this example')).toHaveCount(0);
});

test('the keyboard chooses functions, and the focus comes back', async ({ page }) => {
  await button(page, 'Make it a tool').first().focus();
  await page.keyboard.press('Enter');
  const add = dialog(page).getByRole('checkbox', { name: 'sums:add' });
  await expect(add).toBeChecked();
  await expect(button(page, 'Cancel')).toBeFocused();
  await expect(dialog(page).getByText('b has no annotation')).toBeVisible();
  await expect(dialog(page).getByRole('table')).toContainText('About a: int');
  // The name of a parameter stays on one line if there is room beside it.
  const lines = dialog(page)
    .getByRole('rowheader', { name: 'monthly_total' })
    .locator('code')
    .evaluate((name) => name.getClientRects().length);
  expect(await lines).toBe(1);
  // A function without a spec says why, and stays out.
  await dialog(page).getByRole('checkbox', { name: 'sums:no_way' }).press('Space');
  await expect(dialog(page).getByText('no spec can be written for it')).toBeVisible();
  await expect(dialog(page).getByRole('checkbox', { name: 'sums:no_way' })).not.toBeChecked();
  await dialog(page).getByText('What changes in sums.py').click();
  await expect(dialog(page)).toContainText('"sums:add",');
  expect(await violations(page)).toEqual([]);
  await add.press('Space');
  await expect(button(page, /^Write specs/)).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(button(page, 'Make it a tool').first()).toBeFocused();
});

test(
  'on a phone, the preview fits and its buttons stay in view',
  { tag: '@full' },
  async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto('./#/files/sums.py');
    await button(page, 'Make it a tool').first().click();
    await expect(dialog(page).getByRole('checkbox', { name: 'sums:add' })).toBeChecked();
    await expect(button(page, 'Write specs into sums.py')).toBeInViewport();
    const sideways = await dialog(page).evaluate((each) => each.scrollWidth - each.clientWidth);
    expect(sideways).toBe(0);
    expect(await violations(page)).toEqual([]);
  },
);

test('unsaved text gets the specs, and is not saved', { tag: '@full' }, async ({ page }) => {
  await page.goto('./#/files/sums.py');
  await button(page, 'Edit a copy').click();
  const code = page.getByRole('textbox', { name: 'Text of sums.py' });
  await code.click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('# mine\n');
  await button(page, 'Make it a tool').first().click();
  await button(page, 'Write specs into sums.py').click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(code).toContainText('# mine');
  await expect(code).toContainText('"sums:add",');
  await expect(page.getByText('Unsaved changes').first()).toBeVisible();
});

test('pasted text without a function says what is missing', async ({ page }) => {
  await button(page, 'Close folder').click();
  await begin(page, 'Paste a Python function');
  await expect(page.getByRole('textbox', { name: 'Python' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Python' }).fill('x = 1');
  await button(page, 'Create file').click();
  await expect(dialog(page)).toContainText('Paste Python text with a function');
  expect(await violations(page)).toEqual([]);
});
