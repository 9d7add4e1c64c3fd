/** The quick check of schemas never accepts what the full check finds fault with. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPacer } from '../async/pace.ts';
import type { JsonObject } from '../spec/json.ts';
import { metaFaults } from './meta-check.ts';
import { patternFaults, isPlainSchema } from './check-tool.ts';
import { referenceFaults } from './reference-check.ts';

const keywords = [
  ...['type', 'title', 'description', 'default', 'const', 'enum', 'examples', 'properties'],
  ...['required', 'additionalProperties', 'items', 'anyOf', 'oneOf', 'allOf', 'minimum', 'maximum'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  ...['uniqueItems', 'pattern', 'format', '$ref', '$id', '$schema', '$defs', '__proto__'],
];
const words = ['string', 'integer', 'str', 'a', '(', '#/a', 'object', ''];

const { schema } = fc.letrec<{ schema: JsonObject; value: unknown }>((tie) => ({
  value: fc.oneof(
    fc.constantFrom(...words, 0, 1, -1, 1.5, null, true, false),
    fc.uniqueArray(fc.constantFrom(...words), { maxLength: 3 }),
    fc.array(fc.constantFrom(...words, 1), { maxLength: 3 }),
    tie('schema'),
    fc.array(tie('schema'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...words, 'b'), tie('schema'), {
      ...{ maxKeys: 2, noNullPrototype: true },
    }),
  ),
  schema: fc.dictionary(fc.constantFrom(...keywords), tie('value'), {
    ...{ maxKeys: 3, noNullPrototype: true },
  }) as fc.Arbitrary<JsonObject>,
}));

async function faults(given: JsonObject): Promise<number> {
  const pacer = createPacer();
  const found = await Promise.all([
    metaFaults(given, 5, pacer),
    referenceFaults(given, 5, pacer),
    patternFaults(given, 5, pacer),
  ]);
  return found.flat().length;
}

test('a plain schema has no fault', async () => {
  const seen = { plain: 0, faulty: 0 };
  await fc.assert(
    fc.asyncProperty(schema, async (given) => {
      const isPlain = isPlainSchema(given);
      const found = await faults(given);
      if (isPlain) seen.plain += 1;
      if (found > 0) seen.faulty += 1;
      expect(isPlain && found > 0).toBe(false);
    }),
    { numRuns: 3_000 },
  );
  expect(Math.min(seen.plain, seen.faulty)).toBeGreaterThan(200);
});

test('a usual schema is plain', () => {
  const properties = {
    city: { type: 'string', description: 'A name', minLength: 1, default: 'Oslo' },
    days: { type: 'integer', minimum: 1, maximum: 10, examples: [3] },
    kind: { enum: ['a', 'b', null], title: 'Kind' },
    tags: { type: 'array', items: { type: 'string' }, uniqueItems: true, maxItems: 5 },
    unit: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    more: { type: 'object', additionalProperties: { type: 'number' } },
  };
  const usual = { type: 'object', properties, required: ['city'], additionalProperties: false };
  expect(isPlainSchema(usual)).toBe(true);
  expect(isPlainSchema({ ...usual, required: ['city', 'city'] })).toBe(false);
  expect(isPlainSchema({ ...usual, properties: { ...properties, odd: { type: 'str' } } })).toBe(
    false,
  );
});

test('a huge schema is left to the check that pauses', () => {
  const properties = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`p${n}`, {}]));
  expect(isPlainSchema({ properties })).toBe(false);
});
