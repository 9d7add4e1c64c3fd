import { expect, test } from 'vitest';
import { firstWindow, lineStarts, linesWithin, sourceWindow } from './source-lines.ts';

test('lines are numbered from 1, and their text is unchanged', () => {
  const text = 'def f():\r\n\treturn 1\n';
  expect(sourceWindow(text, lineStarts(text), 1, 10)).toEqual({
    lines: [
      { number: 1, text: 'def f():', start: 0, more: 0 },
      { number: 2, text: '\treturn 1', start: 10, more: 0 },
    ],
    first: 1,
    last: 2,
    total: 2,
  });
});

test('a trailing line break ends the last line and begins no other', () => {
  expect(lineStarts('a\n\n')).toEqual(Uint32Array.of(0, 2));
  expect(lineStarts('a\n')).toEqual(Uint32Array.of(0));
  expect(lineStarts('a')).toEqual(Uint32Array.of(0));
});

test('an empty text has one empty line', () => {
  expect(sourceWindow('', lineStarts(''), 5, 9).lines).toEqual([
    { number: 1, text: '', start: 0, more: 0 },
  ]);
});

test('a window inside a long text contains only its lines', () => {
  const text = Array.from({ length: 50_000 }, (_, i) => `line ${String(i + 1)}`).join('\n');
  const starts = lineStarts(text);
  const shown = sourceWindow(text, starts, 40_000, 40_002);
  expect([shown.total, ...shown.lines.map((line) => line.text)]).toEqual([
    50_000,
    'line 40000',
    'line 40001',
    'line 40002',
  ]);
  expect(sourceWindow(text, starts, 60_000, 70_000).lines.map((line) => line.number)).toEqual([
    50_000,
  ]);
});

test('a very long line is cut, and its length given', () => {
  const text = `x = "${'y'.repeat(10_000)}"`;
  expect(sourceWindow(text, lineStarts(text), 1, 1).lines[0]).toMatchObject({ more: 8_006 });
});

test('the first window contains the requested line', () => {
  expect(firstWindow(null, 30)).toEqual([1, 30]);
  expect(firstWindow(800, 5_000)).toEqual([1, 1_000]);
  expect(firstWindow(2_000, 5_000)).toEqual([1_500, 2_499]);
  expect(firstWindow(4_990, 5_000)).toEqual([4_490, 5_000]);
});

test('lines are coloured until their spans exceed the number that may be drawn', () => {
  const span = { text: 'x', kind: null };
  const spans = [2, 0, 3, 1].map((count) => Array.from({ length: count }, () => span));
  expect([0, 2, 4, 5, 6, 99].map((max) => linesWithin(spans, max))).toEqual([0, 2, 2, 3, 4, 4]);
});
