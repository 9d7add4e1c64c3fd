/** The recorded runs of the samples play without a key, while their tools really run; every view of a run can be used. */

import type { Page } from '@playwright/test';
import { violations } from './support/axe.ts';
import { expect, test } from './support/test.ts';
import { press } from './support/press-until.ts';

const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

async function openSamples(page: Page): Promise<void> {
  await page.goto('./');
  await page.getByRole('button', { name: 'Open samples' }).click();
  await expect(page.getByText('samples').first()).toBeVisible();
}

async function play(page: Page, title: RegExp): Promise<void> {
  await page.goto('./#/plans');
  await press(page.getByRole('button', { name: title }));
}

test(
  'a failing check is retried, a plan that cannot be carried out is stuck, and all views show it',
  { tag: '@full' },
  async ({ page }) => {
    await openSamples(page);
    await play(page, /a check that fails first/);
    await expect(status(page, 'Done, 3 of 3')).toBeVisible({ timeout: 60_000 });
    const drinks = page.getByRole('listitem', { name: 'Cost of the drinks' });
    await expect(drinks).toContainText('Attempt 2');
    await drinks.getByText('Failed attempts').click();
    await expect(drinks).toContainText('70.8');
    await expect(page.getByRole('listitem', { name: 'What each pays' })).toContainText(
      'split_bill was called',
    );

    await play(page, /gets stuck/);
    await expect(status(page, 'Needs attention, 1 of 3')).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText('twice for the same reason').first()).toBeVisible();
    await expect(page.getByText('under “Change plan”')).toBeVisible();
    expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Graph', exact: true }).click();
    const cups = page.getByRole('button', { name: /^Cups of flour, Done/ });
    await cups.focus();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('button', { name: /^Gills of milk, Failed/ })).toBeFocused();
    await page.keyboard.press('ArrowRight');
    const recipe = page.getByRole('button', {
      name: 'Write the recipe, Blocked, after cups, gills',
    });
    await expect(recipe).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('listitem', { name: 'Write the recipe' })).toBeVisible();
    expect(await violations(page)).toEqual([]);

    // On a phone, it is a list, in which the arrows go from one task to the next.
    await page.setViewportSize({ width: 390, height: 800 });
    await cups.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(recipe).toBeFocused();
    const places = await Promise.all([cups, recipe].map((node) => node.boundingBox()));
    expect(places[0]?.x).toBe(places[1]?.x);
    const isWide = await page.evaluate(
      () => document.documentElement.scrollWidth > window.innerWidth,
    );
    expect(isWide).toBe(false);
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 720 });

    await page.getByRole('button', { name: 'Timeline' }).click();
    await page.getByText('3 steps and calls').first().click();
    await expect(page.getByText(/Call units:convert_unit/).first()).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Log', exact: true }).click();
    await expect(page.getByText('gills: check failed on attempt 1')).toBeVisible();
    await page.getByRole('button', { name: 'Compare' }).click();
    await expect(page.getByRole('cell', { name: /Done, 3 of 3 tasks/ })).toBeVisible();
    expect(await violations(page)).toEqual([]);
  },
);

test('a task runs for each file of a workspace', { tag: '@full' }, async ({ page }) => {
  await openSamples(page);
  await page.goto('./#/workspace');
  await press(page.getByRole('button', { name: 'New folder in this browser' }));
  await expect(page.getByRole('group', { name: 'Contents' })).toContainText('0 files');
  await play(page, /one task for each file/);
  await expect(status(page, 'Done, 5 of 5')).toBeVisible({ timeout: 60_000 });
  // What was done is compared with a recording of itself, which plays as well.
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save …' }).click();
  await page.getByRole('button', { name: 'Recording that plays' }).click();
  const path = await (await download).path();
  await page.goto('./#/plans');
  await page.locator('main input[type=file]').setInputFiles(path);
  const offer = page.getByRole('dialog', { name: 'Play this run?' });
  await expect(offer).toContainText('No model is asked: the answers are recorded.');
  await press(offer.getByRole('button', { name: 'Play' }));
  await expect(status(page, 'of 5 tasks')).toBeVisible();
});
