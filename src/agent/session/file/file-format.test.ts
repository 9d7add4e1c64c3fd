import { expect, test } from 'vitest';
import { fileFormat } from './file-format.ts';

const inside = JSON.stringify({ format: 'cloche-recording', turns: [] });

test.each([
  ['first', '{"format": "cloche-recording", "version": 1}', 'cloche-recording'],
  [
    'last',
    '{"turns": [{"format": "x"}, "]"], "a": {}, "format" : "cloche-recording"}',
    'cloche-recording',
  ],
  [
    'outside, and another one inside a text',
    JSON.stringify({ a: inside, format: 'cloche-session' }),
    'cloche-session',
  ],
  ['as a value', '{"title": "format", "x": ["format", "y"]}', null],
  ['as what is no text', '{"format": 1}', null],
  ['behind backslashes', '{"a": "\\\\", "b": "\\"", "format": "z"}', 'z'],
  ['in what is cut', '{"a": "\\', null],
  ['in what is no JSON', 'format', null],
])('a format %s', async (_, text, format) => {
  expect(await fileFormat(new Blob([text]))).toBe(format);
});

test('the rest of a large file is read if its beginning has no format', async () => {
  const long = { title: 'x'.repeat(100_000), format: 'cloche-recording' };
  expect(await fileFormat(new Blob([JSON.stringify(long)]))).toBe('cloche-recording');
  const { title, format } = long;
  const early = new Blob([JSON.stringify({ format, title })]);
  expect(await fileFormat(early)).toBe('cloche-recording');
});
