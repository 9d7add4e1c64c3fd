import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../spec/json.ts';
import { argumentNotes, misfits } from './argument-notes.ts';

const parameters = {
  type: 'object',
  properties: { location: { type: 'string' }, days: { type: 'integer' } },
  required: ['location'],
};

test('valid arguments have no notes', () => {
  expect(argumentNotes('{"location": "Oslo"}', parameters)).toEqual({ fault: null, remarks: [] });
});

test('missing and unknown names are noted', () => {
  expect(argumentNotes('{"loc": 1, "toString": 2}', parameters).remarks).toEqual([
    { text: 'location is required', path: null },
    { text: 'loc is not in the schema', path: ['loc'] },
    { text: 'toString is not in the schema', path: ['toString'] },
  ]);
});

test('a value of the wrong type is noted', () => {
  expect(argumentNotes('{"location": "Oslo", "days": "3"}', parameters).remarks).toEqual([
    { text: 'days is a string, expected integer', path: ['days'] },
  ]);
});

test('unknown names are not noted if the schema allows others', () => {
  expect(
    argumentNotes('{"location": "", "x": 1}', { ...parameters, additionalProperties: true })
      .remarks,
  ).toEqual([]);
  expect(argumentNotes('{"x": 1}', { type: 'object' }).remarks).toEqual([]);
});

test('text that is not an object cannot be sent', () => {
  expect(argumentNotes('[1]', parameters).fault?.message).toBe(
    'Arguments must be a JSON object: { … }',
  );
  expect(argumentNotes('{"a": }', parameters).fault).toMatchObject({ line: 1, column: 7 });
});

function notesOn(value: Json, schema: JsonObject, more: JsonObject = {}): string[] {
  const parameters = { type: 'object', properties: { x: schema }, ...more };
  return misfits({ x: value }, parameters).map(({ path, words }) => `${path.join('/')} ${words}`);
}

test('a value of a declared type is not noted', () => {
  expect(
    [
      notesOn('a', { type: 'string' }),
      notesOn(3.0, { type: 'integer' }),
      notesOn(1e30, { type: 'integer' }),
      notesOn(JSON.parse('1e999') as number, { type: 'integer' }),
      notesOn(1, { type: 'number' }),
      notesOn(null, { type: ['string', 'null'] }),
      notesOn([1], { type: 'array', items: { type: 'integer' } }),
      notesOn({ a: 1 }, { type: 'object', additionalProperties: { type: 'integer' } }),
      notesOn(true, {}),
      notesOn('a', { type: 'str' }),
      notesOn('a', { type: [] }),
    ].flat(),
  ).toEqual([]);
});

test("a value of the wrong type is named, with the schema's type", () => {
  expect([
    notesOn(1.5, { type: 'integer' }),
    notesOn('1', { type: ['integer', 'null'] }),
    notesOn([1], { type: 'object' }),
    notesOn({}, { type: 'array', items: { type: 'string' } }),
    notesOn(null, { type: 'boolean' }),
  ]).toEqual([
    ['x is a number, expected integer'],
    ['x is a string, expected integer or null'],
    ['x is an array, expected object'],
    ['x is an object, expected array of string'],
    ['x is null, expected boolean'],
  ]);
});

test('values in lists, tuples and objects are checked, also through references', () => {
  const $defs = { stop: { type: 'object', properties: { name: { type: 'string' } } } };
  const stops = { type: 'array', items: { $ref: '#/$defs/stop' } };
  expect(notesOn([{ name: 'a' }, { name: 1 }, 2], stops, { $defs })).toEqual([
    'x/1/name is a number, expected string',
    'x/2 is a number, expected object',
  ]);
  expect(notesOn([1, 1], { prefixItems: [{ type: 'string' }] })).toEqual([
    'x/0 is a number, expected string',
  ]);
});

test('a value is noted only if no alternative of the schema allows it', () => {
  const optional = {
    anyOf: [{ type: 'object', properties: { n: { type: 'integer' } } }, { type: 'null' }],
  };
  expect([
    notesOn(null, optional),
    notesOn({ n: 1 }, optional),
    notesOn('a', optional),
    notesOn({ n: 'a' }, optional),
  ]).toEqual([
    [],
    [],
    ['x is a string, expected object or null'],
    ['x/n is a string, expected integer'],
  ]);
  // Only the call itself can tell which of two objects was meant.
  const either = { oneOf: [optional.anyOf[0] ?? {}, { type: 'object' }] };
  expect(notesOn({ n: 'a' }, either)).toEqual([]);
});

test('a value outside an enumeration is noted', () => {
  expect(notesOn('m', { enum: ['km', 'mi'] })).toEqual(['x is not one of the allowed values']);
  expect([...notesOn('km', { enum: ['km'] }), ...notesOn([1], { enum: [[1]] })]).toEqual([]);
});

test('properties that match patterns are not checked', () => {
  const schema = { patternProperties: { '^(a+)+$': {} }, additionalProperties: { type: 'string' } };
  expect(notesOn({ [`${'a'.repeat(50)}!`]: 1 }, schema)).toEqual([]);
});

test('names of Object.prototype are not properties', () => {
  expect(
    misfits(JSON.parse('{"__proto__": 1, "toString": 2}') as Json, { properties: {} }),
  ).toEqual([]);
});

test('hostile schemas and values are checked in bounded time', () => {
  const self = { $ref: '#/$defs/self' };
  const $defs = { self: { anyOf: Array.from({ length: 50 }, () => self), items: self } };
  const wide = { type: 'array', items: self };
  const began = performance.now();
  notesOn(Array(100_000).fill([[1]]), wide, { $defs });
  notesOn(Array(100_000).fill(1), { type: 'array', items: { type: 'string' } });
  notesOn('a', { type: 'integer', anyOf: Array.from({ length: 50 }, () => self) }, { $defs });
  expect(performance.now() - began).toBeLessThan(500);
});
