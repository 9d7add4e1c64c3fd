import { expect, test } from 'vitest';
import { JsonMarks, pointerTo } from './json-marks.ts';

const marks = new JsonMarks([
  { pointer: '/a/0/b~1c', message: 'must be a string' },
  { pointer: '/a/0/gone', message: 'is required' },
  { pointer: '', message: 'has too many properties' },
]);

test('a value knows its message, and whether one inside it has one', () => {
  expect([marks.at('/a/0/b~1c'), marks.at(''), marks.at('/a'), marks.isEmpty]).toEqual([
    'must be a string',
    'has too many properties',
    '',
    false,
  ]);
  expect(['', '/a', '/a/0', '/a/0/b~1c', '/a/1'].map((at) => marks.isInside(at))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('missing members are listed at their object', () => {
  expect(marks.missing('/a/0', new Set(['b/c']))).toEqual([['gone', 'is required']]);
  expect(marks.missing('/a/0', new Set(['gone']))).toEqual([['b/c', 'must be a string']]);
  expect([marks.missing('', new Set(['a'])), marks.missing('/a', new Set(['0']))]).toEqual([
    [],
    [],
  ]);
});

test('a pointer escapes names', () => {
  expect(pointerTo(pointerTo('', 'a/b~'), 0)).toBe('/a~1b~0/0');
});
