import { expect, test } from 'vitest';
import { argumentPlace, pathText, valueAt } from './argument-place.ts';

/** The bar marks the caret. */
function place(marked: string): [(string | number)[], string | null] {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { path, token } = argumentPlace(text, offset);
  return [[...path], token && text.slice(token.start, token.end)];
}

test.each<[string, (string | number)[], string | null]>([
  ['{"city": "Os|lo"}', ['city'], '"Oslo"'],
  ['{"city": |"Oslo"}', ['city'], '"Oslo"'],
  ['{"city": "Oslo|', ['city'], '"Oslo'],
  ['{"ci|ty": "Oslo"}', ['city'], null],
  ['{"a": 1, "b": tr|ue}', ['b'], 'true'],
  ['{"a": [1, {"b": 2|}]}', ['a', 1, 'b'], '2'],
  ['{"a": [10, 2|0]}', ['a', 1], '20'],
  ['{"a": "x, \\"y\\": |", "b": 1}', ['a'], '"x, \\"y\\": "'],
  ['{"a": |}', ['a'], null],
  ['{|}', [], null],
  ['{"a": 1, |}', [], null],
  ['{"a": {|}}', ['a'], null],
  ['|', [], null],
  ['{"a": 1}|', [], null],
])('%s', (marked, path, token) => {
  expect(place(marked)).toEqual([path, token]);
});

test('a value is found by its path, and of duplicate names the last one', () => {
  const text = '{"a": [1, {"b": "x"}], "a": [2, {"b": "yy"}]}';
  const found = valueAt(text, ['a', 1, 'b']);
  expect(found && text.slice(found.start, found.end)).toBe('"yy"');
  expect(valueAt(text, ['a', 2])).toBeNull();
  expect(pathText(['a', 1, 'b'])).toBe('a[1].b');
});
