import { expect, test } from 'vitest';
import type { ToolConversion } from '../../../runtime/protocol/models.ts';
import type { JsonObject } from '../../../runtime/spec/json.ts';
import { convertForAllKinds } from './conversion-preview.ts';

async function convert(parameters: JsonObject): Promise<Record<string, ToolConversion>> {
  const found = await convertForAllKinds({ name: 'a__b', description: 'd', parameters });
  return Object.fromEntries(found.map((conversion) => [conversion.kind, conversion]));
}

test('a plain schema is sent as it is', async () => {
  const found = await convert({ type: 'object', properties: { a: { type: 'string' } } });
  const same = { refused: [], renamed: [], changes: [], describes: false, afterRefusal: [] };
  expect(Object.values(found).map(({ definition: _, ...conversion }) => conversion)).toEqual(
    ['openai-chat', 'openai-responses', 'anthropic', 'google', 'openai-compatible'].map((kind) => ({
      kind,
      ...same,
    })),
  );
});

test('changes are listed by their place', async () => {
  const found = await convert({
    type: 'object',
    properties: { pair: { type: 'array', items: [{ type: 'string' }] }, list: { type: 'array' } },
    anyOf: [{ required: ['pair'] }],
  });
  expect(found['openai-chat']).toMatchObject({
    describes: true,
    changes: [
      { pointer: '/properties/pair/items', is: 'changed' },
      { pointer: '/properties/pair/prefixItems', is: 'added' },
      { pointer: '/properties/list/items', is: 'added' },
      { pointer: '/anyOf', is: 'left out' },
      { pointer: '/required', is: 'added' },
    ],
  });
  // Unknown servers get the whole schema, and a plain one only if they refuse it.
  expect(found['openai-compatible']?.changes.map(({ pointer }) => pointer)).not.toContain('/anyOf');
  expect(found['openai-compatible']?.afterRefusal).toContainEqual({
    pointer: '/anyOf',
    is: 'left out',
  });
});

test('parameters that a provider does not accept are renamed, or refused where they cannot be', async () => {
  const found = await convert({
    type: 'object',
    properties: { größe: { type: 'string' }, ok: {} },
  });
  expect(found.anthropic?.renamed).toEqual([
    ['größe', expect.stringMatching(/^gr_+e_h[0-9a-f]{10}$/)],
  ]);
  expect([found.google?.renamed, found.anthropic?.refused]).toEqual([[], []]);
});

test('nesting that Google may refuse is reported', async () => {
  let schema: JsonObject = { type: 'string' };
  for (let level = 0; level < 8; level += 1) schema = { type: 'object', properties: { a: schema } };
  const found = await convert(schema);
  expect(found.google?.changes).toEqual([]);
  expect(found.google?.afterRefusal.length).toBeGreaterThan(0);
});

test('the list of changes is bounded', async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, n) => [`p${String(n)}`, { type: 'array' }]),
  );
  expect((await convert({ type: 'object', properties })).google?.changes.length).toBe(100);
});
