import { expect, test } from 'vitest';
import { jsonTable } from './json-table.ts';

test('a list of objects is a table of all their keys', () => {
  expect(jsonTable('[{"a": 1.0, "b": "x"}, {"b": null, "c": [2]}]', 10)).toEqual({
    key: null,
    columns: ['a', 'b', 'c'],
    rows: [
      ['1.0', '"x"', undefined],
      [undefined, 'null', '[2]'],
    ],
    more: false,
  });
});

test('a list of lists is a table without names', () => {
  expect(jsonTable('[[1, 2], [3]]', 10)).toMatchObject({
    columns: ['0', '1'],
    rows: [
      ['1', '2'],
      ['3', undefined],
    ],
  });
});

test('the list may be a member', () => {
  expect(jsonTable('{"count": 1, "names": ["a"], "rows": [{"n": 1}]}', 10)).toMatchObject({
    key: 'rows',
    columns: ['n'],
  });
});

test('further rows are reported', () => {
  const text = JSON.stringify(Array.from({ length: 30 }, (_, n) => ({ n })));
  expect(jsonTable(text, 10)).toMatchObject({ more: true });
  expect(jsonTable(text, 10)?.rows).toHaveLength(10);
});

test.each(['[1, 2]', '[{"a": 1}, 2]', '[]', '{}', '[{}]', '"x"', '{"a": {"b": 1}}'])(
  'no table: %s',
  (text) => {
    expect(jsonTable(text, 10)).toBeNull();
  },
);
