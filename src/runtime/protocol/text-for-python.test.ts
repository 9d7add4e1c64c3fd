import { expect, it } from 'vitest';
import { bufferOf, textForPython, textFromPage } from './text-for-python.ts';

const long = 'x'.repeat(20_000);

it.each([
  ['plain', long],
  ['of several bytes for each character', `ä€😀${long}`],
  ['that begins with a byte order mark', `\ufeff${long}`],
])('sends a long text %s as bytes', (_, text) => {
  const sent = textForPython(text);
  expect(sent).toBeInstanceOf(Uint8Array);
  expect(bufferOf(sent)).toHaveLength(1);
  expect(textFromPage(sent)).toBe(text);
});

it.each([
  ['a short text', '{}'],
  ['a text that would take too long to encode', 'x'.repeat(4_000_001)],
  ['half of a surrogate pair', `${long}\ud83d`],
])('sends %s as it is', (_, text) => {
  expect(textForPython(text)).toBe(text);
  expect(bufferOf(text)).toEqual([]);
  expect(textFromPage(text)).toBe(text);
});
