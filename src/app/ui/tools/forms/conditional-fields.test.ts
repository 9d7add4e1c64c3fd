/** Fields that apply only to some arguments: shown when their condition holds, and left out of the arguments when it does not. */

import { expect, test } from 'vitest';
import { parseExact } from '../../../../runtime/spec/exact-json.ts';
import type { JsonObject } from '../../../../runtime/spec/json.ts';
import { ArgumentForm } from './argument-form.svelte.ts';
import { argumentTemplate } from './argument-template.ts';
import { Draft } from './draft.svelte.ts';
import { findMissingValues, groupEntries } from './group-entries.ts';

function open(schema: object, text?: string) {
  const parameters = parseExact(JSON.stringify(schema)) as JsonObject;
  const draft = new Draft(text ?? argumentTemplate({ parameters, examples: [] }), () => []);
  const form = new ArgumentForm(draft, { parameters });
  /** The names of the shown fields; the required ones end in `*`. */
  const shown = (): string => {
    if (typeof form.value === 'string') throw new Error(form.value);
    const { shape } = form.choosers([], form.schema.root, form.value);
    return groupEntries(form.schema, shape, [], form.value)
      .map(({ path, required }) => `${String(path[0])}${required ? '*' : ''}`)
      .join(' ');
  };
  const sent = (): unknown => JSON.parse(draft.text);
  return { form, draft, shown, sent };
}

const is = (name: string, value: unknown) => ({
  properties: { [name]: { const: value } },
  required: [name],
});
const text = { type: 'string' };

const country = {
  type: 'object',
  properties: { country: { enum: ['CA', 'US'] } },
  required: ['country'],
  allOf: [
    {
      if: is('country', 'US'),
      then: { properties: { state: { enum: ['Alabama', 'Utah'] } }, required: ['state'] },
    },
    { if: is('state', 'Alabama'), then: { properties: { org: text }, required: ['org'] } },
  ],
};

test('a field is shown when its condition holds, and its value is left out and restored', () => {
  const { form, shown, sent } = open(country);
  expect([shown(), sent()]).toEqual(['country*', {}]);
  form.insert(['country'], '"US"');
  expect(shown()).toBe('country* state*');
  form.insert(['state'], '"Alabama"');
  form.set(['org'], '"ACME"');
  expect(shown()).toBe('country* state* org*');
  form.insert(['country'], '"CA"');
  expect([shown(), sent(), form.dropped([])]).toEqual([
    'country*',
    { country: 'CA' },
    ['state', 'org'],
  ]);
  form.insert(['country'], '"US"');
  expect(sent()).toEqual({ country: 'US', state: 'Alabama', org: 'ACME' });
  expect(form.dropped([])).toEqual([]);
});

test('text that the form did not write ends what it remembers', () => {
  const { form, draft, sent } = open(country, '{"country": "US", "state": "Utah"}');
  form.insert(['country'], '"CA"');
  expect(form.dropped([])).toEqual(['state']);
  draft.write('{"country":"CA"}');
  expect(form.dropped([])).toEqual([]);
  form.insert(['country'], '"US"');
  expect(sent()).toEqual({ country: 'US' });
});

test('a value that never applied is kept, since only its author knows what it is for', () => {
  const { form, sent } = open(country, '{"country": "CA", "state": "x"}');
  form.insert(['country'], '"CA"');
  expect(sent()).toEqual({ country: 'CA', state: 'x' });
});

test('else, and unevaluatedProperties: no field is offered that is always refused', () => {
  const { form, shown, sent } = open({
    type: 'object',
    properties: { multi: { type: 'boolean', default: false } },
    if: is('multi', true),
    then: { properties: { low: { type: 'integer' } }, required: ['low'] },
    else: { properties: { single: text } },
    unevaluatedProperties: false,
  });
  expect([shown(), sent()]).toEqual(['multi single', { multi: false }]);
  form.set(['single'], '"x"');
  form.insert(['multi'], 'true');
  expect([shown(), sent(), form.dropped([])]).toEqual(['multi low*', { multi: true }, ['single']]);
});

test.each([
  [
    'dependentSchemas',
    { dependentSchemas: { card: { properties: { code: text }, required: ['code'] } } },
  ],
  ['dependencies', { dependencies: { card: { properties: { code: text }, required: ['code'] } } }],
  ['a reference', { dependentSchemas: { card: { $ref: '#/$defs/code' } } }],
  [
    'allOf',
    { allOf: [{}, { allOf: [{ if: { required: ['card'] }, then: { $ref: '#/$defs/code' } }] }] },
  ],
  [
    'a nested condition',
    {
      if: { required: ['card'] },
      then: { if: { minProperties: 1 }, then: { $ref: '#/$defs/code' } },
    },
  ],
  ['not', { if: { not: { required: ['card'] } }, else: { $ref: '#/$defs/code' } }],
])('%s', (_, more) => {
  const { form, shown, sent } = open({
    type: 'object',
    properties: { card: text },
    $defs: { code: { properties: { code: text }, required: ['code'] } },
    ...more,
  });
  expect(shown()).toBe('card');
  form.set(['card'], '"4"');
  expect(shown()).toBe('card code*');
  expect(findMissingValues(form)).toEqual([['code']]);
  form.set(['code'], '"7"');
  form.remove(['card']);
  expect([shown(), sent(), form.dropped([])]).toEqual(['card', {}, ['code']]);
});

