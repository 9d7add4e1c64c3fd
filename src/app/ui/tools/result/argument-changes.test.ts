import { expect, test } from 'vitest';
import { argumentChanges } from './argument-changes.ts';

test('members that were changed, added and removed are listed, with exact numbers', () => {
  const before = '{"city": "Oslo", "days": 1, "unit": "c", "same": {"a": [1, 2]}}';
  const after = '{"city":"Rome","days":1.0,"same":{"a":[1,2]},"new":null}';
  expect(argumentChanges(before, after)).toEqual([
    { name: 'city', before: '"Oslo"', after: '"Rome"' },
    { name: 'days', before: '1', after: '1.0' },
    { name: 'unit', before: '"c"', after: null },
    { name: 'new', before: null, after: 'null' },
  ]);
});

test('spaces inside of strings count, those between tokens do not', () => {
  expect(argumentChanges('{"a": ["x y", 1]}', '{"a":["x y",1]}')).toEqual([]);
  expect(argumentChanges('{"a": ["x y"]}', '{"a":["x  y"]}')).toHaveLength(1);
});

test('what is not an object has no members', () => {
  expect([argumentChanges('nothing', '{}'), argumentChanges('{}', '[]')]).toEqual([[], []]);
});
