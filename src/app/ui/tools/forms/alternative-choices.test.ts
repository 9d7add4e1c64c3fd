/** A chosen alternative stays chosen, whatever is typed into it. */

import { expect, test } from 'vitest';
import { parseExact } from '../../../../runtime/spec/exact-json.ts';
import type { JsonObject } from '../../../../runtime/spec/json.ts';
import { ArgumentForm } from './argument-form.svelte.ts';
import type { ArgumentPath } from './argument-place.ts';
import { argumentTemplate } from './argument-template.ts';
import { Draft } from './draft.svelte.ts';
import { controlOf, readTypedNumber } from './field-control.ts';
import type { JsonValue } from './json-value.ts';
import { findMissingValues } from './group-entries.ts';

function open(schema: object, text?: string) {
  const parameters = parseExact(JSON.stringify(schema)) as JsonObject;
  const draft = new Draft(text ?? argumentTemplate({ parameters, examples: [] }), () => []);
  const form = new ArgumentForm(draft, { parameters });
  const at = (path: ArgumentPath) => {
    let value: JsonValue | undefined = typeof form.value === 'string' ? undefined : form.value;
    let outer = form.schema.root;
    let found = form.choosers([], outer, value);
    for (const [depth, step] of path.entries()) {
      outer = form.schema.shape(
        typeof step === 'number'
          ? form.schema.itemSchema(found.shape, step)
          : form.schema.memberSchema(found.shape, step),
      );
      if (value?.kind === 'object') value = value.members.get(String(step));
      else value = value?.kind === 'array' ? value.items[Number(step)] : undefined;
      found = form.choosers(path.slice(0, depth + 1), outer, value);
    }
    return { ...found, value };
  };
  const chosen = (path: ArgumentPath): readonly number[] =>
    at(path).choosers.map(({ index }) => index);
  const choose = (path: ArgumentPath, next: number, level = 0): void => {
    const { choosers, value } = at(path);
    const chooser = choosers[level];
    if (chooser === undefined) throw new Error('no alternatives');
    form.choose(path, chooser, next, value);
  };
  /** Types into the control of a field, key by key. @returns the alternatives after each key */
  const type = (path: ArgumentPath, typed: string): readonly string[] =>
    Array.from(typed, (_, index) => {
      const { shape, value } = at(path);
      const given = form.unfinished(value)?.why === 'empty' ? undefined : value;
      const now = typed.slice(0, index + 1);
      if (controlOf(shape, given, path.length) === 'number')
        form.setNumber(path, readTypedNumber(now) ?? now);
      else form.set(path, JSON.stringify(now));
      return chosen(path).join();
    });
  return { form, draft, at, chosen, choose, type, sent: () => draft.text.replace(/\s+/g, '') };
}

const one = (v: object) => ({ type: 'object', properties: { v }, required: ['v'] });
const types = (...all: string[]) => all.map((type) => ({ type }));

test.each([
  ['oneOf number, string', { oneOf: types('number', 'string') }, 0],
  ['oneOf string, number', { oneOf: types('string', 'number') }, 1],
  ['two types', { type: ['number', 'string'] }, 0],
  ['integer, string', { anyOf: types('integer', 'string') }, 0],
  ['number, null', { type: ['number', 'null'] }, 0],
  ['boolean, number', { oneOf: types('boolean', 'number') }, 1],
  ['number, choice', { anyOf: [{ type: 'number' }, { enum: ['fit'] }] }, 0],
  ['choices, number', { anyOf: [{ enum: ['a', 'b'] }, { type: 'number' }] }, 1],
  [
    'anything, number',
    { anyOf: [{ title: 'any', $ref: '#/$defs/any' }, { type: 'number' }], $defs: { any: {} } },
    1,
  ],
  ['list, number', { anyOf: [{ type: 'array', items: {} }, { type: 'number' }] }, 1],
])('numbers are typed into an alternative that stays chosen: %s', (_, schema, index) => {
  for (const typed of ['-2', '0.5', '1e3', '-1.5E-7', `1${'0'.repeat(40)}`]) {
    const { chosen, choose, type, sent } = open(one(schema));
    if (chosen(['v'])[0] !== index) choose(['v'], index);
    expect(new Set(type(['v'], typed))).toEqual(new Set([String(index)]));
    expect(sent()).toBe(`{"v":${typed}}`);
  }
});

