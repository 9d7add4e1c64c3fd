import { expect, test } from 'vitest';
import { jsonPieces } from '../json/json-text.ts';
import { textPieces } from './cut-text.ts';
import { GrowingCount, PieceReader } from './piece-by-piece.svelte.ts';

test('a short text is complete at once, with its hidden characters made visible', () => {
  const reader = new PieceReader('a\u0007b', textPieces);
  expect([reader.shown, reader.ended]).toEqual([['a⟨BEL⟩b'], true]);
  expect([new PieceReader('', textPieces).shown, new PieceReader('', textPieces).ended]).toEqual([
    [],
    true,
  ]);
});

test('ten megabytes are shown from the start, and the rest step by step', () => {
  const text = `["${'x'.repeat(10_000_000)}"]`;
  const reader = new PieceReader(text, jsonPieces);
  expect([reader.shown.length, reader.shown.join('').length < 120_000, reader.reading]).toEqual([
    1,
    true,
    false,
  ]);
  reader.showAll();
  while (reader.reading) reader.step();
  expect(reader.shown.join('') === `[\n  "${'x'.repeat(10_000_000)}"\n]`).toBe(true);
});

test('of a short text with thousands of lines, the first are shown', () => {
  const text = '\n'.repeat(30_000);
  const reader = new PieceReader(text, textPieces);
  expect([reader.shown.join('').length, reader.ended]).toEqual([2_000, false]);
  reader.showAll();
  while (reader.reading) reader.step();
  expect(reader.shown.join('') === text).toBe(true);
});

test('a list is drawn piece by piece, and another list begins again with its first piece', () => {
  let list = { name: 'first', length: 25 };
  const drawn = new GrowingCount({
    length: () => list.length,
    piece: () => 10,
    of: () => list.name,
  });
  const counts: number[] = [];
  const grow = (times: number): void => {
    for (let n = 0; n < times; n += 1) {
      counts.push(drawn.current);
      drawn.grow();
    }
  };
  grow(4);
  list = { name: 'second', length: 15 };
  grow(3);
  // If a list was drawn completely, items that are added to it are drawn at once.
  list = { name: 'second', length: 18 };
  grow(1);
  expect(counts).toEqual([10, 20, 25, 25, 10, 15, 15, 18]);
});
