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
