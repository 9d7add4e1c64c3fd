/** The shape of a tool's results, found in its logged runs, becomes the `returns` of its spec. */

import type { Page } from '@playwright/test';
import { invoke, listing } from './support/app.ts';
import { button, ready } from './support/opening.ts';
import { writablePicks } from './support/saved-tests.ts';
import { expect, test } from './support/test.ts';

const source = `
def forecast(city, people):
    days = [{"number": n, "high": 20 + n / 4, "note": "rain" if n % 2 == 0 else None} for n in range(1, 4)]
    return {"city": city, "days": days, "umbrellas": {name: 1 for name in people}}


TOOL_SPECS = [
    {
        "name": "weather:forecast",
        "description": "The weather of a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}, "people": {"type": "array"}}},
        "handler": forecast,
    },
]
`;

const returns = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    const { tools } = (await (await fetch('api/tools')).json()) as {
      tools: { returns: unknown }[];
    };
    return tools.map((tool) => tool.returns);
  });

test('three runs give the shape of the results, one press writes it into the file, and the tool then has it', async ({
  page,
}) => {
  await writablePicks(page, { 'weather.py': source });
  await page.goto('./');
  await button(page, 'Open folder').first().click();
  await ready(page, 'greetings');
  expect(await returns(page)).toEqual([null]);
  for (const [city, person] of [
    ['Oslo', 'Ada'],
    ['Rome', 'Alan'],
    ['Bern', 'Grace'],
  ])
    expect(await invoke(page, 'weather:forecast', { city, people: [person] })).toMatchObject({
      resultType: 'success',
    });

  await page.goto('./#/tools/weather:forecast?panel=details');
  const shape = page.getByRole('region', { name: 'Shape of the results' });
  await expect(shape).toContainText('3 runs of this file returned this shape');
  await expect(shape).not.toContainText(/Oslo|Ada|rain/);
  await button(page, 'Write returns into weather.py').click();
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('saved in weather.py');
  const expected = {
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            number: { type: 'integer' },
            high: { type: 'number' },
            note: { type: ['null', 'string'] },
          },
          required: ['number', 'high', 'note'],
        },
      },
      umbrellas: { type: 'object', additionalProperties: { type: 'integer' } },
    },
    required: ['city', 'days', 'umbrellas'],
  };
  await expect.poll(() => returns(page), { timeout: 60_000 }).toEqual([expected]);
  const { problems } = await listing(page);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  await expect(shape).toHaveCount(0);
  const written = await page.evaluate(() => globalThis.cloche.folder.source('weather.py') ?? '');
  expect(written).toContain('"returns": {');
  expect(written.replace(/ *"returns": \{[^]*?\n {8}\},\n/, '')).toBe(source);
});
