import { expect, test } from 'vitest';
import { ReaderEdits } from './reader-edits.ts';

const written = [{ path: 'a.py', text: 'x = 1\n' }];
const typed = [{ path: 'a.py', text: '\nx = 2' }];
const change = { type: 'change', files: typed, tool: 'a:f', arguments: '{"n": 2}' } as const;

function edited(): ReaderEdits {
  const edits = new ReaderEdits();
  edits.take(change);
  return edits;
}

test('what the reader has changed takes precedence over what the page has written', () => {
  const untouched = new ReaderEdits();
  expect(untouched.files(written)).toBe(written);
  expect([untouched.tool('g'), untouched.arguments('{}')]).toEqual(['g', '{}']);
  const edits = edited();
  expect(edits.files(written)).toBe(typed);
  expect([edits.tool('g'), edits.arguments('{}')]).toEqual(['a:f', '{"n": 2}']);
});

test('new files from the page replace the reader’s, and the arguments stay', () => {
  const edits = edited();
  const other = [{ path: 'a.py', text: 'x = 3\n' }];
  expect(edits.replaceFiles(other)).toBe(true);
  expect(edits.files(other)).toBe(other);
  expect(edits.arguments('{}')).toBe('{"n": 2}');
});

test('a page that writes into the tag what the reader types changes nothing', () => {
  const edits = edited();
  // Files that are read from a tag again change nothing here.
  expect(edits.replaceFiles([{ path: 'a.py', text: 'x = 2\n' }])).toBe(false);
  expect(edits.files(written)).toBe(typed);
  expect(edits.replaceArguments('{"n": 2}')).toBe(false);
  expect(edits.replaceFiles([{ path: 'b.py', text: 'x = 2\n' }])).toBe(true);
});

test('new arguments replace the reader’s, and another tool drops them', () => {
  const edits = edited();
  expect(edits.replaceArguments('{"n": 3}')).toBe(true);
  expect(edits.arguments('{"n": 3}')).toBe('{"n": 3}');
  const other = edited();
  other.replaceTool();
  expect([other.tool('g'), other.arguments(''), other.files(written)]).toEqual(['g', '', typed]);
});
