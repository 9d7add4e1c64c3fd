import { expect, test } from 'vitest';
import { isSameJson, textsNotIn } from './same-json.ts';

test('duplicates are removed, however they are formatted', () => {
  const pretty = '{\n  "city": "Oslo"\n}';
  expect(textsNotIn(['{"city":"Oslo"}', 'no JSON'], [pretty, '{"city": "Bergen"}'])).toEqual([
    '{"city": "Bergen"}',
  ]);
  expect(textsNotIn(['no JSON'], ['no JSON', '{}'])).toEqual(['{}']);
});

test('texts that differ in a number that JavaScript would round are not the same', () => {
  expect(isSameJson('{"n": 9007199254740993}', '{"n":9007199254740992}')).toBe(false);
  expect(isSameJson('{"n": 1.0}', '{"n": 1}')).toBe(false);
  expect(isSameJson(' {"n": 9007199254740993}', '{ "n":9007199254740993 }')).toBe(true);
});
