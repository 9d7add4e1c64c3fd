/** Published prices and context sizes. */

import { expect, test } from 'vitest';
import type { ModelInfo } from '../../runtime/spec/model.ts';
import published from './published-models.json' with { type: 'json' };
import { findPublishedContext, publisherOf, withPublished } from './published-models.ts';

const openai = publisherOf({ kind: 'openai-responses', baseUrl: '' });
const today = '2026-11-26';

function named(model: string, changes: Partial<ModelInfo> = {}): ModelInfo {
  const ref = { provider: 'p', model };
  return { ref, label: model, context: null, images: null, price: null, ...changes };
}

test('each list has a date, sources, and complete prices of plausible size', () => {
  for (const { name, read, sources, models } of Object.values(published)) {
    expect(name).not.toBe('');
    expect(read).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) expect(new URL(source).protocol).toBe('https:');
    for (const [id, model] of Object.entries(models) as [string, Record<string, unknown>][]) {
      const { input, cached, output, context, long, until, ...others } = model;
      expect([id, others]).toEqual([id, {}]);
      const prices = [input, cached, output].filter((price) => price !== undefined);
      expect([id, prices.length === 3 || (prices.length === 0 && context !== undefined)]).toEqual([
        id,
        true,
      ]);
      if (prices.length === 3) {
        // Output costs more than input, and input from the cache less.
        expect([id, Number(cached) < Number(input), Number(input) < Number(output)]).toEqual([
          id,
          true,
          true,
        ]);
      }
      if (long !== undefined) {
        const more = long as { over: number; input: number; cached: number; output: number };
        expect([id, more.over > 1_000, more.input > Number(input)]).toEqual([id, true, true]);
        expect([id, more.output > Number(output)]).toEqual([id, true]);
      }
      if (context !== undefined) expect([id, Number(context) > 8_000]).toEqual([id, true]);
      if (until !== undefined) expect(until).toMatch(/^20\d\d-\d\d-\d\d$/);
    }
  }
});

test('prices belong to the company’s own address, and to no other provider of a model of that name', () => {
  expect(openai?.name).toBe('OpenAI');
  expect(publisherOf({ kind: 'openai-chat', baseUrl: '' })?.name).toBe('OpenAI');
  expect(publisherOf({ kind: 'anthropic', baseUrl: '' })?.name).toBe('Anthropic');
  expect(publisherOf({ kind: 'google', baseUrl: '' })?.name).toBe('Google');
  const compatible = (baseUrl: string) => publisherOf({ kind: 'openai-compatible', baseUrl });
  expect(compatible('https://api.openai.com/v1')?.name).toBe('OpenAI');
  for (const url of ['http://localhost:11434/v1', 'https://api.openai.com.example.org/v1', ''])
    expect(compatible(url)).toBeNull();
  expect(compatible('https://__proto__/v1')).toBeNull();
  expect(publisherOf({ kind: 'replay', baseUrl: '' })).toBeNull();
});

test('a model has the published price with its date, and a snapshot that of its model', () => {
  const price = {
    input: 1.25,
    cached: 0.125,
    output: 10,
    published: { by: 'OpenAI', read: openai?.read },
  };
  expect(withPublished(named('gpt-5'), openai, today)).toMatchObject({ context: 400_000, price });
  expect(withPublished(named('gpt-5-2025-08-07'), openai, today).price).toEqual(price);
  expect(withPublished(named('gpt-6.2-sol'), openai, today).price?.long).toMatchObject({
    over: 272_000,
    input: 4,
  });
});

test('what is not published stays unknown', () => {
  for (const id of ['gpt-5-unknown', 'my-gpt-5', 'constructor', '__proto__', ''])
    expect(withPublished(named(id), openai, today)).toEqual(named(id));
  expect(withPublished(named('gpt-4-turbo'), openai, today)).toMatchObject({ price: null });
  expect(withPublished(named('gpt-5'), null, today)).toEqual(named('gpt-5'));
  expect([findPublishedContext('llama3'), findPublishedContext('toString')]).toEqual([null, null]);
});

test('what the provider reports is kept', () => {
  const price = { input: 1, cached: 1, output: 1 };
  expect(withPublished(named('gpt-5', { price }), openai, today).price).toEqual(price);
  expect(withPublished(named('gpt-5', { context: 9_000 }), openai, today).context).toBe(9_000);
});

test('a price that was published until a day is unknown after it', () => {
  const google = publisherOf({ kind: 'google', baseUrl: '' });
  const price = (day: string) => withPublished(named('gemini-3.8-flash'), google, day).price;
  expect(price('2026-12-31')?.input).toBe(0.75);
  expect(price('2027-01-01')).toBeNull();
});
