import { expect, test } from 'vitest';
import {
  added,
  answerOf,
  args,
  call,
  created,
  message,
  text,
  usage,
  whole,
} from './responses.fixture.ts';

test.each<[string, object, string]>([
  [
    'a failure',
    { type: 'response.failed', response: { error: { code: 'server_error', message: 'boom' } } },
    'overloaded: .*boom',
  ],
  [
    'a code',
    {
      type: 'response.failed',
      response: { error: { code: 'rate_limit_exceeded', message: 'slow' } },
    },
    'rate-limit: .*slow',
  ],
  [
    'no reason',
    { type: 'response.failed', response: { status: 'failed', error: null } },
    '.*status “failed”',
  ],
  ['no answer', { type: 'response.failed' }, '.*status “failed”'],
  [
    'a failure that claims to be complete',
    whole([], { status: 'failed', error: { message: 'boom' } }),
    '.*boom',
  ],
  [
    'a cancelled answer',
    { type: 'response.cancelled', response: { status: 'cancelled' } },
    '.*status “cancelled”',
  ],
  [
    'an error',
    { type: 'error', code: 'rate_limit_exceeded', message: 'slow', param: null },
    'rate-limit: .*slow',
  ],
  ['a message only', { type: 'error', message: 'boom' }, '.*boom'],
  ['a text', { type: 'error', error: 'boom' }, '.*boom'],
  [
    'a code that is a number',
    { error: { code: 503, message: 'No capacity' } },
    'overloaded: .*No capacity',
  ],
  [
    'a whole answer that failed',
    {
      object: 'response',
      output: [],
      status: 'failed',
      error: { code: 'server_error', message: 'boom' },
    },
    'overloaded: .*boom',
  ],
])('an answer that failed is an error: %s', async (_, last, fault) => {
  expect((await answerOf(created, text('Hel'), last)).fault).toMatch(
    new RegExp(`^(?!answer)${fault}`),
  );
});

test.each([
  [{ incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
  [{ incomplete_details: { reason: 'max_tokens' } }, 'length'],
  [{ incomplete_details: { reason: 'content_filter' } }, 'filtered'],
  [{ incomplete_details: null }, 'other'],
  [{}, 'other'],
])('an answer that is incomplete is not complete: %j', async (response, finish) => {
  const last = { type: 'response.incomplete', response };
  expect(await answerOf(text('Hel'), last)).toMatchObject({ text: 'Hel', finish });
  const claimed = whole([], { status: 'incomplete', ...response });
  expect(await answerOf(text('Hel'), claimed)).toMatchObject({ text: 'Hel', finish });
});

test('a call that was cut off does not run', async () => {
  const last = {
    type: 'response.incomplete',
    response: { incomplete_details: { reason: 'length' } },
  };
  const { calls, finish } = await answerOf(added(call), args('{"text":"h'), last);
  expect([calls, finish]).toEqual([[], 'length']);
});

test('an answer without its end is cut off', async () => {
  expect((await answerOf(created, added(message), text('Hel'))).fault).toMatch(/^cut: /);
});

test.each([
  [usage, 3],
  [{ input_tokens: '3', output_tokens: '2' }, 3],
  [{ prompt_tokens: 3, completion_tokens: 2 }, 3],
  [{ ...usage, input_tokens_details: [], output_tokens_details: { reasoning_tokens: null } }, 3],
  [{ output_tokens: 2 }, null],
  [null, null],
])('counts are read, and not invented: %j', async (counts, input) => {
  const read = await answerOf(text('Hello'), whole([], { usage: counts }));
  expect(read).toMatchObject({ text: 'Hello', usage: { input } });
});
