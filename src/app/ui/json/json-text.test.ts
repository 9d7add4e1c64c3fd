import { expect, test } from 'vitest';
import { jsonColors, jsonPieces } from './json-text.ts';

const laidOut = (text: string, size?: number): string => [...jsonPieces(text, size)].join('');

test('numbers, keys and strings keep their exact spelling', () => {
  const text =
    '{"2": 12345678901234567890, "1": 3.0, "a": 1e400, "b": NaN, "c": -Infinity, "d": "\\u00e9\\"{,}", "d": 0.10}';
  expect(laidOut(text)).toBe(
    [
      '{',
      '  "2": 12345678901234567890,',
      '  "1": 3.0,',
      '  "a": 1e400,',
      '  "b": NaN,',
      '  "c": -Infinity,',
      '  "d": "\\u00e9\\"{,}",',
      '  "d": 0.10',
      '}',
    ].join('\n'),
  );
});

test('short containers stay on one line, long ones are indented', () => {
  const row = `[${Array.from({ length: 30 }, (_, i) => i).join(', ')}]`;
  expect(laidOut('{"a": [1, 2], "b": {}}')).toBe('{"a": [1, 2], "b": {}}');
  expect(laidOut(`{"short": [1, {"x": []}], "row": ${row}}`)).toBe(
    `{\n  "short": [1, {"x": []}],\n  "row": [\n    ${row.slice(1, -1).replaceAll(', ', ',\n    ')}\n  ]\n}`,
  );
});

test('an indented text is indented again', () => {
  const text = '[\n\t1 ,\r\n  "a b"\n]';
  expect(laidOut(text)).toBe('[\n  1,\n  "a b"\n]');
});

test('scalars are unchanged', () => {
  expect(['null', '"x"', '1.50', ''].map((text) => laidOut(text))).toEqual([
    'null',
    '"x"',
    '1.50',
    '',
  ]);
});

test('text that is not JSON is neither an error nor cut', () => {
  expect(laidOut('"never closed \\')).toBe('"never closed \\');
  expect(laidOut(']]}}')).toBe('\n]\n]\n}\n}');
  expect(laidOut('Decimal("1.0")')).toBe('Decimal("1.0")');
});

test('a string longer than a piece is returned in parts, and complete', () => {
  const long = `{"text": "${'ab😀{'.repeat(1000)}", "next": [1]}`;
  const pieces = [...jsonPieces(long, 500)];
  expect(pieces.length).toBeGreaterThan(5);
  expect(pieces.every((piece) => piece.length < 700 && piece.isWellFormed())).toBe(true);
  expect(pieces.join('')).toBe(`{\n  "text": "${'ab😀{'.repeat(1000)}",\n  "next": [1]\n}`);
});

test('deep nesting has limited indentation', () => {
  const deep = '['.repeat(5_000) + ']'.repeat(5_000);
  expect(laidOut(deep).length).toBeLessThan(1_000_000);
});

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
