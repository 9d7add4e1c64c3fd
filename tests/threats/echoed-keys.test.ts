/** docs/decisions/attacks.md row 47: a provider repeats its key, plain or encoded. */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import * as session from '../support/session-page.ts';
import { expect, test } from '../support/shared-page.ts';
import { storedTexts } from '../support/stored.ts';
import { echoEncodings, repeatedWithin } from '../support/web.ts';

const key = 'sk-Rep3at/ed+by_the-Server';
const other = 'no/Secret+at=all_but-Text9';
const spellings = Object.entries(echoEncodings);

let endpoint: ModelEndpoint;

test.beforeAll(async ({ shared }) => {
  endpoint = await startModelEndpoint();
  endpoint.habits.key = key;
  await session.openWithModels(shared, endpoint, key);
});
test.afterAll(() => endpoint.close());

async function saved(page: Page, save: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), save()]);
  return readFile(await download.path(), 'utf8');
}

async function chooseInMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Session actions' }).click();
  await page.getByRole('button', { name: item, exact: true }).click();
}

test('row 47: a key that a provider repeats is only in the store of keys', async ({
  page,
  trouble,
}) => {
  session.expectModelRequests(trouble);
  // Markdown shows code as it is.
  const echo = (text: string): string =>
    spellings.map(([, encode]) => `\`${encode(text)}\``).join(' ');
  const both = `${echo(key)} and ${echo(other)}`;
  await session.newSession(page, session.mine, /large/);
  endpoint.answer(
    {
      text: both,
      reasoning: `Because of ${both}`,
      calls: [{ name: 'session_tools__weather', arguments: JSON.stringify({ city: both }) }],
    },
    { status: 400, error: { message: `The key ${both} is unknown.` } },
  );
  await session.send(page, 'Go');
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
  await session.idle(page);
  const all = spellings.map(([as]) => as);
  // Control: the provider had the key, and repeated it.
  expect(session.asked(endpoint).map(({ headers }) => headers.authorization)).toEqual(
    Array(2).fill(`Bearer ${key}`),
  );
  expect(repeatedWithin(key, both)).toEqual(all);

  const places: Record<string, string> = {
    transcript: await page.evaluate(() => document.body.textContent),
    export: await saved(page, () => chooseInMenu(page, 'Export session')),
    recording: await saved(page, () => chooseInMenu(page, 'Save as recording')),
  };
  await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'Trace' }).click();
  const otlp = page.getByRole('button', { name: 'Export as OpenTelemetry' });
  places.OpenTelemetry = await saved(page, () => otlp.click());
  const { keys = '', ...stores } = await storedTexts(page);
  places.storage = Object.values(stores).join('\n');
  for (const [place, text] of Object.entries(places)) {
    expect(repeatedWithin(key, text), place).toEqual([]);
    // Control: text that is not secret is there in all its spellings.
    expect(repeatedWithin(other, text), place).toEqual(all);
  }
  // Control: storage is read as it is.
  expect(repeatedWithin(key, keys)).toContain('plain');
});
