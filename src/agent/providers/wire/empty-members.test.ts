/** A member that is empty hides neither its sibling that has the content nor an error. */

import { expect, test } from 'vitest';
import type { HttpKind } from '../../../runtime/spec/model.ts';
import { added, args, call, created, done, usage, whole } from './responses.fixture.ts';
import { frame, inPieces, utf8, type Read } from './streams.fixture.ts';

function read(kind: HttpKind, ...frames: readonly object[]): Promise<Read> {
  return inPieces(kind, [utf8(frames.map(frame).join(''))]);
}

const hi = '{"text":"hi"}';

const start = { type: 'message_start', message: { id: 'm', usage: { input_tokens: 3 } } };
const begin = (content_block: object): object => ({
  type: 'content_block_start',
  index: 0,
  content_block,
});
const add = (delta: object): object => ({ type: 'content_block_delta', index: 0, delta });
const ends = [
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
];
const empty = { text: '', thinking: '', partial_json: '' };
const echo = { type: 'tool_use', id: 'a', name: 'sess__echo', input: {} };

test.each<[string, readonly object[], Partial<Read>]>([
  [
    'reasoning beside an empty text',
    [begin({ type: 'thinking' }), add({ ...empty, type: 'thinking_delta', thinking: 'Hm.' })],
    { reasoning: 'Hm.' },
  ],
  [
    'reasoning in the text',
    [begin({ type: 'thinking' }), add({ ...empty, type: 'thinking_delta', text: 'Hm.' })],
    { reasoning: 'Hm.' },
  ],
  [
    'reasoning in the text of a block',
    [begin({ type: 'thinking', thinking: '', text: 'Hm.' })],
    { reasoning: 'Hm.' },
  ],
  [
    'a delta without a type',
    [begin(echo), add({ ...empty, partial_json: hi })],
    { calls: [['sess:echo', hi]] },
  ],
])('Anthropic: %s', async (_, frames, expected) => {
  expect(await read('anthropic', start, ...frames, ...ends)).toMatchObject(expected);
});

const failed = 'provider: The endpoint failed: Too much.';

test('Anthropic: the text of an error beside an empty one', async () => {
  const beside = { type: 'error', error: {}, message: 'Too much.' };
  expect(await read('anthropic', start, beside)).toMatchObject({ fault: failed });
  const inside = { type: 'error', error: { message: '' }, message: 'Too much.' };
  expect(await read('anthropic', start, inside)).toMatchObject({ fault: failed });
});

const answered = { finish: 'stop', text: 'Hello' };
const candidate = (part: object): object => ({ content: { parts: [part] }, finishReason: 'STOP' });
test.each<[string, object, Partial<Read>]>([
  [
    'a text beside an empty call',
    { candidates: [candidate({ text: 'Hello', functionCall: {}, executableCode: {} })] },
    answered,
  ],
  [
    'the output of code beside empty code',
    { candidates: [candidate({ executableCode: {}, codeExecutionResult: { output: '5' } })] },
    { text: '\n```\n5\n```\n' },
  ],
  [
    'candidates beside an empty response',
    { response: {}, candidates: [candidate({ text: 'Hello' })] },
    answered,
  ],
  [
    'candidates beside an empty error',
    { error: {}, candidates: [candidate({ text: 'Hello' })] },
    answered,
  ],
])('Google: %s', async (_, chunk, expected) => {
  expect(await read('google', chunk)).toMatchObject(expected);
});

test('Google: an empty call ends one that was sent in pieces', async () => {
  const piece = (functionCall: object): object => ({
    candidates: [{ content: { parts: [{ functionCall }] } }],
  });
  const partialArgs = [{ jsonPath: '$.text', stringValue: 'hi' }];
  const frames = [
    piece({ name: 'sess__echo', willContinue: true }),
    piece({ partialArgs, willContinue: true }),
    piece({}),
    { candidates: [{ finishReason: 'STOP' }] },
  ];
  expect(await read('google', ...frames)).toMatchObject({ calls: [['sess:echo', hi]] });
});

const message = { type: 'message', id: 'm', content: [] };
const hello = { type: 'output_text', text: 'Hello' };
test.each<[string, readonly object[], Partial<Read>]>([
  [
    'a text beside an empty delta',
    [{ type: 'response.output_text.done', item_id: 'm', delta: '', text: 'Hello' }, whole([])],
    answered,
  ],
  [
    'reasoning beside an empty summary',
    [
      whole([
        {
          type: 'reasoning',
          id: 'r',
          summary: [{ type: 'summary_text', text: '' }],
          content: [{ type: 'reasoning_text', text: 'Hm.' }],
        },
        { ...message, content: [hello] },
      ]),
    ],
    { ...answered, reasoning: 'Hm.' },
  ],
  [
    'a refusal beside an empty text',
    [whole([{ ...message, content: [{ type: 'refusal', text: '', refusal: 'Hello' }] }])],
    answered,
  ],
  [
    'an answer beside an empty response',
    [{ type: 'response.completed', response: {}, output: [{ ...message, content: [hello] }] }],
    answered,
  ],
  [
    'an answer beside an empty error',
    [whole([{ ...message, content: [hello] }], { error: {} })],
    answered,
  ],
  [
    'arguments before an empty end',
    [
      added(call),
      args(hi),
      { type: 'response.function_call_arguments.done', item_id: 'fc', arguments: '' },
      done({ ...call, arguments: '' }),
      whole([]),
    ],
    { calls: [['sess:echo', hi]] },
  ],
])('Responses: %s', async (_, frames, expected) => {
  expect(await read('openai-responses', created, ...frames)).toMatchObject(expected);
});

test('Responses: usage counts beside empty ones', async () => {
  const counts = { prompt_tokens: 3, completion_tokens: 2, input_tokens: '', output_tokens: null };
  const sent = whole([{ ...message, content: [hello] }], { usage: counts });
  const { input, output } = (await read('openai-responses', created, sent)).usage ?? {};
  expect({ input, output }).toEqual({ input: usage.input_tokens, output: usage.output_tokens });
});
