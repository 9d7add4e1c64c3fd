import { expect, test } from 'vitest';
import { cutBelow, deeperThan, type Json, moreThan } from './json.ts';

test('depth counts objects and arrays, and not the values in them', () => {
  const cases: [Json, number, boolean][] = [
    [1, 0, false],
    ['text', 0, false],
    [[], 0, true],
    [[], 1, false],
    [{ a: 1 }, 1, false],
    [{ a: [1] }, 1, true],
    [{ a: [1] }, 2, false],
    [[1, [2, [3]], 4], 2, true],
    [[1, [2, [3]], 4], 3, false],
  ];
  expect(cases.map(([value, levels]) => deeperThan(value, levels))).toEqual(
    cases.map(([, , deeper]) => deeper),
  );
});

test('what is nested too deeply is replaced, and the rest is kept', () => {
  expect(cutBelow({ a: [1, [2], {}], b: { c: { d: null } } }, 2, '…')).toEqual({
    a: [1, '…', '…'],
    b: { c: '…' },
  });
  expect(cutBelow([1], 0, '…')).toBe('…');
  const flat = { a: [1], b: 'text' };
  expect(cutBelow(flat, 2, '…')).toBe(flat);
});

test('deep nesting does not overflow the stack', () => {
  let value: Json = 1;
  for (let i = 0; i < 50_000; i += 1) value = [value];
  expect(JSON.stringify(cutBelow(value, 3, 0))).toBe('[[[0]]]');
  expect(deeperThan(value, 64)).toBe(true);
  expect(deeperThan(value, 50_000)).toBe(false);
});

test('the count includes values at any depth', () => {
  const cases: [Json, number][] = [
    [1, 1],
    [[], 1],
    [[1, [2, null]], 5],
    [{ a: { b: 'text' }, c: false }, 4],
  ];
  for (const [value, count] of cases)
    expect([moreThan(value, count), moreThan(value, count - 1)]).toEqual([false, true]);
});
