import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../spec/json.ts';
import { argumentNotes, misfits } from './argument-notes.ts';

const parameters = {
  type: 'object',
  properties: { location: { type: 'string' }, days: { type: 'integer' } },
  required: ['location'],
};

test('arguments that fit raise nothing', () => {
  expect(argumentNotes('{"location": "Oslo"}', parameters)).toEqual({ fault: null, remarks: [] });
});

test('missing and unknown names are remarked on', () => {
  expect(argumentNotes('{"loc": 1, "toString": 2}', parameters).remarks).toEqual([
    { text: 'location is required', path: null },
    { text: 'loc is not in the schema', path: ['loc'] },
    { text: 'toString is not in the schema', path: ['toString'] },
  ]);
});

test('a value of another type is remarked on', () => {
  expect(argumentNotes('{"location": "Oslo", "days": "3"}', parameters).remarks).toEqual([
    { text: 'days is a string, expected integer', path: ['days'] },
  ]);
});

test('a schema that leaves room for other names raises no remark about them', () => {
  expect(
    argumentNotes('{"location": "", "x": 1}', { ...parameters, additionalProperties: true })
      .remarks,
  ).toEqual([]);
  expect(argumentNotes('{"x": 1}', { type: 'object' }).remarks).toEqual([]);
});

test('text that is no object cannot be sent', () => {
  expect(argumentNotes('[1]', parameters).fault?.message).toBe(
    'Arguments must be a JSON object: { … }',
  );
  expect(argumentNotes('{"a": }', parameters).fault).toMatchObject({ line: 1, column: 7 });
});

function said(value: Json, schema: JsonObject, more: JsonObject = {}): string[] {
  const parameters = { type: 'object', properties: { x: schema }, ...more };
  return misfits({ x: value }, parameters).map(({ path, words }) => `${path.join('/')} ${words}`);
}

test('a value of a declared type raises nothing', () => {
  expect(
    [
      said('a', { type: 'string' }),
      said(3.0, { type: 'integer' }),
      said(1e30, { type: 'integer' }),
      said(JSON.parse('1e999') as number, { type: 'integer' }),
      said(1, { type: 'number' }),
      said(null, { type: ['string', 'null'] }),
      said([1], { type: 'array', items: { type: 'integer' } }),
      said({ a: 1 }, { type: 'object', additionalProperties: { type: 'integer' } }),
      said(true, {}),
      said('a', { type: 'str' }),
      said('a', { type: [] }),
    ].flat(),
  ).toEqual([]);
});

test('a value of another type is named, with what the schema says', () => {
  expect([
    said(1.5, { type: 'integer' }),
    said('1', { type: ['integer', 'null'] }),
    said([1], { type: 'object' }),
    said({}, { type: 'array', items: { type: 'string' } }),
    said(null, { type: 'boolean' }),
  ]).toEqual([
    ['x is a number, expected integer'],
    ['x is a string, expected integer or null'],
    ['x is an array, expected object'],
    ['x is an object, expected array of string'],
    ['x is null, expected boolean'],
  ]);
});

test('values inside lists, tuples and objects are looked at, through references too', () => {
  const $defs = { stop: { type: 'object', properties: { name: { type: 'string' } } } };
  const stops = { type: 'array', items: { $ref: '#/$defs/stop' } };
  expect(said([{ name: 'a' }, { name: 1 }, 2], stops, { $defs })).toEqual([
    'x/1/name is a number, expected string',
    'x/2 is a number, expected object',
  ]);
  expect(said([1, 1], { prefixItems: [{ type: 'string' }] })).toEqual([
    'x/0 is a number, expected string',
  ]);
});

test('of choices only what none of them allows is named', () => {
  const optional = {
    anyOf: [{ type: 'object', properties: { n: { type: 'integer' } } }, { type: 'null' }],
  };
  expect([
    said(null, optional),
    said({ n: 1 }, optional),
    said('a', optional),
    said({ n: 'a' }, optional),
  ]).toEqual([
    [],
    [],
    ['x is a string, expected object or null'],
    ['x/n is a string, expected integer'],
  ]);
  // Which of two objects was meant is for the call to find out.
  const either = { oneOf: [optional.anyOf[0] ?? {}, { type: 'object' }] };
  expect(said({ n: 'a' }, either)).toEqual([]);
});

test('a value that is not on the list is named', () => {
  expect(said('m', { enum: ['km', 'mi'] })).toEqual(['x is not one of the allowed values']);
  expect([...said('km', { enum: ['km'] }), ...said([1], { enum: [[1]] })]).toEqual([]);
});

test('properties that patterns allow are left to the call', () => {
  const schema = { patternProperties: { '^(a+)+$': {} }, additionalProperties: { type: 'string' } };
  expect(said({ [`${'a'.repeat(50)}!`]: 1 }, schema)).toEqual([]);
});

test('names of the prototype are no properties', () => {
  expect(
    misfits(JSON.parse('{"__proto__": 1, "toString": 2}') as Json, { properties: {} }),
  ).toEqual([]);
});

test('schemas and values that are made to last take no time', () => {
  const self = { $ref: '#/$defs/self' };
  const $defs = { self: { anyOf: Array.from({ length: 50 }, () => self), items: self } };
  const wide = { type: 'array', items: self };
  const began = performance.now();
  said(Array(100_000).fill([[1]]), wide, { $defs });
  said(Array(100_000).fill(1), { type: 'array', items: { type: 'string' } });
  said('a', { type: 'integer', anyOf: Array.from({ length: 50 }, () => self) }, { $defs });
  expect(performance.now() - began).toBeLessThan(500);
});
