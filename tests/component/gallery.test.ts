/** Every state of every component of the gallery, in light on a phone and in dark on a wide page. */

import { violations } from '../support/axe.ts';
import { expect, test } from './support/test.ts';

test('each state of each component has no fault', { tag: '@full' }, async ({ page }) => {
  // Some seventy states, each in two themes.
  test.slow();
  await page.goto('./gallery.html');
  const links = page.getByRole('navigation', { name: 'Components' }).getByRole('link');
  const places = await links.evaluateAll((all) =>
    all.map((link) => decodeURI(link.getAttribute('href')?.slice(1) ?? '')),
  );
  expect(places.length).toBeGreaterThan(70);
  await page.goto('./gallery.html?theme=light');
  const main = page.getByRole('main');
  const overflow = (): Promise<number> =>
    main.evaluate((element) => element.scrollWidth - element.clientWidth);
  const passes = [
    { theme: 'light', width: 390, rules: undefined },
    { theme: 'dark', width: 1280, rules: ['color-contrast'] },
  ];
  for (const { theme, width, rules } of passes) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate((value) => (document.documentElement.dataset.theme = value), theme);
    for (const place of places) {
      await page.evaluate((hash) => (location.hash = hash), place);
      await expect(main.getByRole('heading', { level: 1 })).toHaveText(place);
      expect.soft(await violations(page, rules), `${place}, ${theme}`).toEqual([]);
      expect.soft(await overflow(), `${place} overflows at ${width}`).toBeLessThanOrEqual(0);
    }
  }
  await page.evaluate(() => (location.hash = 'lazy part/loading'));
  await expect(main.getByText('Loading …')).toBeVisible();
  // A wide element and a faint text are found.
  await main.evaluate((element) => {
    const faint = document.createElement('div');
    Object.assign(faint.style, { width: '2000px', color: '#333', background: '#222' });
    element.append(Object.assign(faint, { textContent: 'faint' }));
  });
  expect(await overflow()).toBeGreaterThan(0);
  expect(await violations(page, ['color-contrast'])).toHaveLength(1);
});

test('a state is chosen by keyboard, and shown in the chosen theme and width', async ({ page }) => {
  await page.goto('./gallery.html#call card/full');
  await expect(page.getByRole('link', { name: 'call card, full' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await page.goto('./gallery.html#progress/empty');
  const link = page.getByRole('link', { name: 'progress, empty' });
  await expect(link).toHaveAttribute('aria-current', 'page');
  await link.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).hash).toBe('#progress/partial');
  await page.getByRole('button', { name: 'Dark' }).click();
  await page.getByRole('button', { name: '390' }).click();
  const frame = page.frameLocator('iframe');
  await expect(frame.getByRole('progressbar')).toHaveAttribute('value', '3');
  await expect(frame.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await frame.locator('html').evaluate(() => innerWidth)).toBe(390);
});
