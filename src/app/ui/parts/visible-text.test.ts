import { expect, test } from 'vitest';
import { spellOut, visibleText } from './visible-text.ts';

test('ordinary text, line breaks, tabs and emoji sequences stay unchanged', () => {
  const text = 'Žluťoučký kůň\n\tनमस्ते\r\n👩‍👩‍👧 ❤️ שלום';
  expect(visibleText(text)).toBe(text);
});

test('ANSI escapes and control characters are shown as names', () => {
  expect(visibleText('\u001b[31mred\u001b[0m\u0000\u0007\u007f')).toBe(
    '⟨ESC⟩[31mred⟨ESC⟩[0m⟨NUL⟩⟨BEL⟩⟨DEL⟩',
  );
  expect(visibleText('\u0001\u000b')).toBe('⟨U+0001⟩⟨U+000B⟩');
  expect(visibleText('\u009b31m')).toBe('⟨U+009B⟩31m');
});

test('a carriage return that would overwrite a line is shown', () => {
  expect(visibleText('safe\rEVIL\r\n')).toBe('safe⟨CR⟩EVIL\r\n');
});

test('bidirectional overrides are shown as names', () => {
  expect(visibleText('a\u202Egnp.exe\u202C \u2066x\u2069')).toBe(
    'a⟨U+202E⟩gnp.exe⟨U+202C⟩ ⟨U+2066⟩x⟨U+2069⟩',
  );
});

test('zero-width and tag characters cannot hide text', () => {
  expect(visibleText('pay\u200Bpal\uFEFF')).toBe('pay⟨U+200B⟩pal⟨U+FEFF⟩');
  expect(visibleText('x\u{E0041}\u{E0100}')).toBe('x⟨U+E0041⟩⟨U+E0100⟩');
});

test('other characters without a width cannot hide text, nor marks draw over other lines', () => {
  expect(visibleText('a\u3164b\u034f\u2062\ufe00\u{e01f0}')).toBe(
    'a⟨U+3164⟩b⟨U+034F⟩⟨U+2062⟩⟨U+FE00⟩⟨U+E01F0⟩',
  );
  expect(visibleText('a\u200d\u200c\u200db')).toBe('a⟨U+200D⟩⟨U+200C⟩⟨U+200D⟩b');
  expect(visibleText(`a${'\u0301'.repeat(9)}`)).toBe(`a${'⟨U+0301⟩'.repeat(9)}`);
  expect(visibleText(`a${'\u0301'.repeat(8)}`)).toBe(`a${'\u0301'.repeat(8)}`);
});

test('the variants of ideographs and symbols, and the flags of England, Scotland and Wales, stay unchanged', () => {
  const flag = (code: string) =>
    `🏴${Array.from(code, (tag) => String.fromCodePoint(0xe0000 + tag.charCodeAt(0))).join('')}`;
  for (const text of [
    '葛\u{e0100}飾',
    '∩\ufe00',
    ...['gbeng', 'gbsct', 'gbwls'].map((c) => flag(`${c}\x7f`)),
  ])
    expect(visibleText(text)).toBe(text);
  expect(visibleText('葛\u{e0100}\u{e0101}')).toBe('葛\u{e0100}⟨U+E0101⟩');
  expect(visibleText('a\u{e0100}')).toBe('a⟨U+E0100⟩');
  for (const code of ['gbeng', 'gbabc\x7f'])
    expect(visibleText(flag(code))).toMatch(/^🏴(⟨U\+E00..⟩)+$/u);
});

test('a lone surrogate is shown as its name, a pair is not', () => {
  expect(visibleText('\ud83d|\u{1F600}')).toBe('⟨U+D83D⟩|\u{1F600}');
});

test('a longer text than wanted ends in an ellipsis, and an ordinary one is whole', () => {
  const khmer = 'ភាសាខ្មែរ'.repeat(40_000);
  expect([1_000, 1_001]).toContain(visibleText(khmer).length);
  expect(visibleText(khmer, 20)).toMatch(/^.{18,20}…$/u);
  expect(visibleText('\u202e'.repeat(300_000), 3)).toBe('⟨U+202E⟩⟨U+202E⟩⟨U+202E⟩…');
  expect(visibleText('x'.repeat(1_000))).toBe('x'.repeat(1_000));
  expect(spellOut(khmer)).toBe(khmer);
});
