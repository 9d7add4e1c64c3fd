/** Limits of the schemas that a form reads, and the alternatives that it offers. */

import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../runtime/spec/json.ts';
import { FormSchema } from './form-schema.ts';

test('a schema with more properties than a form can read is cut, and says so', () => {
  const withProperties = (count: number) => {
    const names = Array.from({ length: count }, (_, n) => [`p${n}`, true] as const);
    const { root } = new FormSchema({ type: 'object', properties: Object.fromEntries(names) });
    return [root.properties.size === count, root.cut];
  };
  expect(withProperties(1_000)).toEqual([true, false]);
  expect(withProperties(30_000)).toEqual([false, true]);
});

test.each<[JsonObject, string[]]>([
  [{ type: 'integer', enum: ['a', 1, 2.0, 2.5, null] }, ['1', '2']],
  [{ type: ['string', 'null'], enum: ['a', null, 1] }, ['"a"', 'null']],
  [{ type: 'object', enum: [{ a: 1 }, [1], true] }, ['{"a": 1}']],
  [{ allOf: [{ enum: ['a', 1] }, { type: 'string' }] }, ['"a"']],
  [{ type: 'string', oneOf: [{ const: 'a' }, { const: 1 }] }, ['"a"']],
  [{ enum: ['a', 'b', 'a'] }, ['"a"', '"b"']],
  // Nothing matches: the check of the arguments gives the reason.
  [{ type: 'string', enum: [1, 2] }, ['1', '2']],
])('%j offers the values that it can accept, each once', (schema, texts) => {
  expect(new FormSchema({}).shape(schema).choices?.map(({ text }) => text)).toEqual(texts);
});

test('names of choices are read under the keywords of several programs', () => {
  const labelsOf = (schema: JsonObject): unknown =>
    new FormSchema({}).shape(schema).choices?.map(({ label }) => label);
  for (const keyword of ['enumNames', 'x-enumNames', 'x-enum-varnames'])
    expect(labelsOf({ enum: [1, 2, 1], [keyword]: ['One', 'Two'] })).toEqual([
      '1 – One',
      '2 – Two',
    ]);
});

test('an alternative that nothing can match is not offered', () => {
  const typesOf = (...anyOf: Json[]) =>
    new FormSchema({})
      .shape({ anyOf })
      .branches?.()
      .map(({ types }) => types?.[0]);
  expect(typesOf({ not: {} }, { type: 'string' })).toEqual(['string']);
  expect(typesOf({ anyOf: [{ not: true }, { type: 'string' }] }, false, { type: 'null' })).toEqual([
    'string',
    'null',
  ]);
});

test('a union of unions is one choice, except where an inner one says more', () => {
  const typesOf = (schema: JsonObject) =>
    new FormSchema({})
      .shape(schema)
      .branches?.()
      .map(({ types, title }) => title || types?.[0]);
  const inner = {
    anyOf: [{ type: 'integer' }, { oneOf: [{ type: 'null' }, { type: 'array' }], default: null }],
  };
  const others = [{ type: 'string' }, inner, { type: 'boolean' }, { type: 'null' }];
  expect(typesOf({ anyOf: others })).toEqual(['string', 'integer', 'null', 'array', 'boolean']);
  expect(typesOf({ anyOf: [{ type: 'string' }, { ...inner, title: 'Size' }] })).toEqual([
    'string',
    'Size',
  ]);
});
