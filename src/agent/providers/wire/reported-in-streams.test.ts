/** Content and errors that servers put into the stream where the SDKs do not look. */

import { expect, test } from 'vitest';
import type { HttpKind } from '../../../runtime/spec/model.ts';
import { frame, inPieces, utf8, type Read } from './streams.fixture.ts';

function read(kind: HttpKind, ...frames: readonly object[]): Promise<Read> {
  return inPieces(kind, [utf8(`${frames.map(frame).join('')}data: [DONE]\n\n`)]);
}

const chunk = (delta: object, finish_reason: string | null, more: object = {}): object => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
});
const begun = chunk({ content: 'Hel' }, null);
const failed = (message: string): string => `provider: The endpoint failed: ${message}`;

test.each<[string, object, string]>([
  [
    'MiniMax, beside the end of an answer',
    chunk({}, 'stop', { base_resp: { status_code: 1027, status_msg: 'output sensitive' } }),
    failed('output sensitive'),
  ],
  [
    'Groq, beside the end of an answer',
    chunk({}, 'stop', { x_groq: { id: 'r', error: 'over capacity' } }),
    failed('over capacity'),
  ],
  [
    'DeepSeek, as the reason for the end',
    chunk({}, 'insufficient_system_resource'),
    'answer: The model’s answer ended with the reason insufficient_system_resource.',
  ],
])('an error of %s is reported', async (_, last, fault) => {
  expect(await read('openai-compatible', begun, last)).toMatchObject({ text: 'Hel', fault });
});

test('a MiniMax success status is not an error', async () => {
  const last = chunk({ content: 'lo' }, 'stop', { base_resp: { status_code: 0, status_msg: '' } });
  expect(await read('openai-compatible', begun, last)).toMatchObject({
    text: 'Hello',
    finish: 'stop',
  });
});

test('an exception of Bedrock in a stream is reported, with its kind', async () => {
  const start = { type: 'message_start', message: { id: 'm', usage: { input_tokens: 3 } } };
  const internal = { internalServerException: { message: 'The system has failed.' } };
  expect(await read('anthropic', start, internal)).toMatchObject({
    fault:
      'overloaded: The endpoint is overloaded or has an internal error: The system has failed.',
  });
  const throttled = { throttlingException: { message: 'Slow down.' } };
  expect((await read('openai-compatible', begun, throttled)).fault).toMatch(/^rate-limit: /);
});

test('the Responses API: a part of a message is read once, with or without its pieces', async () => {
  const message = { type: 'message', id: 'm', content: [] };
  const about = { item_id: 'm', output_index: 0, content_index: 0 };
  const ends = [
    { type: 'response.content_part.done', ...about, part: { type: 'output_text', text: 'Hello' } },
    { type: 'response.output_item.done', output_index: 0, item: message },
    { type: 'response.completed', response: { status: 'completed', output: [] } },
  ];
  const added = { type: 'response.output_item.added', output_index: 0, item: message };
  const pieces = [
    { type: 'response.output_text.delta', ...about, delta: 'Hello' },
    { type: 'response.output_text.done', ...about, text: 'Hello' },
  ];
  for (const frames of [
    [added, ...ends],
    [added, ...pieces, ...ends],
  ])
    expect(await read('openai-responses', ...frames)).toMatchObject({
      text: 'Hello',
      finish: 'stop',
    });
});
