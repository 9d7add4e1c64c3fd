import { expect, test } from 'vitest';
import { rank } from './rank.ts';

function best(query: string, ...texts: string[]): string[] {
  return texts
    .map((text) => ({ text, score: rank(query, text) }))
    .filter(({ score }) => score !== null)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .map(({ text }) => text);
}

test('a match at the start of a word ranks above one inside it', () => {
  expect(best('conv', 'units:reconvert', 'dates:convert_time')).toEqual([
    'dates:convert_time',
    'units:reconvert',
  ]);
});

test('the initial letters of words match', () => {
  expect(best('gt', 'weather:get_temperatures', 'units:weight')).toEqual([
    'weather:get_temperatures',
    'units:weight',
  ]);
});

test('a text without the letters in order does not match', () => {
  expect(best('zx', 'dates:convert_time')).toEqual([]);
  expect(best('ABC', 'a_b_c')).toEqual(['a_b_c']);
});

test('an empty query matches everything', () => {
  expect(rank('  ', 'x')).toBe(0);
});

test('words match in any order, ranked below the exact phrase', () => {
  expect(best('csv read', 'csv_tools:write', 'breadxcsv', 'table:read_csv', 'csv read')).toEqual([
    'csv read',
    'table:read_csv',
    'breadxcsv',
  ]);
  expect(rank('csv read', 'read_csv')).toBeGreaterThan(0);
  expect(rank('csv nothing', 'read_csv')).toBeNull();
});
