/** The trace of the messages of a server: bounded, and without keys. */

import { expect, test } from 'vitest';
import { MessageTrace } from './trace.ts';

const key = 'k-1234567890abcdef';

function sent(trace: MessageTrace, body: string, headers: Record<string, string> = {}) {
  const url = 'https://mcp.example/mcp?api_key=secret-in-url';
  return trace.sent({ method: 'POST', url, headers: new Headers(headers), body });
}

test('keys and tokens are masked, in what is sent and in what a server repeats', () => {
  const trace = new MessageTrace(() => 5);
  const answer = sent(trace, '{"method":"initialize"}', {
    'X-Key': 'short',
    Authorization: 'Bearer not-yet-known',
    'Content-Type': 'application/json',
  });
  answer.answered(new Response(null, { status: 401, headers: { Debug: `${key}!` } }));
  answer.message(`you sent ${key} and ${btoa(`key ${key}`)}`);
  // A token that is refreshed later is masked in earlier messages, too.
  trace.hide([['X-Key', 'short']], [key]);
  const { messages } = trace.read();
  expect(messages.map(({ n, exchange, isSent, status }) => [n, exchange, isSent, status])).toEqual([
    [1, 1, true, null],
    [2, 1, false, 401],
    [3, 1, false, null],
  ]);
  expect(new Map(messages[0]?.headers)).toEqual(
    new Map([
      ['authorization', '(hidden)'],
      ['content-type', 'application/json'],
      ['x-key', '(hidden)'],
    ]),
  );
  const text = JSON.stringify(messages);
  for (const secret of [key, 'not-yet-known', 'secret-in-url', btoa(key).slice(0, 16)])
    expect(text).not.toContain(secret);
  // Positive control: other texts stay as they are.
  expect(text).toContain('you sent');
});

test('a key that is cut at the end of a long message is left out', () => {
  const trace = new MessageTrace(() => 5);
  trace.hide([], [key]);
  sent(trace, '').message(`${'x'.repeat(49_990)}${key}`);
  const message = trace.read().messages[1];
  expect(message?.body).toBe('x'.repeat(49_990));
  expect(message?.bodyChars).toBe(49_990 + key.length);
});

test('a key that is cut at the end of a long header or address is left out', () => {
  const trace = new MessageTrace(() => 5);
  trace.hide([], [key]);
  const url = `https://mcp.example/${'y'.repeat(1_970)}${key}`;
  const headers = new Headers({ Debug: `${'x'.repeat(1_990)}${key}` });
  trace.sent({ method: 'POST', url, headers, body: '' });
  const message = trace.read().messages[0];
  expect(message?.headers).toEqual([['debug', 'x'.repeat(1_990)]]);
  expect(message?.url).toBe(`https://mcp.example/${'y'.repeat(1_970)}`);
});

test('the number of messages, and their length, are bounded', () => {
  const trace = new MessageTrace(() => 5);
  for (let n = 0; n < 5_000; n += 1) sent(trace, '{}');
  expect([trace.read().messages.length, trace.read().dropped]).toEqual([400, 4_600]);
  for (let n = 0; n < 100; n += 1) sent(trace, 'x'.repeat(100_000));
  const { messages } = trace.read();
  expect(messages.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThanOrEqual(2_000_000);
  expect(messages.at(-1)?.n).toBe(5_100);
  // A request that was cut cannot be sent again.
  expect(trace.request(5_100)).toBeNull();
  sent(trace, '{}');
  expect(trace.request(5_101)?.body).toBe('{}');
});
