import { ProtocolError } from '@modelcontextprotocol/client';
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

test('an error from the server keeps its text, and gets what its data adds', () => {
  const message = (text: string, data?: unknown): string =>
    faultOf(new ProtocolError(-32602, text, data)).message;
  const listed = 'Invalid arguments for tool get: [{"path":["id"],"message":"Required"}]';
  expect(message(listed)).toBe(listed);
  expect(message('Invalid arguments', { id: 'Required' })).toBe(
    'Invalid arguments {"id":"Required"}',
  );
  expect(message('Failed', 'The disk is full.')).toBe('Failed The disk is full.');
  expect(message('Failed: no disk', 'no disk')).toBe('Failed: no disk');
  for (const none of [undefined, null, '', {}, []]) expect(message('Failed', none)).toBe('Failed');
  expect(message('Failed', 'x'.repeat(100_000))).toHaveLength(2008);
});
