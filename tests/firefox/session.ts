/** What a user does with sessions, in the browsers that Playwright cannot drive: tests/support/session-page.ts has it for Playwright. */

import type { Page } from 'puppeteer-core';
import { click, fill, press, shows } from './firefox.ts';

export async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
}

export function fillNamed(page: Page, name: string, text: string): Promise<void> {
  return fill(page, `::-p-aria([name="${name}"][role="textbox"])`, text);
}

export interface NewProvider {
  readonly kind: string;
  readonly name: string;
  /** With its path. */
  readonly url: string;
  readonly key?: string;
  /** What the page says of its models. */
  readonly listed?: string;
}

/** Adds a provider on the settings page, and waits until its models are listed. */
export async function addProvider(
  page: Page,
  { kind, name, url, key = '', listed = '2 models' }: NewProvider,
): Promise<void> {
  await go(page, '#/settings/models');
  await click(page, 'button', 'Other endpoint');
  await page.$$eval('select', chooseKind, kind);
  await fillNamed(page, 'Name', name);
  await fillNamed(page, 'Base URL', url);
  await fill(page, 'input[type="password"]', key);
  await click(page, 'button', 'Add provider');
  await shows(page, listed);
}

/** Runs in the page. */
function chooseKind(selects: readonly HTMLSelectElement[], kind: string): void {
  const select = selects.find(({ labels }) => labels[0]?.textContent.startsWith('API') === true);
  if (select === undefined) throw new Error('There is no choice of kinds.');
  select.value = kind;
  select.dispatchEvent(new Event('change', { bubbles: true }));
}

/** A session with the model `large` of a provider. */
export async function newSession(page: Page, provider: string): Promise<void> {
  await go(page, '#/sessions/new');
  await press(page, 'button[aria-label^="Model:"]');
  await press(page, `section[aria-label="${provider}"] button ::-p-text(large)`);
}

export async function send(page: Page, text: string): Promise<void> {
  await fillNamed(page, 'Message', text);
  await page.keyboard.press('Enter');
}

/** The turn whose answer is shown is over. */
export async function idle(page: Page): Promise<void> {
  await shows(page, 'Session idle');
}
