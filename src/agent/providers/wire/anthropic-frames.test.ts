import { afterAll, beforeEach, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import type { Json, JsonObject } from '../../../runtime/spec/json.ts';
import { asker, partsOf } from './endpoint.fixture.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
});
afterAll(() => endpoint.close());

const eventStream = { 'content-type': 'text/event-stream' };
const sent = (one: JsonObject | string): string =>
  typeof one === 'string' ? one : `data: ${JSON.stringify(one)}\n\n`;

interface Answer {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly (readonly [string, string])[];
  readonly finish?: string;
  readonly counts?: readonly (number | null)[];
}

/** Reads an answer that consists of these events: texts, reasoning, calls with arguments, and counts. */
async function read(...events: readonly (JsonObject | string)[]): Promise<Answer> {
  const body = events.map(sent).join('');
  endpoint.answer({ status: 200, headers: eventStream, body });
  const parts = await partsOf(await asker('anthropic', endpoint.url));
  const texts = (type: string): string =>
    parts.map((part) => (part.type === type && 'delta' in part ? part.delta : '')).join('');
  const ended = parts.at(-1);
  return {
    text: texts('text'),
    reasoning: texts('reasoning'),
    calls: parts.flatMap((part) =>
      part.type === 'call' ? [[part.wire, part.arguments] as const] : [],
    ),
    ...(ended?.type === 'ended'
      ? { finish: ended.finish, counts: [ended.usage.input, ended.usage.output] }
      : {}),
  };
}

const start = {
  type: 'message_start',
  message: { id: 'm', model: 'm', role: 'assistant', usage: { input_tokens: 3, output_tokens: 1 } },
};
const begin = (index: number, content_block: JsonObject): JsonObject => ({
  type: 'content_block_start',
  index,
  content_block,
});
const add = (index: number, delta: JsonObject): JsonObject => ({
  type: 'content_block_delta',
  index,
  delta,
});
const text = (index: number, said: string): JsonObject =>
  add(index, { type: 'text_delta', text: said });
const stop = (index: number): JsonObject => ({ type: 'content_block_stop', index });
const why = (stop_reason = 'end_turn', usage: JsonObject = { output_tokens: 2 }): JsonObject => ({
  type: 'message_delta',
  delta: { stop_reason },
  usage,
});
const end = { type: 'message_stop' };
const empty = { type: 'text', text: '' };
const usual = { text: 'Hello.', reasoning: '', calls: [], finish: 'stop', counts: [3, 2] };

