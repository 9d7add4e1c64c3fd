import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactMember, exactText, exactWriter, parseExact } from './exact-json.ts';

test('numbers keep their spelling', () => {
  for (const text of [
    '{"a": [1.0, 1e400, {"b": -0, "c": "1.0"}], "d": 12345678901234567890}',
    '[3.0, [0.10, 1E5], -0.0, 100]',
    '{"__proto__": 1.0, "10": 2.0, "2": 1}',
  ]) {
    // Integer-like keys come first in an object of JavaScript.
    const sorted = text.replace(
      '"__proto__": 1.0, "10": 2.0, "2": 1',
      '"2": 1, "10": 2.0, "__proto__": 1.0',
    );
    expect(exactText(parseExact(text))).toBe(sorted);
  }
  expect(exactMember(parseExact('{"a": 1.0}') as object as { a: number }, 'a')).toBe('1.0');
  expect(exactMember({}, 'toString')).toBeUndefined();
});

test('of several members with the same name, the last one counts', () => {
  expect(exactText(parseExact('{"a": 1.0, "a": "x"}'))).toBe('{"a": "x"}');
  expect(exactText(parseExact('{"a": {"b": 1.0}, "a": {"b": 2}}'))).toBe('{"a": {"b": 2}}');
  expect(exactText(parseExact('{"a": 1.0, "a": [2.0]}'))).toBe('{"a": [2.0]}');
});

test('a text without such numbers is written as JSON.stringify does', () => {
  expect(exactWriter('{"a":1}')).toBe(JSON.stringify);
  expect(exactWriter('{"a":1.0}')).toBe(exactText);
});

test('any value comes back', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const parsed = JSON.parse(JSON.stringify(value)) as never;
      expect(JSON.parse(exactText(parseExact(JSON.stringify(value))))).toEqual(parsed);
    }),
  );
});
