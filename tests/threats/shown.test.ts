/** docs/decisions/attacks.md row 25: what a tool prints and draws is shown inert, inside its own result, and under its own name. */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/shared-page.ts';
import { expectNoStall } from '../support/stalls.ts';

const source = new URL('shown.py', import.meta.url);

test.beforeAll(async ({ shared }) => {
  await shared.open({ 'shown.py': await readFile(source) });
});

const result = (page: Page) => page.getByRole('region', { name: 'Result' });

async function run(page: Page, tool: string): Promise<void> {
  // By its address: names in the list are what these tools borrow.
  await page.evaluate((name) => {
    location.hash = `#/tools/${name}`;
  }, `shown:${tool}`);
  await expect(page.getByRole('heading', { name: `shown:${tool}` })).toBeVisible();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('Success').or(page.getByText('Failed')).first()).toBeVisible();
}

async function expectInert(page: Page): Promise<void> {
  const made = await page.evaluate(() => ({
    title: document.title === 'taken',
    elements: document.querySelectorAll('main dialog, main script, img[src="x"], main style')
      .length,
    raw: ['\u001b', '\u202e', '\u2066'].filter((one) => document.body.textContent.includes(one)),
  }));
  expect(made).toEqual({ title: false, elements: 0, raw: [] });
}

for (const tool of ['texts', 'failing']) {
  test(`row 25: markup, escapes and overrides are texts (${tool})`, async ({ page }) => {
    await run(page, tool);
    await expect(result(page).getByText('<script>', { exact: false }).first()).toBeVisible();
    await expect(result(page).getByText('⟨ESC⟩[31mred').first()).toBeVisible();
    await expect(result(page).getByText('⟨U+202E⟩txet').first()).toBeVisible();
    await expectInert(page);
  });
}

test('row 25: a line of ten million characters is cut', async ({ page }) => {
  await expectNoStall(page, async () => {
    await run(page, 'line');
    await expect(
      result(page)
        .getByText(/Showing the start of/)
        .first(),
    ).toBeVisible();
  });
  await expect(result(page).getByText(/characters more were printed/)).toBeVisible();
  const shown = await result(page).evaluate((element) => element.textContent.length);
  expect(shown).toBeLessThan(1_000_000);
});

test('row 25: a picture of a dialogue stays a picture, inside its result', async ({ page }) => {
  await run(page, 'dialogue');
  const picture = result(page).getByRole('img', { name: /Result of/ });
  await expect(picture).toBeVisible();
  await expectInert(page);
  const outer = await result(page).boundingBox();
  const inner = await picture.boundingBox();
  if (!outer || !inner) throw new Error('Nothing is laid out.');
  expect(inner.x).toBeGreaterThanOrEqual(outer.x);
  expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width);
  expect(inner.y).toBeGreaterThanOrEqual(outer.y);
  expect(inner.y + inner.height).toBeLessThanOrEqual(outer.y + outer.height + 1);
});

test('row 25: a tool that borrows another’s label keeps its own name', async ({ page }) => {
  await run(page, 'texts');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('shown:texts');
  const entries = page.getByRole('link', { name: 'shown:line' });
  await expect(entries.first()).toContainText(/^\s*texts/);
  await page.getByRole('link', { name: /^Runs/ }).first().click();
  await expect(page.getByText('shown:texts').first()).toBeVisible();
});
