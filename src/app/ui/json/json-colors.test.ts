import { expect, test } from 'vitest';
import { jsonColors } from './json-colors.ts';

test('keys, strings, numbers and words are distinguished', () => {
  const spans = jsonColors('{"a": "b\\"c", "n" : [-1.5e3, true]}').filter(({ kind }) => kind);
  expect(spans).toEqual([
    { text: '"a"', kind: 'name' },
    { text: '"b\\"c"', kind: 'string' },
    { text: '"n"', kind: 'name' },
    { text: '-1.5e3', kind: 'number' },
    { text: 'true', kind: 'keyword' },
  ]);
});

test.each(['', 'no "JSON', '{"a": "\\', '"x"'])('the spans join to the text: %j', (text) => {
  expect(jsonColors(text).map((span) => span.text)).toEqual(text === '' ? [] : expect.any(Array));
  expect(
    jsonColors(text)
      .map((span) => span.text)
      .join(''),
  ).toBe(text);
});
