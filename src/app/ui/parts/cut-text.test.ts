import { expect, test } from 'vitest';
import {
  cutMiddle,
  fitsField,
  isQuick,
  lastPieces,
  pieceChars,
  quickPieces,
  textPieces,
} from './cut-text.ts';

test('a short text is one piece, an empty one none', () => {
  expect([...textPieces('abc', 10)]).toEqual(['abc']);
  expect([...textPieces('', 10)]).toEqual([]);
});

test('pieces end after a nearby line break', () => {
  expect([...textPieces('123456789012345678\n9abc', 20)]).toEqual(['123456789012345678\n', '9abc']);
  expect([...textPieces('1234\n678901234567890abc', 20)]).toEqual(['1234\n678901234567890', 'abc']);
  expect([...textPieces('1234567890123456789\nabc', 20)]).toEqual(['1234567890123456789\n', 'abc']);
  expect([...textPieces(`${'x'.repeat(95)}\n${'y'.repeat(30)}`, 100)]).toEqual([
    `${'x'.repeat(95)}\n`,
    'y'.repeat(30),
  ]);
});

test('pieces of too many lines are split after a line break', () => {
  const split = (...pieces: string[]): string[] => [...quickPieces(pieces[Symbol.iterator](), 2)];
  expect(split('a\nb\nc\n', 'd', '\n\n\n\n\n')).toEqual([
    'a\nb\n',
    'c\n',
    'd',
    '\n\n',
    '\n\n',
    '\n',
  ]);
  expect(split('', 'a\nb\n')).toEqual(['', 'a\nb\n']);
});

test('a surrogate pair is never split', () => {
  const text = `${'a'.repeat(9)}😀b`;
  expect([...textPieces(text, 10)]).toEqual(['aaaaaaaaa', '😀b']);
});

test('the pieces of a line of ten megabytes join to the same text', () => {
  const text = 'é'.repeat(10_000_000);
  const pieces = [...textPieces(text)];
  expect(pieces.length).toBe(Math.ceil(text.length / pieceChars));
  expect(pieces.join('') === text).toBe(true);
});

test('characters that take long to lay out are in smaller pieces', () => {
  const lengths = (text: string) =>
    [...quickPieces([text][Symbol.iterator]())].map(({ length }) => length);
  for (const slow of ['\u202e', '\u0301', 'ก', 'ﷺ'])
    expect(lengths(slow.repeat(5_000))).toEqual([2_000, 2_000, 1_000]);
  expect(lengths('a漢é '.repeat(2_000))).toEqual([8_000]);
  expect(lengths('ก'.repeat(2_000))).toEqual([2_000]);
});

test('pieces of slow text end after a line or else a word, and never begin with a mark or joiner', () => {
  const split = (text: string) => {
    const pieces = [...quickPieces([text][Symbol.iterator]())];
    expect(pieces.join('')).toBe(text);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(2_000);
    return pieces;
  };
  const words = 'नमस्ते दुनिया ';
  for (const piece of split(words.repeat(1_000)).slice(0, -1))
    expect(piece.endsWith(' ')).toBe(true);
  for (const piece of split(`${words.repeat(20)}\n`.repeat(50)))
    expect(piece.endsWith('\n')).toBe(true);
  for (const start of ['```\n', 'a '])
    expect(split(`${start}${'ក'.repeat(3_000)}`)[0]).toHaveLength(2_000);
  for (const text of [
    'कि'.repeat(3_000),
    'क्\u200d'.repeat(3_000),
    'กำ่'.repeat(3_000),
    ` \u0301${'ก'.repeat(9)}`.repeat(500),
  ])
    for (const piece of split(`x${text}`)) expect(piece).not.toMatch(/^[\p{M}\u200c\u200d]/u);
  // An attack has so many marks.
  expect(split('\u{e0100}'.repeat(3_000)).every((piece) => !/\p{Surrogate}/u.test(piece))).toBe(
    true,
  );
});

test('nothing is cut before a mark', () => {
  expect([...textPieces('aaaaaaaae\u0301b', 9)]).toEqual(['aaaaaaaa', 'e\u0301b']);
});

test('a text field gets no text that takes long to lay out', () => {
  expect(fitsField('\n'.repeat(3_999))).toBe(true);
  expect(fitsField('\n'.repeat(4_000))).toBe(false);
  expect(fitsField('ก'.repeat(4_000))).toBe(true);
  expect(fitsField('ก'.repeat(4_001))).toBe(false);
  expect(fitsField('some words of a plan\n'.repeat(3_000))).toBe(true);
  expect(fitsField('x'.repeat(250_000))).toBe(true);
  expect(fitsField('x'.repeat(250_001))).toBe(false);
});

test('the end of a growing text is limited by what takes long to lay out', () => {
  expect(lastPieces('')).toEqual({ pieces: [], cut: false });
  expect(lastPieces('one\ntwo')).toEqual({ pieces: ['one\ntwo'], cut: false });
  const ascii = 'x'.repeat(50_000);
  const whole = lastPieces(ascii);
  expect([whole.pieces.join(''), whole.cut]).toEqual([ascii, false]);
  for (const slow of [
    'ខ្មែរ',
    'ລາວ',
    'ไทย',
    'မြန်မာ',
    'བོད',
    'عَرَ',
    'a\u0301\u0302',
    '👩‍👩‍👧',
    '\u001b[',
  ]) {
    const text = slow.repeat(50_000 / slow.length);
    const { pieces, cut } = lastPieces(text);
    expect([slow, cut]).toEqual([slow, true]);
    expect(text.endsWith(pieces.join(''))).toBe(true);
    expect(pieces.join('').length).toBeLessThanOrEqual(3 * pieceChars);
    // A piece has at most 2,000 slow characters.
    expect(pieces.every(isQuick)).toBe(true);
  }
});

test('a short text is not cut', () => {
  expect(cutMiddle('abcdef', 3, 3)).toBe('abcdef');
});

test('start and end of a long text stay', () => {
  expect(cutMiddle('https://a.example/long/way?to=go', 18, 4)).toBe('https://a.example/…o=go');
});

test('no character is split', () => {
  expect(cutMiddle('😀😀😀😀', 3, 3)).toBe('😀…😀');
});
