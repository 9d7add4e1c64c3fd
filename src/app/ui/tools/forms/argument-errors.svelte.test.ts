import { expect, test, vi } from 'vitest';
import type { ArgumentError } from '../../../../runtime/protocol/argument-check.ts';
import { ArgumentErrors, argumentNotes, remarksOf } from './argument-errors.svelte.ts';

test('a check that finds the same errors keeps their list, which every field follows', async () => {
  vi.useFakeTimers();
  const parameters = {};
  let found: ArgumentError[] = [];
  const errors = new ArgumentErrors(
    Promise.resolve({ check: () => Promise.resolve([...found]), dispose: () => undefined }),
  );
  const lists: (readonly ArgumentError[])[] = [];
  for (const message of ['', 'is missing', 'is missing', 'is wrong']) {
    found = message === '' ? [] : [{ pointer: '/a', path: 'a', message }];
    errors.update(parameters, '{}');
    await vi.runAllTimersAsync();
    lists.push(errors.all);
  }
  expect(lists.map((list) => list[0]?.message)).toEqual([
    undefined,
    'is missing',
    'is missing',
    'is wrong',
  ]);
  expect([lists[1] === lists[2], lists[2] === lists[3]]).toEqual([true, false]);
  errors.dispose();
  vi.useRealTimers();
});

const parameters = {
  type: 'object',
  properties: { location: { type: 'string' }, days: { type: 'integer' } },
  required: ['location'],
};

test('unknown names are noted, unless the schema says what others may be', () => {
  expect(argumentNotes('{"location": "Oslo"}', parameters)).toEqual({ fault: null, remarks: [] });
  expect(argumentNotes('{"loc": 1, "toString": 2}', parameters).remarks).toEqual([
    { text: 'loc is not in the schema', path: ['loc'] },
    { text: 'toString is not in the schema', path: ['toString'] },
  ]);
  for (const others of [true, false])
    expect(
      argumentNotes('{"x": 1}', { ...parameters, additionalProperties: others }).remarks,
    ).toEqual([]);
  expect(argumentNotes('{"x": 1}', { type: 'object' }).remarks).toEqual([]);
});

test('text that is not an object cannot be sent', () => {
  expect(argumentNotes('[1]', parameters).fault?.message).toBe(
    'Arguments must be a JSON object: { … }',
  );
  expect(argumentNotes('{"a": }', parameters).fault).toMatchObject({ line: 1, column: 7 });
});

const draft = (formText: string) => ({ formText, unfinished: new Map() });

test('errors of the check become remarks that lead to the value', () => {
  const errors = [
    { path: '$.a[0]["b/c"]', pointer: '/a/0/b~1c', message: 'is required' },
    { path: '$', pointer: '', message: 'is too short' },
  ];
  expect(remarksOf(errors, draft('{"a": [{}]}'), true)).toEqual([
    { text: 'a[0]["b/c"] is required', path: ['a', 0, 'b/c'] },
    { text: 'The arguments is too short', path: [] },
  ]);
  // The field is still empty.
  expect(remarksOf(errors, draft('{"a": [{}]}'), false)).toEqual([
    { text: 'The arguments is too short', path: [] },
  ]);
  expect(remarksOf(errors, draft('{"a": '), true)).toEqual([]);
});
