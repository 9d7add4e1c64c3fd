/** Limits of the schemas that a form reads, and the alternatives that it offers. */

import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../runtime/spec/json.ts';
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
