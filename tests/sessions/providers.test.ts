/** Each provider through the settings page, against an endpoint that speaks and judges as the real ones do. */

import { expect, test } from '../support/shared-page.ts';
import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import type { Page } from '@playwright/test';

const source = `
def get_weather_info(city: str) -> dict:
    """The weather in a city."""
    return {"city": city, "sky": "clear"}

TOOL_SPECS = [{
    "name": "weather_tools:get_weather_info", "description": "The weather in a city.",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    "handler": get_weather_info,
}]
`;
const key = 'sk-secret-of-this-test';

let endpoint: ModelEndpoint;

test.beforeAll(async ({ shared }) => {
  endpoint = await startModelEndpoint();
  endpoint.habits.key = key;
  await shared.open({ 'weather_tools.py': source });
});
test.afterAll(() => endpoint.close());
test.beforeEach(({ trouble }) => {
  endpoint.reset();
  // Models are somewhere else; the log of the endpoint judges.
  trouble.expect(/foreign request: \S+ http:\/\/127\.0\.0\.1/);
  trouble.expect(/Failed to load resource|CORS policy|net::ERR/);
});

async function addProvider(page: Page, kind: string, name: string, path: string): Promise<void> {
  await page.goto('./#/settings');
  await page.getByRole('button', { name: 'Another endpoint' }).click();
  await page.getByLabel('Kind').selectOption(kind);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('textbox', { name: 'Address' }).fill(`${endpoint.url}${path}`);
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Add provider' }).click();
}

const kinds = [
  ['openai-compatible', '/v1'],
  ['openai-chat', '/v1'],
  ['openai-responses', '/v1'],
  ['anthropic', '/v1'],
  ['google', '/v1beta'],
] as const;

for (const [kind, path] of kinds)
  test(`${kind}: added, tried, and asked to use a tool`, async ({ page }) => {
    const name = `Mine ${kind}`;
    await addProvider(page, kind, name, path);
    const row = page.getByRole('group', { name });
    await expect(row).toContainText('2 models');
    endpoint.answer({ text: 'Hello there.' });
    await row.getByRole('button', { name: 'Test' }).click();
    await expect(row).toContainText('Hello there.');
    await page.goto('./#/sessions/new');
    await page.getByRole('button', { name: /^Model:/ }).click();
    const menu = page.getByRole('region', { name, exact: true });
    await menu.getByRole('button', { name: /large/ }).click();
    endpoint.answer(
      {
        text: 'I look.',
        calls: [{ name: 'weather_tools__get_weather_info', arguments: '{"city": "Oslo"}' }],
      },
      { text: 'It is **clear** in Oslo.' },
    );
    await page.getByRole('textbox', { name: 'Message' }).fill('How is the weather in Oslo?');
    await page.keyboard.press('Enter');
    await expect(page.getByText('It is clear in Oslo.')).toBeVisible();
    await expect(page.getByRole('region', { name: /^Call of/ })).toContainText('"sky": "clear"');
    const asked = endpoint.requests.filter(({ format }) => format !== 'models');
    expect(asked).toHaveLength(3);
    expect(asked.at(-1)?.text).toContain('clear');
    expect(await page.content()).not.toContain(key);
  });
