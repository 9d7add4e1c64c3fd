/** The start page of a first visit: the session that plays by itself, and its ways to begin; and what other pages offer without a folder. */

import { button } from '../support/opening.ts';
import { expect, test } from './support/test.ts';
import { press } from '../support/press-until.ts';

test(
  'a session plays by itself, can be paused, and nothing moves meanwhile',
  { tag: '@full' },
  async ({ page }) => {
    await page.goto('./');
    const played = page.getByRole('region', { name: 'A recorded session' });
    const tops = (): Promise<readonly number[]> =>
      page.evaluate(() =>
        [...document.querySelectorAll('h1, h2, .open, .example')].map(
          (element) => element.getBoundingClientRect().top,
        ),
      );
    await expect(button(page, 'Pause')).toBeVisible();
    const before = await tops();
    await button(page, 'Pause').click();
    const words = played.locator('.answer span:not(.later)');
    await expect(words).toHaveCount(0);
    await press(button(page, 'Play'));
    await expect(played.getByRole('img')).toBeVisible();
    await expect(button(page, 'Play again')).toBeVisible({ timeout: 15_000 });
    await expect(played.locator('.later')).toHaveCount(0);
    await expect(words.last()).toHaveText('in.');
    expect(await tops()).toEqual(before);
  },
);

test('with reduced motion or saved data, the session is shown at once, and plays only when asked', async ({
  page,
}) => {
  const played = page.getByRole('region', { name: 'A recorded session' });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('./');
  await expect(button(page, 'Play again')).toBeVisible();
  await expect(played.locator('.later')).toHaveCount(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
  });
  await page.reload();
  await expect(button(page, 'Play again')).toBeVisible();
  await expect(played.locator('.later')).toHaveCount(0);
  await press(button(page, 'Play again'));
  await expect(button(page, 'Pause')).toBeVisible();
});

test('wide texts in the example have its colour at their edges', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('./');
  const example = page.locator('.live');
  const [edges, colour] = await example.evaluate((element) => {
    const wide = document.createElement('pre');
    wide.className = 'scroll-wide';
    element.append(wide);
    return [getComputedStyle(wide).backgroundImage, getComputedStyle(element).backgroundColor];
  });
  expect(edges).toContain(`linear-gradient(to right, ${colour} 40%`);
});

test('two buttons come first, then the samples, and the others are in a menu', async ({ page }) => {
  await page.goto('./');
  const shown = page.locator('.words').getByRole('button');
  await expect(shown).toHaveText([
    'Write a tool',
    'Open folder',
    'Open samples',
    'More ways to begin',
  ]);
  await shown.last().press('Enter');
  const others = page.locator('.words [popover]').getByRole('button');
  await expect(others).toHaveText([
    'Upload folder',
    'Open zip',
    'Open address',
    'Paste a Python function',
    'Import OpenAPI or MCP tools',
    'Open eight examples of other frameworks',
  ]);
  await expect(others.first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(shown.last()).toBeFocused();
});

test('the dialog of “Write a tool” has this title, and asks for the name of the folder', async ({
  page,
}) => {
  await page.goto('./');
  await button(page, 'Write a tool').click();
  const dialog = page.getByRole('dialog', { name: 'Write a tool' });
  await expect(dialog.getByRole('textbox', { name: 'Folder name' })).toBeFocused();
});

test('without a folder, one press on the page of extensions creates one with an example', async ({
  page,
}) => {
  await page.goto('./#/extensions');
  await expect(page.getByText('An extension is a Python file')).toBeVisible();
  await expect(page.getByText('def register(app):')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Read how to write one' })).toHaveAttribute(
    'href',
    '#/help/extensions',
  );
  await page.getByRole('button', { name: 'Add this file as house_rules.py' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save to a new folder?' });
  await dialog.getByRole('button', { name: 'Create folder' }).click();
  await expect(page.getByRole('heading', { name: 'house_rules.py' })).toBeVisible();
  await expect(page.getByText('def register(app):')).toBeVisible();
});