test.each<[string, readonly (JsonObject | string)[], object?]>([
  ['a whole answer', [start, begin(0, empty), text(0, 'Hello.'), stop(0), why(), end]],
  ['no end of a block', [start, begin(0, empty), text(0, 'Hello.'), why(), end]],
  ['no end of the message', [start, begin(0, empty), text(0, 'Hello.'), stop(0), why()]],
  ['no ends at all', [start, begin(0, empty), text(0, 'Hello.'), why()]],
  ['no beginning of a block', [start, text(0, 'Hello.'), stop(0), why(), end]],
  [
    'no beginning of the message',
    [begin(0, empty), text(0, 'Hello.'), stop(0), why(), end],
    { counts: [null, 2] },
  ],
  [
    'no reason for the end',
    [start, begin(0, empty), text(0, 'Hello.'), stop(0), end],
    { counts: [3, null] },
  ],
  [
    'no deltas of the message',
    [start, begin(0, empty), text(0, 'Hello.'), end],
    { counts: [3, null] },
  ],
  [
    'text at the start of its block',
    [start, begin(0, { type: 'text', text: 'Hello.' }), stop(0), why(), end],
  ],
  [
    'text at the start and again',
    [
      start,
      begin(0, { type: 'text', text: 'Hello.' }),
      text(0, 'Hel'),
      text(0, 'lo.'),
      stop(0),
      why(),
      end,
    ],
  ],
  [
    'text that goes on after the start',
    [start, begin(0, { type: 'text', text: 'Hel' }), text(0, 'lo.'), stop(0), why(), end],
  ],
  [
    'a block without text',
    [start, begin(0, { type: 'text' }), text(0, 'Hello.'), stop(0), why(), end],
  ],
  [
    'deltas without a type or an index',
    [
      start,
      begin(0, empty),
      { type: 'content_block_delta', delta: { text: 'Hello.' } },
      { type: 'content_block_stop' },
      why(),
      end,
    ],
  ],
  [
    'types in the event line only',
    [
      start,
      begin(0, empty),
      'event: content_block_delta\ndata: {"index":0,"delta":{"type":"text_delta","text":"Hello."}}\n\n',
      why(),
      end,
    ],
  ],
  [
    'no usage',
    [
      { type: 'message_start', message: {} },
      begin(0, empty),
      text(0, 'Hello.'),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      end,
    ],
    { counts: [null, null] },
  ],
  [
    'no message at the start',
    [{ type: 'message_start' }, begin(0, empty), text(0, 'Hello.'), why(), end],
    { counts: [null, 2] },
  ],
  [
    'counts that are null or texts',
    [
      {
        type: 'message_start',
        message: { usage: { input_tokens: '3', cache_read_input_tokens: null } },
      },
      begin(0, empty),
      text(0, 'Hello.'),
      why('end_turn', { output_tokens: '2' }),
      end,
    ],
  ],
  [
    'a usage of null',
    [
      { type: 'message_start', message: { usage: null } },
      begin(0, empty),
      text(0, 'Hello.'),
      { ...why(), usage: null },
      end,
    ],
    { counts: [null, null] },
  ],
  [
    'counts at the end only',
    [
      { type: 'message_start', message: { usage: {} } },
      begin(0, empty),
      text(0, 'Hello.'),
      why('end_turn', { input_tokens: 3, output_tokens: 2 }),
      end,
    ],
  ],
  ['two ends', [start, begin(0, empty), text(0, 'Hello.'), stop(0), stop(0), why(), end, end]],
  [
    'several deltas of the message',
    [
      start,
      begin(0, empty),
      text(0, 'Hello.'),
      stop(0),
      why(),
      { type: 'message_delta', delta: {} },
      end,
    ],
  ],
  [
    'reasoning at the start of its block',
    [
      start,
      begin(0, { type: 'thinking', thinking: 'Hm.' }),
      begin(1, empty),
      text(1, 'Hello.'),
      why(),
      end,
    ],
    { reasoning: 'Hm.' },
  ],
  [
    'reasoning in the member of a text',
    [
      start,
      begin(0, { type: 'thinking', thinking: '' }),
      add(0, { type: 'thinking_delta', text: 'Hm.' }),
      begin(1, empty),
      text(1, 'Hello.'),
      why(),
      end,
    ],
    { reasoning: 'Hm.' },
  ],
  [
    'members that nobody reads, in unexpected forms',
    [
      { ...start, message: { ...start.message, container: 'c', stop_details: 1 } },
      begin(1, { type: 'redacted_thinking' }),
      begin(0, { ...empty, citations: 'none' }),
      text(0, 'Hello.'),
      {
        ...why('STOP', { output_tokens: 2, iterations: 'none', service_tier: 1 }),
        context_management: 'none',
      },
      { type: 'message_delta', delta: { container: { id: 'c' } }, usage: { output_tokens: 2 } },
      end,
    ],
  ],
])('%s', async (_, events, more = {}) => {
  expect(await read(...events)).toEqual({ ...usual, ...more });
});

const use = (input?: unknown): JsonObject =>
  JSON.parse(JSON.stringify({ type: 'tool_use', id: 't', name: 'f', input })) as JsonObject;
const json = (partial_json: Json): JsonObject => add(0, { type: 'input_json_delta', partial_json });
const hi = '{"text":"hi"}';

test.each<[string, readonly (JsonObject | string)[], string]>([
  ['in deltas', [begin(0, use({})), json('{"text"'), json(':"hi"}')], hi],
  ['at the start', [begin(0, use({ text: 'hi' }))], hi],
  ['at the start and again', [begin(0, use({ text: 'hi' })), json('{"text"'), json(': "hi"}')], hi],
  ['as text at the start', [begin(0, use(hi))], hi],
  ['not at the start', [begin(0, use()), json(hi)], hi],
  ['nowhere', [begin(0, use())], '{}'],
  ['nowhere, as a list', [begin(0, use([]))], '{}'],
  ['in deltas, after an empty list', [begin(0, use([])), json(hi)], hi],
  ['a list', [begin(0, use([{ text: 'hi' }]))], '[{"text":"hi"}]'],
  ['an object as a delta', [begin(0, use({})), json({ text: 'hi' })], hi],
  ['a delta of null', [begin(0, use({})), json(null), json(hi)], hi],
  [
    'at the start, with an empty object after it',
    [begin(0, use({ text: 'hi' })), json('{}')],
    `${hi}{}`,
  ],
  [
    'twice, and not the same',
    [begin(0, use({ text: 'hi' })), json('{"text":"bye"}')],
    `${hi}{"text":"bye"}`,
  ],
  [
    'with exact numbers',
    [
      'data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"f","input":{"n":3.0,"big":12345678901234567890}}}\n\n',
    ],
    '{"n":3.0,"big":12345678901234567890}',
  ],
])('the input of a call: %s', async (_, events, args) => {
  for (const ends of [
    [stop(0), why('tool_use'), end],
    [why('tool_use'), end],
    [why('tool_use')],
    [end],
  ])
    expect(await read(start, ...events, ...ends)).toMatchObject({
      calls: [['f', args]],
      finish: 'calls',
    });
});

