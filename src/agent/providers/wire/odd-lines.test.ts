import { afterAll, beforeEach, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import type { HttpKind, ModelPart } from '../../../runtime/spec/model.ts';
import { ModelError } from '../../../runtime/spec/model-error.ts';
import { ChatFrames } from './chat-frames.ts';
import { FrameReader } from './frames.ts';
import { asker, hello, partsOf } from './endpoint.fixture.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
});
afterAll(() => endpoint.close());

interface Reported {
  readonly text: string;
  /** Names and arguments. */
  readonly calls?: readonly (readonly [string, string])[];
  readonly finish?: string;
  readonly output?: number | null;
  readonly fault?: string;
  readonly message?: string;
}

/** Reads a stream of exactly these lines; values are written after `data: `. */
async function reportOf(kind: HttpKind, ...lines: readonly (string | object)[]): Promise<Reported> {
  const written = lines.map((one) =>
    typeof one === 'string' ? one : `data: ${JSON.stringify(one)}`,
  );
  endpoint.answer({
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: `${written.join('\n\n')}\n\n`,
  });
  return readFrom(kind);
}

/** Reads the answer that the endpoint gives next. */
async function readFrom(kind: HttpKind): Promise<Reported> {
  const parts: ModelPart[] = [];
  let fault: ModelError | undefined;
  try {
    const ask = await asker(kind, endpoint.url);
    for await (const part of ask(new AbortController().signal, hello)) parts.push(part);
  } catch (thrown) {
    if (!(thrown instanceof ModelError)) throw thrown;
    fault = thrown;
  }
  const text = parts.map((part) => (part.type === 'text' ? part.delta : '')).join('');
  const calls = parts.flatMap((part) =>
    part.type === 'call' ? [[part.wire, part.arguments] as const] : [],
  );
  const ended = parts.find((part) => part.type === 'ended');
  return {
    text,
    ...(calls.length === 0 ? {} : { calls }),
    ...(ended === undefined ? {} : { finish: ended.finish, output: ended.usage.output }),
    ...(fault === undefined ? {} : { fault: fault.fault, message: fault.message }),
  };
}

const head = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm' };
const done = 'data: [DONE]';
function chunk(delta: object, finish: string | null = null): object {
  return { ...head, choices: [{ index: 0, delta, finish_reason: finish }] };
}
const said = chunk({ role: 'assistant', content: 'Hello.' });
const call = { index: 0, id: 'a1', type: 'function', function: { name: 'f', arguments: '{}' } };

