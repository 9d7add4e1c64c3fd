import { expect, test } from 'vitest';
import { found, type PaletteEntry } from './palette-entries.ts';

function entry(words: string, detail = ''): PaletteEntry {
  return { id: words, kind: 'tool', words, detail, choose: () => undefined };
}

test('the best match comes first, and labels match too', () => {
  const entries = [entry('a:search', 'Find words'), entry('b:find'), entry('c:other')];
  expect(found('find', entries).map(({ words }) => words)).toEqual(['b:find', 'a:search']);
});

test('an empty query shows the first entries in order', () => {
  const entries = Array.from({ length: 80 }, (_, n) => entry(`t:${String(n)}`));
  expect(found('', entries)).toEqual(entries.slice(0, 50));
});
