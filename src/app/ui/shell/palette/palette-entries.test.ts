import { expect, test } from 'vitest';
import { commandEntries, findEntries, type PaletteEntry } from './palette-entries.ts';
import { RecentChoices } from './recent-choices.ts';

function entry(words: string, detail = ''): PaletteEntry {
  return {
    id: words,
    kind: 'tool',
    group: 'Tools',
    icon: 'play',
    key: '',
    also: '',
    words,
    detail,
    choose: () => undefined,
  };
}

test('the best match comes first, and labels match too', () => {
  const entries = [entry('a:search', 'Find words'), entry('b:find'), entry('c:other')];
  expect(findEntries('find', entries).map(({ words }) => words)).toEqual(['b:find', 'a:search']);
});

test('an empty query shows the first entries in order', () => {
  const entries = Array.from({ length: 80 }, (_, n) => entry(`t:${String(n)}`));
  expect(findEntries('', entries)).toEqual(entries.slice(0, 50));
});

test('recent choices come first without a query, and survive a reload', () => {
  const kept = new Map<string, string>();
  const memory = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  const entries = ['a:one', 'b:two', 'c:three'].map((words) => entry(words));
  const before = new RecentChoices(memory);
  for (const each of [entries[1], entries[2], entries[2]]) before.add(each!);
  const recent = new RecentChoices(memory);
  const shown = (query: string) =>
    findEntries(query, entries, (each) => recent.placeOf(each)).map(({ words }) => words);
  expect(shown('')).toEqual(['c:three', 'b:two', 'a:one']);
  // A better match stays before a recent one.
  expect(shown('one')).toEqual(['a:one']);
  for (const broken of ['{', '{"a": 1}', '[1, null]']) {
    kept.set('cloche:palette', broken);
    expect(new RecentChoices(memory).placeOf(entries[1]!)).toBe(null);
  }
});

test('commands are listed by group, with their keys, and found by other words', () => {
  const choose = (): void => undefined;
  const commands = [
    { words: 'Theme: dark', group: 'Settings', available: true, choose },
    { words: 'Policy', group: 'Go to', also: 'grants permissions', available: true, choose },
    { words: 'Run', shortcut: { key: 'Enter', held: true }, available: true, choose },
    { words: 'Close folder', group: 'Folder', available: false, choose },
  ] as const;
  const entries = commandEntries(commands, 'Linux');
  expect(entries.map(({ group, words, key }) => [group, words, key])).toEqual([
    ['This page', 'Run', 'Ctrl ↵'],
    ['Go to', 'Policy', ''],
    ['Settings', 'Theme: dark', ''],
  ]);
  const words = (query: string): readonly string[] =>
    findEntries(query, entries).map((each) => each.words);
  expect(words('grant')).toEqual(['Policy']);
  expect(words('gts')).toEqual([]);
});