test('lists of names that a name requires', () => {
  for (const key of ['dependentRequired', 'dependencies']) {
    const { form, shown } = open({ properties: { a: text, b: text }, [key]: { a: ['b'] } });
    expect(shown()).toBe('a b');
    form.set(['a'], '"x"');
    expect(shown()).toBe('a b*');
  }
});

test('conditions inside objects, lists and alternatives, and on values inside', () => {
  const inner = {
    type: 'object',
    properties: { on: { type: 'boolean' } },
    if: is('on', true),
    then: { properties: { level: { type: 'number' } } },
  };
  const { form, sent } = open(
    {
      properties: {
        one: inner,
        list: { type: 'array', items: inner },
        other: { anyOf: [{ type: 'null' }, inner] },
      },
      if: { properties: { one: is('on', true) }, required: ['one'] },
      then: { properties: { note: text } },
    },
    '{"one": {"on": true, "level": 1.0}, "list": [{"on": true}, {"on": true, "level": 2.0}], "other": {"on": true, "level": 3.0}, "note": "n"}',
  );
  form.set(['list', 1, 'on'], 'false');
  expect(form.dropped(['list', 1])).toEqual(['level']);
  form.swap(['list'], 0, 1);
  expect([form.dropped(['list', 0]), form.dropped(['list', 1])]).toEqual([['level'], []]);
  form.set(['other', 'on'], 'false');
  form.set(['one', 'on'], 'false');
  expect(form.dropped([])).toEqual(['note']);
  expect(sent()).toEqual({
    one: { on: false },
    list: [{ on: false }, { on: true }],
    other: { on: false },
  });
  form.set(['list', 0, 'on'], 'true');
  form.set(['one', 'on'], 'true');
  expect(sent()).toEqual({
    one: { on: true, level: 1 },
    list: [{ on: true, level: 2 }, { on: true }],
    other: { on: false },
    note: 'n',
  });
});

test('defaults and constants of a condition come with it, and go without a word', () => {
  const { form, sent } = open({
    properties: { mode: { enum: ['a', 'b'], default: 'a' } },
    if: is('mode', 'b'),
    then: {
      properties: { tag: { const: 'x' }, size: { type: 'number', default: 1.5 } },
      required: ['tag'],
    },
  });
  expect(sent()).toEqual({ mode: 'a' });
  form.insert(['mode'], '"b"');
  expect(sent()).toEqual({ mode: 'b', tag: 'x', size: 1.5 });
  form.insert(['mode'], '"a"');
  expect([sent(), form.dropped([])]).toEqual([{ mode: 'a' }, []]);
});

test.each([
  [
    'additionalProperties of the same part',
    { additionalProperties: false, if: true, then: { properties: { b: text } } },
  ],
  [
    'additionalProperties of a member of allOf',
    {
      allOf: [
        { properties: { b: text } },
        { properties: { a: text }, additionalProperties: false },
      ],
    },
  ],
  ['a schema that is false', { properties: { a: text, b: false } }],
  ['a schema that allows nothing', { properties: { a: text, b: { not: {} } } }],
  [
    'a condition',
    { properties: { a: text, b: text }, if: true, then: { properties: { b: false } } },
  ],
  ['a name that is forbidden', { properties: { a: text, b: text }, not: { required: ['b'] } }],
  ['names of properties', { properties: { a: text, b: text }, propertyNames: { enum: ['a'] } }],
])('no field is offered that is always refused: %s', (_, schema) => {
  expect(open({ type: 'object', properties: { a: text }, ...schema }).shown()).toBe('a');
});

test('what cannot be decided on the page is shown', () => {
  const slow = { properties: { a: { pattern: '^(x+)+$' } }, required: ['a'] };
  const { shown } = open(
    {
      properties: { a: text },
      if: slow,
      then: { properties: { b: text }, required: ['b'] },
      else: { properties: { c: text } },
    },
    '{"a": "xxxxxxxxxxxxxxxxxxxxxx!"}',
  );
  expect(shown()).toBe('a c b');
});

test('the field that is being changed is never dropped', () => {
  const { form, sent } = open(
    {
      properties: { a: text },
      if: { properties: { b: { const: 'no' } } },
      else: { properties: { b: text } },
    },
    '{"b": "n"}',
  );
  form.set(['b'], '"no"');
  expect(sent()).toEqual({ b: 'no' });
});
