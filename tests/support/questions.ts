/** Answers Cloche's questions to the user. */

import type { Locator, Page } from '@playwright/test';
import { press } from './press-until.ts';
import { expect } from './test.ts';

/** The question that is asked now. */
export function question(page: Page): Locator {
  return page.getByRole('dialog');
}

export async function answer(page: Page, button: RegExp): Promise<void> {
  const found = question(page).getByRole('button', { name: button });
  await expect(question(page)).toBeVisible();
  // The rarer answers are in a menu.
  if ((await found.count()) === 0)
    await question(page).getByRole('button', { name: 'More answers' }).click();
  await press(found);
}

/** Nothing is asked. */
export async function nothingAsked(page: Page): Promise<void> {
  await expect(question(page)).toHaveCount(0);
}

/** Allows the call where it needs an approval. */
export async function allowing<T>(page: Page, call: Promise<T>): Promise<T> {
  const ended = call.then(
    () => true,
    () => true,
  );
  const asked = question(page);
  while (!(await Promise.race([ended, asked.isVisible().then(() => false)]))) {
    if (!(await asked.isVisible())) continue;
    await answer(page, /^allow once$/i);
    break;
  }
  return call;
}
