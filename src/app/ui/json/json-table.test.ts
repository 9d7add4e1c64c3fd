import { expect, test } from 'vitest';
import { jsonTable, updateTable } from './json-table.ts';
import type { Update } from '../../../runtime/spec/result.ts';

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

const updates = (...jsons: readonly string[]): Update[] => jsons.map((json, n) => ({ n, json }));

test('equal objects are the rows of a table', () => {
  expect(updateTable(updates('{"a": 1.0, "b": "x"}', '{"b": "y", "a": 2}'))).toMatchObject({
    columns: ['a', 'b'],
    rows: [
      { number: 1, cells: ['1.0', '"x"'] },
      { number: 2, cells: ['2', '"y"'] },
    ],
  });
});

test('the latest update comes first where it is to', () => {
  const table = updateTable(updates('{"a": 1}', '{"a": 2}'), true);
  expect(table?.rows.map(({ number }) => number)).toEqual([2, 1]);
});

test('a list of equal objects is a table, and the latest one counts', () => {
  const table = updateTable(updates('[{"a": 1}]', '[{"a": 2}, {"a": 3}]'));
  expect(table).toMatchObject({ columns: ['a'], rows: [{ cells: ['2'] }, { cells: ['3'] }] });
});

test('anything else stays a log', () => {
  const others = [
    updates('{"a": 1}'),
    updates('{"a": 1}', '{"b": 1}'),
    updates('{"a": 1}', '{"a": 1, "b": 2}'),
    updates('1', '{"a": 1}'),
    updates('[1, 2]'),
    updates('[{"a": 1}, {"b": 2}]'),
    updates('[[1], [2]]'),
    updates('{"rows": [{"a": 1}]}', '{"rows": [{"a": 1}]}').slice(0, 1),
    [],
  ];
  expect(others.map((each) => updateTable(each))).toEqual(others.map(() => null));
});

test('long updates stay a log, and only the latest rows are a table', () => {
  expect(updateTable(updates(`[{"a": "${'x'.repeat(200_000)}"}]`))).toBeNull();
  const many = updates(...Array.from({ length: 5_000 }, (_, n) => `{"a": ${String(n)}}`));
  expect(updateTable(many)?.rows.length).toBe(100);
  expect(updateTable(many)?.rows.at(-1)).toEqual({ number: 5_000, cells: ['4999'] });
});
