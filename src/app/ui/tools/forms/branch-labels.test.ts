/** Labels of alternatives. */

import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../runtime/spec/json.ts';
import { branchLabels } from './branch-labels.ts';
import { FormSchema } from './form-schema.ts';

const labelsOf = (schema: JsonObject): readonly string[] => {
  const form = new FormSchema({ $defs: { Cat: { type: 'object' }, List: { type: 'array' } } });
  return branchLabels(form, form.shape(schema).branches?.() ?? []);
};
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
const text = { type: 'string' };

test.each<[string, JsonObject[], string[]]>([
  ['types', [text, { type: 'integer' }], ['string', 'integer']],
  ['titles', [{ ...text, title: 'Name' }, text], ['Name', 'string']],
  ['references', [{ $ref: '#/$defs/Cat' }, { $ref: '#' }, text], ['Cat', 'any', 'string']],
  [
    'constants',
    [object({ t: { const: 'a' } }), object({ n: text, t: { enum: ['b'] } })],
    ['t = "a"', 't = "b"'],
  ],
  [
    'names that only one has',
    [object({ a: text, x: text }), object({ b: text, x: text }), object({ x: text })],
    ['object: a', 'object: b', 'object: any'],
  ],
  [
    'names that only one requires',
    [object({ a: text, b: text }, { required: ['a'] }), object({ a: text, b: text })],
    ['object: a', 'object: any'],
  ],
  [
    'items',
    [
      { type: 'array', items: text },
      { type: 'array', items: { $ref: '#/$defs/Cat' } },
      { type: 'array', prefixItems: [{ type: 'integer' }, text] },
    ],
    ['array: string', 'array: object', 'array: integer'],
  ],
  [
    'undeclared members',
    [
      { type: 'object', additionalProperties: text },
      { type: 'object', additionalProperties: { type: 'integer' } },
    ],
    ['object: string', 'object: integer'],
  ],
  [
    'choices',
    [{ enum: ['a', 'b'] }, { enum: [1, 2, 3, 4] }, { enum: ['c', 'd'] }],
    ['one of 2: a, b', 'one of 4', 'one of 2: c, d'],
  ],
  [
    'descriptions',
    [
      { type: 'integer', minimum: 9, description: 'Port' },
      { type: 'integer', description: 'Handle' },
    ],
    ['integer: Port', 'integer: Handle'],
  ],
  [
    'bounds only',
    [{ type: 'integer', minimum: 9 }, { type: 'integer', maximum: 0 }, text],
    ['integer (1)', 'integer (2)', 'string'],
  ],
])('alternatives are told apart: by %s', (_, anyOf, labels) => {
  expect(labelsOf({ anyOf })).toEqual(labels);
});
