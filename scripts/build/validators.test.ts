/** Compiled validators: one for each of our schemas, and those for JSON Schema itself. */
import { readFileSync, readdirSync } from 'node:fs';
import * as ofPage from 'virtual:cloche/page-validators';
import * as validators from 'virtual:cloche/validators';
import { expect, test } from 'vitest';

test('every schema has its validator, and the types name exactly these', () => {
  const files = readdirSync(new URL('../../src/spec/schemas', import.meta.url));
  const own = files.map((file) =>
    file.replace('.schema.json', '').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
  );
  const expected = [...own, 'metaDraft07', 'metaDraft2020'].sort();
  const all = [...Object.keys(validators), ...Object.keys(ofPage)].sort();
  expect(all).toEqual(expected);
  const types = readFileSync(new URL('../../src/virtual.d.ts', import.meta.url), 'utf8');
  const typed = [...types.matchAll(/export const (\w+): Validator;/g)].map(([, name]) => name);
  expect(typed.sort()).toEqual(expected);
});

const drafts = [validators.metaDraft07, validators.metaDraft2020];

test.each(drafts)('a schema is a schema (%#)', (meta) => {
  const schema = {
    type: 'object',
    properties: { city: { type: 'string', minLength: 1 }, unit: { enum: ['C', 'F'] } },
    required: ['city'],
    additionalProperties: false,
  };
  expect(meta(schema)).toBe(true);
  expect(meta(true)).toBe(true);
});

test.each(drafts)('what is no schema says where, however deep it is (%#)', (meta) => {
  const schema = {
    type: 'object',
    properties: { city: { type: 'object', properties: { name: { type: 'strin' } } } },
    required: ['a', 'a'],
  };
  expect(meta(schema)).toBe(false);
  const places = new Set(meta.errors?.map((error) => error.instancePath));
  expect(places).toContain('/properties/city/properties/name/type');
  expect(places).toContain('/required');
});

test('newer keywords are checked by the newer draft', () => {
  const schema = { type: 'array', prefixItems: [{ type: 'nothing' }] };
  expect(validators.metaDraft07(schema)).toBe(true);
  expect(validators.metaDraft2020(schema)).toBe(false);
});