for (const kind of ['openai-compatible', 'openai-chat'] as const) {
  const reported = (...lines: readonly (string | object)[]): Promise<Reported> =>
    reportOf(kind, ...lines);

  test(`${kind}: an answer that ends without a reason is complete`, async () => {
    expect([
      await reported(said, done),
      await reported(chunk({ tool_calls: [call] }), done),
      await reported(said),
    ]).toMatchObject([
      { text: 'Hello.', finish: 'stop' },
      { calls: [['f', '{}']], finish: 'calls' },
      { text: 'Hello.', fault: 'cut' },
    ]);
  });

  test(`${kind}: usage may arrive without choices`, async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    const end = chunk({}, 'stop');
    expect([
      await reported(said, end, { ...head, choices: null, usage }, done),
      await reported(said, end, { ...head, usage }, done),
    ]).toEqual([
      { text: 'Hello.', finish: 'stop', output: 2 },
      { text: 'Hello.', finish: 'stop', output: 2 },
    ]);
  });

  test(`${kind}: calls may have object arguments, only an index, or other type names`, async () => {
    const object = `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a1","type":"function","function":{"name":"f","arguments":{"n":3.0,"big":12345678901234567890}}}]}}]}`;
    expect([
      await reported(object, chunk({}, 'tool_calls'), done),
      await reported(
        chunk({ role: 'model', tool_calls: [{ index: 0 }] }),
        chunk({ tool_calls: [call] }),
        chunk({ tool_calls: [{ index: 0 }] }),
        chunk({}, 'tool_use'),
        done,
      ),
    ]).toMatchObject([
      { calls: [['f', '{"n":3.0,"big":12345678901234567890}']], finish: 'calls' },
      { calls: [['f', '{}']], finish: 'calls' },
    ]);
  });

  test(`${kind}: calls may share an index, or have numbers as ids`, async () => {
    const begin = (id: string | number, name = 'f', text = ''): object =>
      chunk({
        tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: text } }],
      });
    const end = chunk({}, 'stop');
    const goOn = (text: string): object =>
      chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] });
    const pieces = [goOn('{"n":'), goOn('1}')];
    expect([
      await reported(begin('a'), ...pieces, begin('b'), ...pieces, chunk({}, 'tool_calls'), done),
      await reported(begin(7), ...pieces, chunk({}, 'tool_calls'), done),
      // The same call, whose id and name are repeated.
      await reported(begin('a'), goOn('{"n":'), begin('a'), goOn('1}'), chunk({}, 'stop'), done),
      // The same call, with another id in each piece.
      await reported(begin('a'), begin('b', 'f', '{"n":'), begin('c', 'f', '1}'), end, done),
      // Two calls of different tools, the first without arguments.
      await reported(begin('a'), begin('b', 'g', '{}'), end, done),
    ]).toMatchObject([
      {
        calls: [
          ['f', '{"n":1}'],
          ['f', '{"n":1}'],
        ],
      },
      { calls: [['f', '{"n":1}']] },
      { calls: [['f', '{"n":1}']] },
      { calls: [['f', '{"n":1}']] },
      {
        calls: [
          ['f', ''],
          ['g', '{}'],
        ],
      },
    ]);
  });

  test(`${kind}: counts that are not numbers do not make an answer invalid`, async () => {
    const end = chunk({}, 'stop');
    const usage = (counts: unknown): object => ({ ...head, choices: [], usage: counts });
    const details = { completion_tokens_details: { reasoning_tokens: '1' } };
    expect([
      await reported(said, end, usage({ prompt_tokens: '3', completion_tokens: 2 }), done),
      await reported(
        said,
        end,
        usage({ completion_tokens: '2', prompt_tokens: 3, ...details }),
        done,
      ),
      await reported(said, end, usage({ completion_tokens: 'two', prompt_tokens: 3 }), done),
      await reported(said, end, usage(0), done),
    ]).toEqual([
      { text: 'Hello.', finish: 'stop', output: 2 },
      { text: 'Hello.', finish: 'stop', output: 2 },
      { text: 'Hello.', finish: 'stop', output: null },
      { text: 'Hello.', finish: 'stop', output: null },
    ]);
  });

  test(`${kind}: an answer may be sent as a whole, with its last line or in place of a stream`, async () => {
    const message = {
      role: 'assistant',
      content: 'Hello.',
      tool_calls: [{ ...call, index: undefined }],
    };
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    const whole = { ...head, choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage };
    const answer = { text: 'Hello.', calls: [['f', '{}']], finish: 'calls', output: 2 };
    expect(await reported(whole, done)).toEqual(answer);
    endpoint.answer({ status: 200, body: JSON.stringify(whole) });
    expect(await readFrom(kind)).toEqual(answer);
    const odd = JSON.stringify({
      ...whole,
      choices: [{ index: 0, message: { ...message, tool_calls: [{ ...call, index: null }] } }],
    });
    endpoint.answer({ status: 200, body: odd });
    expect(await readFrom(kind)).toMatchObject({ calls: answer.calls, finish: 'calls' });
    const exact = JSON.stringify(whole).replace(
      '"{}"',
      '{\r\n "n": 3.0,\n "big": 12345678901234567890}',
    );
    endpoint.answer({ status: 200, body: `\n${exact}\n` });
    expect(await readFrom(kind)).toMatchObject({
      calls: [['f', '{"n":3.0,"big":12345678901234567890}']],
    });
    // A whole message that follows its pieces repeats none of them, and adds what is missing.
    const again = { ...head, choices: [{ index: 0, message, finish_reason: 'stop' }] };
    const pieces = chunk({ tool_calls: [call] });
    expect([
      await reported(said, again, done),
      await reported(said, pieces, again, done),
      await reported(chunk({ role: 'assistant' }), again, done),
    ]).toEqual(Array(3).fill({ ...answer, output: null }));
    endpoint.answer({ status: 200, body: '{"choices": []}' });
    expect(await readFrom(kind)).toMatchObject({
      text: '',
      fault: 'answer',
      message: 'The endpoint answered with no stream.',
    });
  });

  test(`${kind}: a whole message at the end does not repeat reasoning`, async () => {
    const reasoningOf = async (...lines: readonly object[]): Promise<string> => {
      const body = [...lines.map((one) => `data: ${JSON.stringify(one)}`), done, ''].join('\n\n');
      endpoint.answer({ status: 200, headers: { 'content-type': 'text/event-stream' }, body });
      const parts = await partsOf(await asker(kind, endpoint.url));
      return parts.map((part) => (part.type === 'reasoning' ? part.delta : '')).join('');
    };
    for (const field of ['reasoning_content', 'reasoning']) {
      const message = { role: 'assistant', content: 'So.', [field]: 'Hm.', tool_calls: [call] };
      const again = { ...head, choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
      const pieces = [chunk({ [field]: 'H' }), chunk({ [field]: 'm.' })];
      const once = await reasoningOf(again);
      expect(once).toBe(kind === 'openai-chat' ? '' : 'Hm.');
      for (const before of [
        pieces,
        [...pieces, chunk({ tool_calls: [call] })],
        [...pieces, said],
        [...pieces, chunk({ [field]: '' })],
        [chunk({ tool_calls: [call] })],
      ])
        expect(await reasoningOf(...before, again)).toBe(once);
    }
  });

  test(`${kind}: roles, times and finish reasons may have other names`, async () => {
    const model = { ...chunk({ role: 'model', content: 'Hello.' }), created: '1750000000' };
    expect([
      await reported(model, chunk({}, 'eos'), done),
      await reported(model, chunk({}, ''), done),
      await reported({ ...model, error: null }, chunk({}, 'STOP'), done),
    ]).toMatchObject([
      { text: 'Hello.', finish: 'stop' },
      { text: 'Hello.', finish: 'stop' },
      { text: 'Hello.', finish: 'stop' },
    ]);
  });

  test(`${kind}: errors of older shapes are reported with their messages`, async () => {
    const failed = { text: 'Hello.', fault: 'overloaded' };
    const message = 'The endpoint is overloaded or has an internal error (500): No memory.';
    const about = { code: 500, message: 'No memory.', type: 'server_error' };
    expect([
      await reported(said, { object: 'error', message: 'No memory.', type: 'E', code: 500 }, done),
      await reported(said, `error: ${JSON.stringify(about)}`),
      await reported(said, { ...chunk({}, 'error'), error: about }, done),
    ]).toEqual([
      { ...failed, message },
      { ...failed, message },
      { ...failed, message },
    ]);
    for (const reason of ['error', 'function_call_filter: malformed_function_call'])
      expect(await reported(said, chunk({}, reason), done)).toEqual({
        text: 'Hello.',
        fault: 'answer',
        message: `The model’s answer ended with the reason ${reason}.`,
      });
  });
}

