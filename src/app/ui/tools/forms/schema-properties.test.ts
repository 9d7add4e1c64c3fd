import { expect, test } from 'vitest';
import { parseExact } from '../../../../runtime/spec/exact-json.ts';
import type { JsonObject } from '../../../../runtime/spec/json.ts';
import { ArgumentForm } from './argument-form.svelte.ts';
import { Draft } from './draft.svelte.ts';
import { findMissingValues } from './group-entries.ts';

function open(schema: object, text = '{}') {
  const draft = new Draft(text, () => []);
  const form = new ArgumentForm(draft, {
    parameters: parseExact(JSON.stringify(schema)) as JsonObject,
  });
  /** What the form asks for, each with its words. */
  const asked = (): readonly string[] => {
    draft.asked = true;
    return findMissingValues(form).map(
      (path) => `${path.join('.')} ${form.missingWords(path, undefined, { isRequired: false })}`,
    );
  };
  return { form, draft, asked };
}

const text = { type: 'string' };
const properties = { a: text, b: text, c: text };
const either = [{ required: ['a'] }, { required: ['b'] }];

test.each([
  ['anyOf', { anyOf: either }],
  ['oneOf', { oneOf: either }],
  ['oneOf with not', { oneOf: [{ required: ['a'], not: { required: ['b'] } }, either[1]] }],
  ['allOf', { allOf: [{ anyOf: either }] }],
  ['a reference', { $ref: '#/$defs/either', $defs: { either: { anyOf: either } } }],
])('a form asks for one of the names that %s requires', (_, more) => {
  const { form, asked } = open({ type: 'object', properties, ...more });
  expect(form.missingWords(['a'], undefined, { isRequired: false })).toBe('');
  expect(asked()).toEqual(['a is required, unless you enter b']);
  form.set(['b'], '"x"');
  expect(asked()).toEqual([]);
});

test('a form asks for the alternative that needs the fewest more names', () => {
  const { form, asked } = open({
    properties,
    required: ['c'],
    anyOf: [{ required: ['a', 'b'] }, { required: ['c', 'd', 'e', 'f'] }],
  });
  expect(asked()).toEqual([
    'a is required, unless you enter c and d and e and f',
    'b is required, unless you enter c and d and e and f',
    'c ',
  ]);
  for (const name of ['c', 'd', 'e']) form.set([name], '"x"');
  expect(asked()).toEqual(['f is required, unless you enter a and b']);
});

test('a form asks inside objects and lists, and for names that are only listed', () => {
  const one = { type: 'object', properties: {}, anyOf: either };
  const { form, draft, asked } = open(
    { properties: { one, list: { type: 'array', items: one } } },
    '{"one": {}, "list": [{"b": 1}, {}]}',
  );
  expect(asked()).toEqual([
    'one.a is required, unless you enter b',
    'list.1.a is required, unless you enter b',
  ]);
  form.set(['one', 'a'], '"x"');
  form.empty(['one', 'a']);
  expect(JSON.parse(draft.text)).toEqual({ one: {}, list: [{ b: 1 }, {}] });
});

test('a form asks for nothing that the schema does not require, or never allows', () => {
  for (const more of [
    { anyOf: [...either, {}] },
    { anyOf: [{ required: ['a'], properties: { a: text } }, { properties: { b: text } }] },
    { properties: { a: false, b: false }, anyOf: either },
    { anyOf: [{ required: ['x'] }, { required: ['y'] }], additionalProperties: false },
  ])
    expect(open({ type: 'object', properties, ...more }).asked()).toEqual([]);
});
