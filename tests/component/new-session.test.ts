/** The defaults of a new session, even if it is opened before the folder and the models have loaded. */

import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import { reloadWithoutPython } from './support/app.ts';
import * as session from '../support/session-page.ts';
import { expect, test } from './support/shared-page.ts';
import type { Page } from '@playwright/test';

let endpoint: ModelEndpoint;

test.beforeAll(async ({ shared }) => {
  endpoint = await startModelEndpoint();
  await session.openWithModels(shared, endpoint);
});
test.afterAll(() => endpoint.close());
test.beforeEach(({ trouble }) => {
  session.expectModelRequests(trouble);
  endpoint.reset();
});

/** Delays the storing of providers until it is allowed. Runs in the page. */
async function holdProviders(): Promise<void> {
  const named = await indexedDB.databases();
  const { name = '' } = named.find((one) => one.name?.startsWith('cloche:')) ?? {};
  const opening = indexedDB.open(name);
  await new Promise((resolve) => (opening.onsuccess = resolve));
  const held = opening.result.transaction('providers', 'readwrite').objectStore('providers');
  Object.assign(globalThis, { isHeld: true });
  // A transaction lasts as long as it is used.
  const keep = (): void => {
    if (Reflect.get(globalThis, 'isHeld') === true) held.count().onsuccess = keep;
    else opening.result.close();
  };
  keep();
}

test('the settings may be left while a provider is being stored', async ({ page }) => {
  await page.goto('./#/settings/models');
  await page.getByRole('button', { name: 'Other endpoint' }).click();
  await page.evaluate(holdProviders);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Slow');
  await page.getByRole('textbox', { name: 'Base URL' }).fill(`${endpoint.url}/v1`);
  await page.getByRole('button', { name: 'Add provider' }).click();
  const row = page.getByRole('group', { name: 'Slow' });
  await expect(row).toContainText('0 models');
  await page.goto('./#/settings/version');
  await expect(row).toHaveCount(0);
  await page.evaluate(() => Object.assign(globalThis, { isHeld: false }));
  // Its models are listed all the same. The fixture sees that nothing warns meanwhile.
  await expect.poll(() => endpoint.requests.map(({ format }) => format)).toContain('models');
  await page.goto('./#/settings/models');
  await expect(row).toContainText(/[1-9]\d* models?/);
  await row.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove provider' }).click();
  await expect(row).toHaveCount(0);
});

/** The model that is used last, which is not the first on the list. */
async function useLarge(page: Page): Promise<void> {
  await session.newSession(page, session.mine, /large/);
  endpoint.answer({ text: 'Hello.' });
  await session.send(page, 'Hello');
  await session.idle(page);
}

async function expectAll(page: Page): Promise<void> {
  const tools = page.getByRole('button', { name: /^Local tools:/ });
  await expect(tools).toHaveAccessibleName(/^Local tools: [1-9]\d* tools$/);
  const count = Number(/\d+/.exec((await tools.getAttribute('aria-label')) ?? '')?.[0]);
  await expect(page.getByText(`which may use ${count} tools.`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Model: large' })).toBeVisible();
  endpoint.answer({ text: 'I have them all.' });
  await session.send(page, 'Which tools have you?');
  await session.idle(page);
  await expect(tools).toHaveAccessibleName(`Local tools: ${count} tools, locked`);
  expect(count).toBeGreaterThan(5);
  expect(session.asked(endpoint).at(-1)?.text).toContain('"large"');
}

test('before the folder is there, the tools are being read; then all are selected, with the model that was used last', async ({
  page,
}) => {
  await useLarge(page);
  await page.goto('./#/sessions/new');
  const letPythonStart = await reloadWithoutPython(page);
  await expect(page.getByRole('button', { name: 'Local tools: loading' })).toBeVisible();
  await expect(page.getByText('Tools are loading')).toBeVisible();
  await letPythonStart();
  await expectAll(page);
});

test('a session that begins while the folder is read has all of its tools', async ({ page }) => {
  await useLarge(page);
  await page.goto('./#/sessions');
  const letPythonStart = await reloadWithoutPython(page);
  await page.getByRole('link', { name: 'New session' }).first().click();
  await expect(page.getByRole('button', { name: 'Local tools: loading' })).toBeVisible();
  await letPythonStart();
  await expectAll(page);
});