test('well-formed lines stay unchanged', () => {
  const reader = new FrameReader({
    frames: new ChatFrames({ tools: [] }),
    joinLines: undefined,
    onSkipped: () => undefined,
    onNoAnswer: (last) => new Error(last),
  });
  const piece = chunk({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] });
  const lines = [
    ...[said, chunk({ tool_calls: [call] }), piece].map((one) => `data: ${JSON.stringify(one)}`),
    'data: {"choices": [{"index": 0, "delta": {"content": null}, "finish_reason": "stop"}]}',
    'data: {"half',
    'data: [DONE]',
  ];
  const text = lines.map((line) => `${line}\n\n`).join('');
  expect(reader.read(text) + reader.end()).toBe(text);
});

test('Anthropic: unknown events and blocks are skipped', async () => {
  const delta = (index: number, of: object): object => ({
    type: 'content_block_delta',
    index,
    delta: of,
  });
  const start = (index: number, content_block: object): object => ({
    type: 'content_block_start',
    index,
    content_block,
  });
  const usage = { input_tokens: 1, output_tokens: 1 };
  expect(
    await reportOf(
      'anthropic',
      { type: 'message_start', message: { id: 'm', model: 'c', role: 'assistant', usage } },
      { type: 'weather_changed', to: 'rain' },
      start(0, { type: 'hologram', light: 1 }),
      delta(0, { type: 'hologram_delta', light: 2 }),
      { type: 'content_block_stop', index: 0 },
      start(1, { type: 'text', text: '' }),
      delta(1, { type: 'text_delta', text: 'Hello.' }),
      delta(1, { type: 'mood_delta', mood: 'fine' }),
      { type: 'content_block_stop', index: 1 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: 7 },
      },
      { type: 'message_stop' },
    ),
  ).toEqual({ text: 'Hello.', finish: 'stop', output: 7 });
});

test('Gemini: blocked answers are reported as filtered, and other unusual ends as such', async () => {
  const usageMetadata = { promptTokenCount: 1 };
  const parts = [{ text: 'Half' }];
  const candidate = { content: { parts, role: 'model' }, finishReason: 'MALFORMED_RESPONSE' };
  expect([
    await reportOf('google', { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata }),
    await reportOf('google', { candidates: [candidate], usageMetadata }),
  ]).toMatchObject([
    { text: '', finish: 'filtered' },
    {
      text: 'Half',
      fault: 'answer',
      message: 'The model’s answer ended with the reason MALFORMED_RESPONSE.',
    },
  ]);
  for (const finishReason of ['UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS'])
    expect(
      await reportOf('google', { candidates: [{ ...candidate, finishReason }] }),
    ).toMatchObject({ fault: 'answer' });
  expect(
    await reportOf('google', { candidates: [{ ...candidate, finishReason: 'LANGUAGE' }] }),
  ).toMatchObject({ text: 'Half', finish: 'other' });
});