test('a number that is not complete is not sent as a string, and is asked for', () => {
  const { form, type, chosen, draft } = open(one({ type: ['number', 'string'] }));
  for (const typed of ['-', '0.', '1e', 'abc']) {
    type(['v'], typed);
    expect(findMissingValues(form)).toEqual([['v']]);
    expect(JSON.parse(draft.text)).toEqual({ v: typed });
  }
  form.empty(['v']);
  expect([chosen(['v']), draft.text, findMissingValues(form)]).toEqual([[0], '{}', [['v']]]);
});

test('a string stays a string, also one that looks like a number', () => {
  const { type, choose, chosen, sent } = open(one({ type: ['number', 'string'] }));
  choose(['v'], 1);
  type(['v'], '-2');
  expect([chosen(['v']), sent()]).toEqual([[1], '{"v":"-2"}']);
});

test('what was typed is kept where the other alternative can hold it', () => {
  const { type, choose, sent } = open(one({ type: ['number', 'string', 'boolean', 'null'] }));
  type(['v'], '0.50');
  choose(['v'], 1);
  expect(sent()).toBe('{"v":"0.50"}');
  choose(['v'], 2);
  expect(sent()).toBe('{}');
  choose(['v'], 0);
  expect(sent()).toBe('{"v":0.50}');
  choose(['v'], 3);
  expect(sent()).toBe('{"v":null}');
});

const optional = (name: string) => ({ properties: { [name]: { type: 'string' } } });

test('an alternative is chosen first, before anything is entered', () => {
  const { form, at, chosen, choose, sent } = open({
    properties: { feed: { type: 'object', anyOf: [optional('lang'), optional('author')] } },
  });
  choose(['feed'], 1);
  expect([chosen(['feed']), sent()]).toEqual([[1], '{"feed":{}}']);
  expect([...at(['feed']).shape.properties.keys()]).toEqual(['author']);
  form.set(['feed', 'author'], '"A"');
  choose(['feed'], 0);
  choose(['feed'], 1);
  expect([chosen(['feed']), sent()]).toEqual([[1], '{"feed":{"author":"A"}}']);
  // The same text can begin another alternative, so this chooses it again.
  form.set(['feed'], '{}');
  choose(['feed'], 0);
  expect([chosen(['feed']), sent()]).toEqual([[0], '{"feed":{}}']);
});

test.each([
  ['a boolean', { anyOf: types('string', 'boolean') }],
  ['a string', { anyOf: types('number', 'string') }],
  ['a number', { type: ['string', 'number'] }],
  ['choices', { anyOf: [{ type: 'number' }, { enum: ['a', 'b'] }] }],
])('choosing %s makes up no value', (_, schema) => {
  const { form, chosen, choose, sent } = open(one(schema));
  choose(['v'], 1);
  expect([chosen(['v']), sent(), findMissingValues(form)]).toEqual([[1], '{}', [['v']]]);
});

test('two unions that must both hold offer only what both allow', () => {
  const union = [{ type: ['boolean', 'null'] }, { type: 'object', ...optional('text') }];
  const { form, at, chosen, choose, sent } = open({
    properties: { v: { allOf: [{ oneOf: union }, { oneOf: [...union] }] } },
  });
  choose(['v'], 1);
  expect([chosen(['v']), sent(), at(['v']).shape.types]).toEqual([[1], '{"v":{}}', ['object']]);
  form.set(['v', 'text'], '"x"');
  expect([chosen(['v']), sent()]).toEqual([[1], '{"v":{"text":"x"}}']);
  choose(['v'], 0);
  expect(at(['v']).choosers.map(({ branches }) => branches.map((each) => each.types))).toEqual([
    [['boolean', 'null'], ['object']],
    [['boolean'], ['null']],
  ]);
  choose(['v'], 1, 1);
  expect([chosen(['v']), sent()]).toEqual([[0, 1], '{"v":null}']);
});

