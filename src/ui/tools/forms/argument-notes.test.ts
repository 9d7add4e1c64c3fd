import { expect, test } from 'vitest';
import { argumentNotes } from './argument-notes.ts';

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
    { text: 'days is a string; the schema says integer', path: ['days'] },
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
    'Arguments are one JSON object: { … }',
  );
  expect(argumentNotes('{"a": }', parameters).fault).toMatchObject({ line: 1, column: 7 });
});
