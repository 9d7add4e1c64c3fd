import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../runtime/spec/json.ts';
import { FormSchema } from './form-schema.ts';
import { isSame, parseValue } from './json-value.ts';
import { branchOf, fits } from './fitting-alternative.ts';

test.each([
  ['1', '1.0', true],
  ['10e-1', '1', true],
  ['-0', '0.0', true],
  ['1e400', '10e399', true],
  ['12345678901234567890', '12345678901234567891', false],
  ['9007199254740993', '9007199254740992', false],
  ['[12345678901234567890]', '[12345678901234567891]', false],
  ['0.1', '0.10', true],
  ['0.1', '0.2', false],
  ['1', '"1"', false],
  ['"\\u0061"', '"a"', true],
  ['{"a": 1, "b": [2.0]}', '{"b":[2],"a":1}', true],
  ['{"a": 1}', '{"a": 1, "b": null}', false],
  ['[1, 2]', '[2, 1]', false],
  ['true', 'false', false],
  ['null', 'null', true],
])('%s and %s are equal: %s', (one, other, equal) => {
  expect(isSame(parseValue(one)!, other)).toBe(equal);
  expect(isSame(parseValue(other)!, one)).toBe(equal);
});

test.each([
  [{ type: 'integer' }, '5', true],
  [{ type: 'integer' }, '"five"', false],
  [{ type: 'string' }, 'null', false],
  [{ type: ['string', 'null'] }, 'null', true],
  [{ enum: ['a', 'b'] }, '"z"', false],
  [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'null', true],
  [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, '"a"', false],
  // A default may be a part of an object, which the user completes.
  [{ type: 'object', properties: {}, required: ['a'] }, '{}', true],
])('a default or example that %j cannot accept is not offered: %s', (schema, text, isOffered) => {
  expect(fits(text, new FormSchema({}).shape(schema))).toBe(isOffered);
});

test('a constant under a name that an alternative does not declare does not identify it', () => {
  const map = { type: 'object', additionalProperties: { enum: [1, 2] } };
  const tree = { type: 'object', properties: { data: true, children: { type: 'array' } } };
  const schema = new FormSchema({ anyOf: [map, tree] });
  const alternatives = schema.root.branches?.() ?? [];
  const bestFor = (text: string) => branchOf(schema, alternatives, parseValue(text) ?? undefined);
  expect(bestFor('{"data": 1, "children": []}')).toBe(1);
  expect(bestFor('{"some": 1, "other": 2}')).toBe(0);
});

test('a value is found in a long list, and the cost of many long lists is bounded', () => {
  const names = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => `name ${String(from + index)}`);
  const schema = new FormSchema({ type: 'object' });
  const bestOf = (anyOf: object[], text: string) => {
    const alternatives = schema.shape({ anyOf } as JsonObject).branches?.() ?? [];
    expect(alternatives).toHaveLength(anyOf.length);
    return branchOf(schema, alternatives, parseValue(text) ?? undefined);
  };
  const long = [{ enum: [1, [1]] }, { enum: names(0, 600) }, { type: 'null' }];
  expect(bestOf(long, '"name 599"')).toBe(1);
  const many = Array.from({ length: 40 }, (_, index) => ({ enum: names(index * 2_000, 2_000) }));
  // Ten lists are compared. The next counts as if it had the value.
  expect(bestOf(many, '"name 79999"')).toBe(10);
});
