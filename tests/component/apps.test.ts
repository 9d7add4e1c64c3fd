/** The card of an app: offered, shown, without its file, without the network that it wants, cancelled, and in a session. */

import type { Page } from '@playwright/test';
import { appFrame, quietApp, tellFrom } from '../support/app-attacks.ts';
import { jsonArguments } from '../support/json-arguments.ts';
import { press, pressUntil } from '../support/press-until.ts';
import * as session from '../support/session-page.ts';
import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import { expect, test } from './support/shared-page.ts';

const files = { 'apps.py': '# apps', 'quiet.html': quietApp };
let endpoint: ModelEndpoint;
test.beforeAll(async ({ shared }) => {
  endpoint = await startModelEndpoint();
  await session.openWithModels(shared, endpoint);
  await shared.openFolder(files);
});
test.afterAll(() => endpoint.close());

const result = (page: Page) => page.getByRole('region', { name: 'Result' });
const box = (page: Page) => page.getByRole('region', { name: /^App of/ });

async function run(page: Page, tool: string, args = '{}'): Promise<void> {
  await page.goto(`./#/tools/apps%3A${tool}`);
  await (await jsonArguments(page)).fill(args);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
}

function show(page: Page): Promise<void> {
  return pressUntil(page.getByRole('button', { name: 'Show app' }), box(page));
}

test('an app is offered beside the plain result, starts again with each run, and is closed', async ({
  page,
}) => {
  await run(page, 'show', '{"value": 2}');
  await expect(result(page).getByText('doubled')).toBeVisible();
  await expect(page.locator('iframe[src]')).toHaveCount(0);
  await show(page);
  await expect(box(page)).toContainText('This app is quiet.html, shown by apps:show');
  const given = async () =>
    (await appFrame(page)).evaluate(() => heard.map(({ params }) => params));
  await expect.poll(given).toContainEqual({ arguments: { value: 2 } });
  await (await jsonArguments(page)).fill('{"value": 4}');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect.poll(given).toContainEqual({ arguments: { value: 4 } });
  await expect
    .poll(given)
    .toContainEqual(expect.objectContaining({ structuredContent: { doubled: 8 } }));
  await box(page).getByRole('button', { name: 'Close app' }).click();
  await expect(page.locator('iframe[src]')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Show app' })).toBeVisible();
});

test('what is missing is said: the file, and the network that was not granted', async ({
  page,
}) => {
  await run(page, 'lost');
  await show(page);
  await expect(box(page)).toContainText('The file gone.html is not in the open folder.');
  await expect(result(page).getByText('Plain text')).toBeVisible();
  await run(page, 'wide');
  await show(page);
  await expect(box(page)).toContainText('It also wants to reach https://api.example');
  await expect(box(page).getByRole('link', { name: 'Open the policy' })).toBeVisible();
});

test('an app follows the theme that the user chooses', async ({ page }) => {
  // A theme that is emulated would hold in the frame, too.
  await page.emulateMedia({ colorScheme: null });
  await run(page, 'show', '{"value": 2}');
  await show(page);
  const app = await appFrame(page);
  for (const theme of ['dark', 'light', 'system']) {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands, tools and files' }).fill(`Theme: ${theme}`);
    await page.keyboard.press('Enter');
    const scheme = theme === 'system' ? 'light' : theme;
    const seen = () =>
      app.evaluate(() => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
    await expect.poll(seen).toBe(scheme);
    const told = () => app.evaluate(() => heard.at(-1)?.params);
    await expect.poll(told).toMatchObject({ theme: scheme });
  }
  await page.emulateMedia({ colorScheme: 'light' });
});

test('an app hears that its call was cancelled', async ({ page }) => {
  await run(page, 'endless');
  await show(page);
  const app = await appFrame(page);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect
    .poll(() => app.evaluate(() => heard.map(({ method }) => method)))
    .toContain('ui/notifications/tool-cancelled');
});

test('in a session, an app writes into the message field only if the user agrees, and sends nothing', async ({
  page,
  trouble,
}) => {
  session.expectModelRequests(trouble);
  await session.newSession(page, session.mine, /large/);
  endpoint.answer(
    { calls: [{ name: 'apps__show', arguments: '{"value": 3}' }] },
    { text: 'Done.' },
  );
  await session.send(page, 'Show three');
  await expect(page.getByText('Done.')).toBeVisible();
  const asked = session.asked(endpoint).length;
  await session.cards(page, 'show').getByRole('button', { expanded: false }).click();
  await expect(page.locator('iframe[src]')).toHaveCount(0);
  await show(page);
  const app = await appFrame(page);
  const field = page.getByRole('textbox', { name: 'Message' });
  await tellFrom(app, {
    id: 1,
    method: 'ui/message',
    params: { role: 'user', content: [{ type: 'text', text: 'From the app' }] },
  });
  const question = box(page).getByRole('group', { name: 'The app asks' });
  await expect(question).toContainText('From the app');
  await expect(field).toHaveValue('');
  await press(question.getByRole('button', { name: 'Write it' }));
  await expect(field).toHaveValue('From the app');
  await tellFrom(app, {
    id: 2,
    method: 'ui/update-model-context',
    params: { structuredContent: { chosen: 7 } },
  });
  await expect(box(page)).toContainText('{"chosen":7}');
  await expect(field).toHaveValue('From the app');
  await press(box(page).getByRole('button', { name: 'Add to the message' }));
  await expect(field).toHaveValue('{"chosen":7}\n\nFrom the app');
  expect(session.asked(endpoint)).toHaveLength(asked);
  await field.fill('');
});

declare const heard: { method?: string; params?: unknown }[];
