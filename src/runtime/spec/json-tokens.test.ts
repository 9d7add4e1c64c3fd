import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replaceTokens, scalarEnd, tokenEnd } from './json-tokens.ts';
import { threadMs } from '../../../tests/support/thread-time.ts';

function tokens(text: string): string[] {
  const found: string[] = [];
  let at = 0;
  while (at < text.length) {
    const end = tokenEnd(text, at);
    found.push(text.slice(at, end));
    at = end;
  }
  return found;
}

test('signs, strings, runs of spaces and runs of other characters are tokens', () => {
  expect(tokens('{"a\\"}":\n  -1.0e5,[NaN\u00a0] "\\\\""open')).toEqual([
    '{',
    '"a\\"}"',
    ':',
    '\n  ',
    '-1.0e5',
    ',',
    '[',
    'NaN\u00a0',
    ']',
    ' ',
    '"\\\\"',
    '"open',
  ]);
});

test('the tokens join to the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('{}[]:,"\\ \n1-ax')) }), (text) => {
      expect(tokens(text).join('')).toBe(text);
      expect(replaceTokens(text, () => undefined)).toBe(text);
    }),
  );
});

test('tokens are replaced one by one', () => {
  const text = '{"NaN": NaN, "b": [NaN]}';
  const replaced = replaceTokens(text, (start, end) =>
    text.slice(start, end) === 'NaN' ? 'null' : undefined,
  );
  expect(replaced).toBe('{"NaN": null, "b": [null]}');
});

test.each(['01', '1.', '+1', '-', '1e', 'nul', 'nulls', 'NaN', '1x'])('%s is no scalar', (text) => {
  expect(scalarEnd(text, 0)).toBe(-1);
});

test('an unclosed string of escaped quotes is read in linear time', () => {
  const text = `{"a": "${'\\"'.repeat(2_000_000)}`;
  const started = threadMs();
  expect(tokens(text).length).toBe(5);
  expect(threadMs() - started).toBeLessThan(2_000);
});
