import { expect, test } from 'vitest';
import { fileDiff } from './file-diff.ts';

const diff = (before: string, after: string) => {
  const encoder = new TextEncoder();
  return fileDiff({ before: encoder.encode(before), after: encoder.encode(after) });
};

test('changed lines have three lines around them', () => {
  const before = 'a\nb\nc\nd\ne\nf\n';
  expect(diff(before, 'a\nb\nc\nd\nE\nf')).toEqual({
    kind: 'lines',
    lines: [
      { what: 'gap', text: '' },
      { what: 'same', text: 'b' },
      { what: 'same', text: 'c' },
      { what: 'same', text: 'd' },
      { what: 'removed', text: 'e' },
      { what: 'removed', text: 'f' },
      { what: 'added', text: 'E' },
      { what: 'added', text: 'f' },
      { what: 'gap', text: 'No newline at end of file' },
    ],
    more: 0,
  });
});

test('binary and large files have no lines', () => {
  expect(diff('a\0', 'b')).toEqual({ kind: 'binary' });
  expect(diff('', 'x'.repeat(2_000_001))).toEqual({ kind: 'large' });
});

test('the first 5,000 lines are returned, and the others counted', () => {
  const found = diff('', 'a\n'.repeat(120_000));
  expect(found).toMatchObject({ kind: 'lines', more: 115_000 });
  expect(found).toHaveProperty('lines.length', 5_000);
  const long = diff('', `${'x'.repeat(10_000)}\n`);
  expect(long).toMatchObject({ lines: [{ text: `${'x'.repeat(1_999)}…` }] });
});
