/** Anthropic's API: some gateways that translate the streams of other servers end calls before their input has arrived. */

import { expect, test } from 'vitest';
import { frame, inPieces, utf8, type Read } from './streams.fixture.ts';

const begin = (index: number, content_block: object): object => ({
  type: 'content_block_start',
  index,
  content_block,
});
const call = (index: number, id = 'a'): object =>
  begin(index, { type: 'tool_use', id, name: 'sess__echo', input: {} });
const input = (index: number, partial_json: string): object => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json },
});
const said = {
  type: 'content_block_delta',
  index: 1,
  delta: { type: 'text_delta', text: 'Hello.' },
};
const stop = (index: number): object => ({ type: 'content_block_stop', index });

function read(...events: readonly object[]): Promise<Read> {
  const start = { type: 'message_start', message: { id: 'm', usage: { input_tokens: 3 } } };
  const why = { type: 'message_delta', delta: { stop_reason: 'tool_use' } };
  const all = [start, ...events, why, { type: 'message_stop' }];
  return inPieces('anthropic', [utf8(all.map(frame).join(''))]);
}

test.each([
  ['before its input', [stop(0), input(0, '{"a":'), input(0, '1}')], ''],
  ['within its input', [input(0, '{"a":'), stop(0), input(0, '1}')], ''],
  ['twice', [input(0, '{"a":'), stop(0), input(0, '1}'), stop(0)], ''],
  [
    'before a text',
    [stop(0), begin(1, { type: 'text', text: '' }), said, stop(1), input(0, '{"a":1}')],
    'Hello.',
  ],
])('a call that ends %s gets its whole input', async (_, events, text) => {
  const calls = [['sess:echo', '{"a":1}']];
  expect(await read(call(0), ...events)).toMatchObject({ calls, text, finish: 'calls' });
});

test('calls without input, and calls at one index, stay separate', async () => {
  const { calls } = await read(call(0), stop(0), call(0, 'b'), input(0, '{"a":1}'), stop(0));
  expect(calls).toEqual([
    ['sess:echo', '{}'],
    ['sess:echo', '{"a":1}'],
  ]);
});
