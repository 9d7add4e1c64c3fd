/** Tests the panel of debug mode: filters, pause, clear, keyboard, phone width, accessibility. */

import { violations } from '../support/axe.ts';
import { invoke, openFolder } from './support/app.ts';
import { expect, test } from './support/test.ts';

test('messages are filtered, paused and cleared, also by keyboard and on a phone', async ({
  page,
  folder,
}) => {
  const { path } = await folder({ 'results.py': 'def forecast(): ...\n' });
  await page.goto('./');
  await expect(page.getByRole('button', { name: 'Open folder' }).first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Messages' })).toHaveCount(0);
  await page.goto('./?debug');
  const panel = page.getByRole('region', { name: 'Messages' });
  const messages = panel.getByRole('group', { name: 'Logged messages' }).getByRole('listitem');
  await openFolder(page, path);
  await panel.getByLabel('Channel').selectOption('broker');
  await panel.getByRole('searchbox').fill('start answer');
  await expect(messages.first()).toContainText('broker → page');
  await panel.getByLabel('Channel').selectOption('diff');
  await expect(messages).toHaveText(/No messages match/);

  await panel.getByLabel('Channel').selectOption('');
  await panel.getByRole('searchbox').fill('"type": "call"');
  await panel.getByRole('button', { name: 'Pause' }).focus();
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('button', { name: 'Pause', pressed: true })).toBeFocused();
  await invoke(page, 'results:forecast');
  await expect(panel).toContainText(/\d+ not logged/);
  await expect(messages).toHaveText(/No messages match/);
  await page.keyboard.press('Enter');
  await invoke(page, 'results:forecast');
  await expect(messages).toHaveCount(1);

  await page.setViewportSize({ width: 390, height: 800 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await violations(page), colorScheme).toEqual([]);
  }
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBe(390);
  await panel.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(messages).toHaveText(/No messages match/);
  await panel.getByRole('button', { name: 'Messages', expanded: true }).click();
  await expect(messages).toHaveCount(0);
  await panel.getByRole('button', { name: 'Leave debug mode' }).click();
  await expect(panel).toHaveCount(0);
  await expect(page).not.toHaveURL(/debug/);
});
