import { expect, test } from 'vitest';
import { problemLine, terminalText } from './terminal.ts';

test('a text of a folder cannot command the terminal or turn its direction', () => {
  expect(terminalText('a\u001b]52;c;eA==\u0007\u009b2J\r\u202eb')).toBe(
    'a\\u001b]52;c;eA==\\u0007\\u009b2J\\u000d\\u202eb',
  );
  expect(terminalText('Größe 日本 👩‍🚀\n\tok')).toBe('Größe 日本 👩‍🚀\n\tok');
});

test('a problem and its fix are separate sentences', () => {
  const problem = {
    file: 'a.py',
    line: 3,
    message: "the spec has no 'parameters'",
    hint: 'Add it.',
  };
  expect(problemLine(problem)).toBe("a.py:3: the spec has no 'parameters'. Add it.");
  expect(problemLine({ ...problem, line: null, message: 'Too large.', hint: '' })).toBe(
    'a.py: Too large.',
  );
});