test('alternatives of the arguments that are not objects are not offered', () => {
  const objects = [
    { type: 'object', ...optional('a') },
    { type: 'object', ...optional('b') },
  ];
  const both = open({
    anyOf: [
      { type: 'string' },
      ...objects,
      { type: 'null' },
      { enum: [1, 2] },
      { type: ['array', 'integer'] },
    ],
  });
  expect(both.at([]).choosers[0]?.branches.length).toBe(2);
  both.choose([], 1);
  expect([both.chosen([]), both.sent(), [...both.at([]).shape.properties.keys()]]).toEqual([
    [1],
    '{}',
    ['b'],
  ]);
  // Only one alternative is left, so there is nothing to choose.
  const only = open({ oneOf: [{ type: ['array', 'null'] }, objects[0]] });
  expect([only.chosen([]), [...only.at([]).shape.properties.keys()]]).toEqual([[], ['a']]);
  expect(open({ type: ['object', 'null'] }).chosen([])).toEqual([]);
});

test('items and names that are added are empty until something is entered', () => {
  const { form, at, choose, type, draft } = open(
    one({ type: 'array', items: { type: ['string', 'number'] } }),
  );
  form.add(['v'], at(['v']).shape);
  form.add(['v', 0], form.schema.shape({ type: ['string', 'number'] }));
  form.add(['v', 1], form.schema.shape({ type: ['string', 'number'] }));
  expect(JSON.parse(draft.text)).toEqual({ v: [null, null] });
  expect(findMissingValues(form)).toEqual([
    ['v', 0],
    ['v', 1],
  ]);
  choose(['v', 1], 1);
  type(['v', 1], '-1');
  form.set(['v', 0], '""');
  expect([JSON.parse(draft.text), findMissingValues(form)]).toEqual([{ v: ['', -1] }, []]);
  form.empty(['v', 1]);
  expect(findMissingValues(form)).toEqual([['v', 1]]);
});

test('choices move with the items of a list', () => {
  const item = { type: 'object', anyOf: [optional('a'), optional('b')] };
  const { form, chosen, choose } = open(
    { properties: { v: { type: 'array', items: item } } },
    '{"v": [{}, {}, {}]}',
  );
  choose(['v', 2], 1);
  form.swap(['v'], 1, 2);
  expect([0, 1, 2].map((at) => chosen(['v', at])[0])).toEqual([0, 1, 0]);
  form.remove(['v', 0]);
  expect([0, 1].map((at) => chosen(['v', at])[0])).toEqual([1, 0]);
});

test('the choice outlives the form, and a change of another value as JSON', () => {
  const schema = { properties: { u: { anyOf: [optional('a'), optional('b')] }, n: {} } };
  const { form, choose, chosen, draft } = open(schema, '{"u": {}, "n": 1}');
  choose(['u'], 1);
  draft.write('{"u": {}, "n": 2}');
  expect([typeof form.value, chosen(['u'])]).toEqual(['object', [1]]);
  draft.write('{"u": {"a": "x"}}');
  expect([typeof form.value, chosen(['u'])]).toEqual(['object', [0]]);
});

test('a suggested value shows the alternative that it fits', () => {
  const { form, chosen } = open({ properties: { v: { anyOf: types('number', 'string') } } });
  expect(chosen(['v'])).toEqual([0]);
  form.suggest(['v'], '"auto"');
  expect(chosen(['v'])).toEqual([1]);
});

test('minItems are added empty, and are asked for', () => {
  const { form, at, draft } = open(one({ type: 'array', minItems: 2, items: { type: 'integer' } }));
  expect([draft.text, findMissingValues(form)]).toEqual(['{}', [['v']]]);
  form.add(['v'], at(['v']).shape);
  expect(findMissingValues(form)).toEqual([
    ['v', 0],
    ['v', 1],
  ]);
});
