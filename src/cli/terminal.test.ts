import { expect, test } from 'vitest';
import { terminalText } from './terminal.ts';

test('a text of a folder cannot command the terminal or turn its direction', () => {
  expect(terminalText('a\u001b]52;c;eA==\u0007\u009b2J\r\u202eb')).toBe(
    'a\\u001b]52;c;eA==\\u0007\\u009b2J\\u000d\\u202eb',
  );
  expect(terminalText('Größe 日本 👩‍🚀\n\tok')).toBe('Größe 日本 👩‍🚀\n\tok');
});
