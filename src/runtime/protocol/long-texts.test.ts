import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  bufferOf,
  liftTexts,
  putTexts,
  textForPython,
  textFromPage,
  type TextPiece,
  textPieceChars,
} from './long-texts.ts';

const long = (letter: string, more: number): string => letter.repeat(textPieceChars + more);

function joined(pieces: readonly TextPiece[]): Map<number, string> {
  const texts = new Map<number, string>();
  for (const { nth, text } of pieces) texts.set(nth, (texts.get(nth) ?? '') + text);
  return texts;
}

it('leaves a message with short texts as it is', () => {
  const message = { ok: true, parts: [{ text: 'a'.repeat(textPieceChars) }] };
  const lifted = liftTexts(message);
  expect(lifted.message).toBe(message);
  expect(lifted.pieces).toEqual([]);
  expect(putTexts(message, new Map())).toBe(message);
});

it('lifts each long text in pieces, and leaves the rest', () => {
  const message = {
    first: 'a',
    parts: [{ text: long('b', 1), n: 3 }, null, long('c', 0)],
    end: '',
  };
  const { message: rest, pieces } = liftTexts({ ...message, last: long('d', textPieceChars) });
  expect(rest).toEqual({ ...message, parts: [{ text: '', n: 3 }, null, long('c', 0)], last: '' });
  expect(pieces.map(({ nth, text }) => [nth, text[0], text.length])).toEqual([
    [1, 'b', textPieceChars],
    [1, 'b', 1],
    [4, 'd', textPieceChars],
    [4, 'd', textPieceChars],
  ]);
});

it('puts back the texts of any message, keys of prototypes included', () => {
  const text = fc.oneof(fc.string(), fc.constant(long('x', 5)), fc.constant(long('é', 0)));
  const key = fc.oneof(fc.string(), fc.constantFrom('constructor', 'toString'));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(value, (message) => {
      const { message: rest, pieces } = liftTexts(message);
      expect(putTexts(structuredClone(rest), joined(pieces))).toEqual(message);
    }),
    { numRuns: 60 },
  );
});

const longText = 'x'.repeat(20_000);

it.each([
  ['plain', longText],
  ['of several bytes for each character', `ä€😀${longText}`],
  ['that begins with a byte order mark', `\ufeff${longText}`],
])('sends a long text %s as bytes', (_, text) => {
  const sent = textForPython(text);
  expect(sent).toBeInstanceOf(Uint8Array);
  expect(bufferOf(sent)).toHaveLength(1);
  expect(textFromPage(sent)).toBe(text);
});

it.each([
  ['a short text', '{}'],
  ['a text that would take too long to encode', 'x'.repeat(4_000_001)],
  ['half of a surrogate pair', `${longText}\ud83d`],
])('sends %s as it is', (_, text) => {
  expect(textForPython(text)).toBe(text);
  expect(bufferOf(text)).toEqual([]);
  expect(textFromPage(text)).toBe(text);
});
