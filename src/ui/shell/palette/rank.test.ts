import { expect, test } from 'vitest';
import { rank } from './rank.ts';

function best(query: string, ...texts: string[]): string[] {
  return texts
    .map((text) => ({ text, score: rank(query, text) }))
    .filter(({ score }) => score !== null)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .map(({ text }) => text);
}

test('the beginning of a word counts more than its middle', () => {
  expect(best('conv', 'units:reconvert', 'dates:convert_time')).toEqual([
    'dates:convert_time',
    'units:reconvert',
  ]);
});

test('the letters of words’ beginnings find them', () => {
  expect(best('gt', 'weather:get_temperatures', 'units:weight')).toEqual([
    'weather:get_temperatures',
    'units:weight',
  ]);
});

test('a text in which the letters do not occur in order is none', () => {
  expect(best('zx', 'dates:convert_time')).toEqual([]);
  expect(best('ABC', 'a_b_c')).toEqual(['a_b_c']);
});

test('nothing typed leaves everything', () => {
  expect(rank('  ', 'x')).toBe(0);
});

test('words answer in any order, next to the phrase as it was typed', () => {
  expect(best('csv read', 'csv_tools:write', 'breadxcsv', 'table:read_csv', 'csv read')).toEqual([
    'csv read',
    'table:read_csv',
    'breadxcsv',
  ]);
  expect(rank('csv read', 'read_csv')).toBeGreaterThan(0);
  expect(rank('csv nothing', 'read_csv')).toBeNull();
});
