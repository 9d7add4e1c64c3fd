import { expect, test } from 'vitest';
import { sameBytes } from '../../../runtime/spec/bytes.ts';
import { bytesOf, editableText, lineBreakOf } from './text-bytes.ts';

test.each(['', 'a\nb\n', 'a\r\nb\r\n', 'a\r\nb\nc\r', '\ufeffa\n', '🎉é\n', 'no line break'])(
  'a text keeps its bytes: %j',
  (text) => {
    const editable = editableText(bytesOf(text));
    expect(editable).toEqual({ text });
  },
);

test('what the editor could not keep, or not show in time, is only shown', () => {
  expect([
    editableText(new Uint8Array([0x61, 0xff])),
    editableText(new Uint8Array(1024 * 1024 + 1).fill(10)),
    editableText(bytesOf(`a\n${'x'.repeat(10_001)}\n`)),
    editableText(bytesOf('x'.repeat(10_001))),
  ]).toEqual([
    { why: 'This file is not UTF-8 text, and can only be viewed here.' },
    { why: 'This file is larger than 1 MB, and can only be viewed here.' },
    {
      why: 'This file has a line of more than 10,000 characters, and can only be viewed here.',
    },
    {
      why: 'This file has a line of more than 10,000 characters, and can only be viewed here.',
    },
  ]);
  expect(editableText(new Uint8Array(1024 * 1024).fill(10))).toHaveProperty('text');
  expect(editableText(bytesOf('x'.repeat(10_000)))).toHaveProperty('text');
});

test('a line break is that of the whole text', () => {
  const texts = ['', 'a', 'a\n', 'a\r\nb\r\n', 'a\r\nb\n', 'a\r\nb\rc\r\n', 'a\r'];
  expect(texts.map(lineBreakOf)).toEqual(['\n', '\n', '\n', '\r\n', '\n', '\n', '\n']);
});

test('bytes are compared by value', () => {
  expect([
    sameBytes(bytesOf('ab'), bytesOf('ab')),
    sameBytes(bytesOf('ab'), bytesOf('ac')),
    sameBytes(bytesOf('ab'), bytesOf('abc')),
  ]).toEqual([true, false, false]);
});
