import { expect, test } from 'vitest';
import { faultOf } from './mcp-error.ts';

test('of all that is wrong with an answer, the first fault is named as the fault of the server', () => {
  const listed = JSON.stringify([
    { code: 'invalid_type', path: ['content', 0], message: 'Invalid input: expected object' },
    { code: 'invalid_type', path: ['content', 1], message: 'Invalid input' },
  ]);
  expect(faultOf(new Error(`Invalid result for tools/call: ${listed}`)).message).toBe(
    'Invalid result for tools/call. content.0: Invalid input: expected object. This is a fault of the server.',
  );
  const union = [{ code: 'invalid_union', path: [], message: 'Invalid input' }];
  expect(faultOf(new Error(JSON.stringify(union, null, 2))).message).toBe(
    'Invalid message. Invalid input. This is a fault of the server.',
  );
  expect(faultOf(new Error('No disk [x].')).message).toBe('No disk [x].');
});