const tool = (index: number, id: string): JsonObject =>
  begin(index, { type: 'tool_use', id, name: id, input: {} });
const input = (index: number, partial_json: string): JsonObject =>
  add(index, { type: 'input_json_delta', partial_json });
const one = '{"n":1}';
const two = '{"n":2}';
const hologram = { type: 'hologram', light: 1 };

test.each<[string, readonly JsonObject[]]>([
  [
    'a block ends after the next began',
    [tool(0, 'a'), input(0, one), tool(1, 'b'), stop(0), input(1, two), stop(1)],
  ],
  [
    'pieces take turns',
    [
      tool(0, 'a'),
      tool(1, 'b'),
      input(0, '{"n"'),
      input(1, '{"n"'),
      input(0, ':1}'),
      input(1, ':2}'),
      stop(1),
      stop(0),
    ],
  ],
  ['pieces in the other order', [tool(0, 'a'), tool(1, 'b'), input(1, two), input(0, one)]],
  [
    'inputs at the start and again',
    [
      begin(0, { type: 'tool_use', id: 'a', name: 'a', input: { n: 1 } }),
      begin(1, { type: 'tool_use', id: 'b', name: 'b', input: { n: 2 } }),
      input(0, one),
      input(1, two),
      stop(0),
      stop(1),
    ],
  ],
  [
    'a block ends twice',
    [tool(0, 'a'), input(0, one), stop(0), tool(1, 'b'), stop(0), input(1, two), stop(1)],
  ],
  [
    'an unknown block between',
    [
      tool(0, 'a'),
      begin(1, hologram),
      tool(2, 'b'),
      input(0, one),
      input(1, '{"lost":1}'),
      stop(1),
      input(2, two),
      stop(2),
      stop(0),
    ],
  ],
  [
    'no indexes',
    [tool(0, 'a'), input(0, one), stop(0), tool(1, 'b'), input(1, two), stop(1)].map(
      ({ index: _, ...event }) => event,
    ),
  ],
  [
    'an index of no block',
    [tool(0, 'a'), input(7, one), stop(7), tool(1, 'b'), input(7, two), stop(7)],
  ],
])('blocks at the same time: %s', async (_, events) => {
  const { calls, finish } = await read(start, ...events, why('tool_use'), end);
  expect([finish, Object.fromEntries(calls)]).toEqual(['calls', { a: one, b: two }]);
  expect(calls).toHaveLength(2);
});

test('texts and reasoning at the same time keep apart', async () => {
  const think = (thinking: string): JsonObject => add(0, { type: 'thinking_delta', thinking });
  const events = [
    begin(0, { type: 'thinking', thinking: '' }),
    begin(1, empty),
    think('Hm'),
    text(1, 'Hel'),
    think('.'),
    text(1, 'lo.'),
    stop(0),
    stop(1),
  ];
  expect(await read(start, ...events, why(), end)).toEqual({ ...usual, reasoning: 'Hm.' });
});

test('a signature at the start of its block is kept', async () => {
  const body = [start, begin(0, { type: 'thinking', thinking: 'Hm.', signature: 'S' }), why(), end];
  endpoint.answer({ status: 200, headers: eventStream, body: body.map(sent).join('') });
  const parts = await partsOf(await asker('anthropic', endpoint.url));
  expect(parts).toContainEqual(
    expect.objectContaining({ type: 'part-ended', data: { anthropic: { signature: 'S' } } }),
  );
});

test.each([
  ['length', 'length'],
  ['tool_calls', 'calls'],
  ['content_filter', 'filtered'],
])('the reason %s, of another API, is %s', async (reason, finish) => {
  const block = reason === 'tool_calls' ? use(hi) : empty;
  expect(await read(start, begin(0, block), stop(0), why(reason), end)).toMatchObject({ finish });
});

test('an answer that ends before the server says why is cut off', async () => {
  await expect(read(start, begin(0, empty), text(0, 'Hel'))).rejects.toMatchObject({
    fault: 'cut',
  });
  await expect(read(start, begin(0, use({ text: 'hi' })))).rejects.toMatchObject({ fault: 'cut' });
});
