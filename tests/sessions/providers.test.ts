/** Each provider through the settings page, with an endpoint that answers and rejects as the real ones do. */

import { expect, test } from '../support/shared-page.ts';
import { press } from '../support/press-until.ts';
import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import * as session from '../support/session-page.ts';

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

let endpoint: ModelEndpoint;

test.beforeAll(async ({ shared }) => {
  endpoint = await startModelEndpoint();
  endpoint.habits.key = session.testKey;
  await shared.open({ 'weather_tools.py': source });
});
test.afterAll(() => endpoint.close());
test.beforeEach(({ trouble }) => {
  endpoint.reset();
  session.expectModelRequests(trouble);
});

// turns.test.ts adds and asks providers of other kinds.
for (const [kind, path] of session.providerKinds) {
  const tag = kind === 'openai-compatible' ? [] : '@full';
  test(`${kind}: added, tried, and asked to use a tool`, { tag }, async ({ page }) => {
    const name = `Mine ${kind}`;
    const row = await session.addProvider(page, { kind, name, url: endpoint.url + path });
    await expect(row).toContainText('2 models');
    endpoint.answer({ text: 'Hello there.' });
    await press(row.getByRole('button', { name: 'Test' }));
    await expect(row).toContainText('Hello there.');
    await session.newSession(page, name, /large/);
    endpoint.answer(
      {
        text: 'I look.',
        calls: [{ name: 'weather_tools__get_weather_info', arguments: '{"city": "Oslo"}' }],
      },
      { text: 'It is **clear** in Oslo.' },
    );
    await session.send(page, 'How is the weather in Oslo?');
    await expect(page.getByText('It is clear in Oslo.')).toBeVisible();
    await expect(page.getByRole('region', { name: /^Call to/ })).toContainText('"sky": "clear"');
    const asked = session.asked(endpoint);
    expect(asked).toHaveLength(3);
    expect(asked.at(-1)?.text).toContain('clear');
    expect(await page.content()).not.toContain(session.testKey);
  });
}

test('a provider that is led to another address lists its models anew, and needs its key for it', async ({
  page,
}) => {
  const name = 'Moved';
  await session.addProvider(page, {
    kind: 'openai-compatible',
    name,
    url: 'http://127.0.0.1:1/v1',
  });
  const row = page.getByRole('group', { name });
  await expect(row).toContainText('Could not load the list of models');
  await row.getByRole('button', { name: 'Edit' }).click();
  const key = page.getByLabel('API key');
  await expect(key).toHaveAttribute('placeholder', /^Saved/);
  const address = page.getByRole('textbox', { name: 'Base URL' });
  await address.fill('nowhere');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(address).toHaveAccessibleDescription(/must start with http/);
  await address.fill(`${endpoint.url}/v1`);
  await expect(key).toHaveAttribute('placeholder', '');
  await key.fill(session.testKey);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(row).toContainText('2 models found.');
  await expect(row).not.toContainText('Could not load the list of models');
});

test('on a phone, a provider that was added is in view with what became of it, and has the focus', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const row = await session.addProvider(page, {
    kind: 'openai-compatible',
    name: 'Elsewhere',
    url: 'http://127.0.0.1:1/v1',
  });
  const item = page.getByRole('listitem').filter({ has: row });
  await expect(item).toBeFocused();
  await expect(row.getByText('Could not load the list of models.')).toBeInViewport({ ratio: 1 });
  await expect(row.getByText('nothing answers')).toBeInViewport({ ratio: 1 });
  await row.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(item).toBeFocused();
  await row.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove provider' }).click();
  await expect(row).toBeHidden();
  await expect(page.getByRole('button', { name: 'OpenAI', exact: true })).toBeFocused();
});
