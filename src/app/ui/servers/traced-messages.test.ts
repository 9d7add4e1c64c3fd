import { expect, test } from 'vitest';
import type { TracedMessage } from '../../../runtime/protocol/mcp.ts';
import { summarizeMessage } from './traced-messages.ts';

const answer: TracedMessage = {
  n: 2,
  at: 0,
  exchange: 1,
  isSent: false,
  method: '',
  url: 'https://a.example/mcp',
  status: null,
  headers: [],
  body: '',
  bodyChars: 0,
};

test('the summary of an answer shows where its text is cut', () => {
  const body = 'x'.repeat(100);
  expect(summarizeMessage({ ...answer, body })).toBe(body);
  expect(summarizeMessage({ ...answer, body: `${body}y` })).toBe(`${body}…`);
  expect(summarizeMessage({ ...answer, body: '{"method":"ping","params":{}}' })).toBe('ping');
});
