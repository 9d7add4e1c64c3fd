/** The arguments of the open tool as JSON text. */

import type { Frame, Locator, Page } from '@playwright/test';

/** Switches from the form to the text. @returns the field */
export async function jsonArguments(page: Page | Frame): Promise<Locator> {
  await page.getByRole('group', { name: 'Edit as' }).getByRole('button', { name: 'JSON' }).click();
  return page.getByRole('textbox', { name: 'Arguments', exact: true });
}
