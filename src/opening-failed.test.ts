import { expect, test } from 'vitest';
import { openingFailed } from './opening-failed.ts';
import { ToolError } from './spec/error.ts';

test.each([
  [new ToolError('limit', 'Too much.', 'Open less.'), 'Too much.', 'Open less.'],
  [new ToolError('limit', 'Too much.'), 'Too much.', 'Open the folder again.'],
  [new Error('Gone.'), 'Gone.', 'Open the folder again.'],
  ['x', 'x', 'Open the folder again.'],
])('what was thrown is the folder’s problem: %s', (thrown, message, hint) => {
  expect(openingFailed(thrown)).toEqual({
    ...{ severity: 'error', code: 'not-opened', file: '', line: null, column: null },
    ...{ message, expected: '', hint },
  });
});
