import { readFileSync, readdirSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../tests/support/model-endpoint.ts';
import { AnswerParts } from '../../agent/turn/answer-parts.ts';
import { savedNameTable } from '../../registry/provider-names.ts';
import { defaultLimits } from '../../spec/limits.ts';
import { ModelError } from '../../spec/model-error.ts';
import type { AssistantPart, HttpKind, ModelPart, ModelRequest, Usage } from '../../spec/model.ts';
import { loadAdapter } from './adapters.ts';
import { askModel } from './ask-model.ts';
import { accessTo, asker, bareNetwork, hello, partsOf, refOf } from './endpoint.fixture.ts';
import { ExchangeRecorder } from './exchange-recorder.ts';
import { KnownVariants } from './known-variants.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
});
afterAll(() => endpoint.close());

const folder = 'tests/faults';
const files = readdirSync(folder).filter((name) => name.endsWith('.sse'));
const stream = (name: string): string => {
  const file = files.find((one) => one.startsWith(`${name}-`)) ?? '';
  return readFileSync(`${folder}/${file}`, 'utf8');
};

/** What a session stores of an answer, in short. */
interface Read {
  readonly text: string;
  readonly reasoning: string;
  /** Tools, arguments, and what was wrong with them. */
  readonly calls: readonly (readonly [string, string, string?])[];
  readonly usage?: Usage;
  readonly finish?: string;
  readonly fault?: string;
}

const names = savedNameTable([
  ['sess:echo', 'sess__echo'],
  ['sess:now', 'sess__now'],
]);

async function read(parts: AsyncIterable<ModelPart>, kind: HttpKind): Promise<Read> {
  let n = 0;
  const answer = new AnswerParts({ model: refOf(kind), names, newId: () => `call-${(n += 1)}` });
  let ended: Pick<Read, 'usage' | 'finish' | 'fault'> = {};
  try {
    for await (const part of parts)
      if (part.type === 'ended') ended = { usage: part.usage, finish: part.finish };
      else answer.add(part);
  } catch (thrown) {
    if (!(thrown instanceof ModelError)) throw thrown;
    ended = { fault: `${thrown.fault}: ${thrown.message}` };
  }
  return { ...summary(answer.complete), ...ended };
}

function summary(parts: readonly AssistantPart[]): Pick<Read, 'text' | 'reasoning' | 'calls'> {
  const texts = (type: string): string =>
    parts.map((part) => (part.type === type && part.type !== 'call' ? part.text : '')).join('');
  const calls = parts.flatMap((part) =>
    part.type === 'call'
      ? [
          [
            part.tool || part.wire,
            part.arguments,
            ...(part.argumentFault ? [part.argumentFault] : []),
          ] as const,
        ]
      : [],
  ) as Read['calls'];
  return { text: texts('text'), reasoning: texts('reasoning'), calls };
}

/** Reads a stream through the endpoint. */
async function served(kind: HttpKind, body: string, request: ModelRequest = hello): Promise<Read> {
  const headers = { 'content-type': 'text/event-stream' };
  endpoint.answer({ status: 200, headers, body });
  const ask = await asker(kind, endpoint.url);
  return read(ask(new AbortController().signal, request), kind);
}

/** Reads a stream that arrives in these pieces. */
async function inPieces(
  kind: HttpKind,
  pieces: readonly Uint8Array<ArrayBuffer>[],
): Promise<Read & { readonly skipped: number }> {
  const recorder = new ExchangeRecorder([]);
  const body = (): ReadableStream => ReadableStream.from(pieces.filter((one) => one.length > 0));
  const network = {
    ...bareNetwork,
    send: () =>
      Promise.resolve(new Response(body(), { headers: { 'content-type': 'text/event-stream' } })),
  };
  const ask = askModel(
    ...([
      await loadAdapter(kind),
      accessTo(kind, 'http://m.example'),
      refOf(kind),
      network,
    ] as const),
    ...([defaultLimits, new KnownVariants(() => 0), recorder] as const),
  );
  const answer = await read(ask(new AbortController().signal, hello), kind);
  return { ...answer, skipped: recorder.exchanges[0]?.skipped ?? -1 };
}

const utf8 = new TextEncoder();

const hi = '{"text":"hi"}';
const chats = ['openai-compatible', 'openai-chat'] as const;
const expected: Readonly<Record<string, Partial<Read>>> = {
  '01a': { calls: [['sess:echo', hi]], finish: 'calls' },
  '02a': { calls: [['sess:echo', hi]], finish: 'calls' },
  '02b': { calls: [['sess:echo', hi, 'repeated']], finish: 'calls' },
  '03a': { text: 'ok then', finish: 'stop' },
  '03c': { text: 'ok then', finish: 'stop' },
  '04': {
    text: 'The answer is 391.',
    reasoning: 'First I reason about it.\nThen more reasoning.\n',
    finish: 'stop',
  },
  '09a': { calls: [['sess:echo', '{"text":"one"}']], finish: 'calls' },
  '09b': { calls: [['sess:echo', '{"text":"one"}']], finish: 'calls' },
  '10a': { text: 'Zero.', finish: 'stop' },
  '10b': { text: 'No delta usage.', finish: 'stop' },
  '10c': { text: 'All at start.', finish: 'stop' },
  '10d': { calls: [['sess:echo', hi]], finish: 'calls' },
  '11a': { calls: [['sess:echo', hi, 'double-encoded']], finish: 'calls' },
  '11b': { calls: [['sess:echo', '{"text":"line 1\\nline\\t2"}', 'characters']] },
  '11c': { calls: [['sess:echo', hi, 'empty-first']], finish: 'calls' },
  '11d': { calls: [['sess:now', '{}', 'null']], finish: 'calls' },
  '17': { text: 'I cannot', finish: 'stop' },
  '18': { calls: [['sess:echo', hi]], finish: 'calls' },
};

function kindsOf(name: string): readonly HttpKind[] {
  return name.startsWith('10') ? ['anthropic'] : chats;
}

describe('stored streams', () => {
  const cases = files.flatMap((file) => {
    const name = file.split('-')[0] ?? '';
    return kindsOf(name).map((kind) => [file, kind, name] as const);
  });

  test('every stored stream has an expected answer', () => {
    expect([...new Set(cases.map(([, , name]) => name))].sort()).toEqual(
      Object.keys(expected).sort(),
    );
  });

  test.each(cases)('%s (%s)', async (_, kind, name) => {
    expect(await served(kind, stream(name))).toMatchObject(expected[name] ?? {});
  });

  test.each(cases)('%s (%s): in whatever pieces it arrives', async (_, kind, name) => {
    const lines = stream(name).replace('hi', 'hï 🙂');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat(lines.length + 50), { maxLength: 20 }),
        async (lineEnd, cuts) => {
          const bytes = utf8.encode(lines.replaceAll('\n', lineEnd));
          const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
          const pieces = at.map((from, index) => bytes.slice(from, at[index + 1]));
          const whole = await inPieces(kind, [utf8.encode(lines)]);
          expect(await inPieces(kind, pieces)).toEqual(whole);
        },
      ),
      { numRuns: 15 },
    );
  });

  test('every byte of a stream may arrive alone', async () => {
    for (const name of ['01a', '04', '10d']) {
      const [kind = 'anthropic'] = kindsOf(name);
      const bytes = utf8.encode(stream(name).replaceAll('\n', '\r\n'));
      const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
      expect(await inPieces(kind, pieces)).toMatchObject(expected[name] ?? {});
    }
  });
});

const frame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

/** A whole short answer of each kind of provider, in frames. */
const answers: Readonly<Record<HttpKind, readonly string[]>> = {
  'openai-compatible': chatFrames(),
  'openai-chat': chatFrames(),
  'openai-responses': [
    { type: 'response.created', response: { id: 'r', created_at: 1, model: 'm' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'i' } },
    { type: 'response.output_text.delta', item_id: 'i', delta: 'Hello.' },
    { type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'i' } },
    {
      type: 'response.completed',
      response: { usage: { input_tokens: 3, output_tokens: 2 } },
    },
  ].map(frame),
  anthropic: [
    { type: 'message_start', message: { id: 'm', usage: { input_tokens: 3 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ].map(frame),
  google: [
    { candidates: [{ content: { role: 'model', parts: [{ text: 'Hello.' }] } }] },
    {
      candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
    },
  ].map(frame),
};

function chatFrames(): string[] {
  const chunk = (delta: object, finish_reason: string | null): string =>
    frame({
      id: 'c',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason }],
    });
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
  return [
    chunk({ role: 'assistant', content: 'Hello.' }, null),
    chunk({}, 'stop'),
    frame({ object: 'chat.completion.chunk', choices: [], usage }),
    'data: [DONE]\n\n',
  ];
}

const noAnswers = [
  'data:\n\n',
  'data: \n\n',
  'data\n\n',
  ':\n\n',
  ': OPENROUTER PROCESSING\n\n',
  'data: : OPENROUTER PROCESSING\n\n',
  'data: : keep-alive\n\n',
  'data: {}\n\n',
  'data: { }\n\n',
  'data: null\n\n',
  'data: []\n\n',
  'data: [{}]\n\n',
  'data: true\n\n',
  'data: 0\n\n',
  'data: ""\n\n',
  'data: "ping"\n\n',
  'data: ping\n\n',
  'data: [PING]\n\n',
  'data: keep-alive\n\n',
  'data: {"type":"ping"}\n\n',
  'data: {"type":"keepalive"}\n\n',
  'data: {"object":"ping"}\n\n',
  'data: {"heartbeat":true}\n\n',
  'data: {"status":"processing","position":3}\n\n',
  'data: {"error":null}\n\n',
  'data: {"choices":[],"prompt_filter_results":[]}\n\n',
  'event: ping\ndata: {"type":"ping"}\n\n',
  'event: ping\ndata: still here\n\n',
  'event: ping\ndata:\n\n',
  'event: ping\n\n',
  'event: heartbeat\ndata: {"choices":[{"index":0,"delta":{"content":"NO"}}]}\n\n',
  'id: 7\nretry: 500\nevent: keepalive\ndata: {}\n\n',
  'data: {}\ndata: {}\n\n',
  'ping\n\n',
];

for (const kind of Object.keys(answers) as HttpKind[]) {
  const frames = answers[kind];

  test.each(noAnswers)(`${kind}: %j is skipped and counted, wherever it is`, async (other) => {
    const counted = { input: 3, output: 2 };
    for (const at of frames.keys()) {
      const body = [...frames.slice(0, at), other, other, ...frames.slice(at)].join('');
      const answer = await inPieces(kind, [utf8.encode(body)]);
      expect(answer).toMatchObject({ text: 'Hello.', finish: 'stop', usage: counted });
      if (other !== 'event: ping\n\n') expect(answer.skipped).toBeGreaterThanOrEqual(2);
    }
  });

  test(`${kind}: only a stream without an answer is invalid`, async () => {
    const only = noAnswers.filter((one) => one.includes('data')).join('');
    for (const end of ['', 'data: [DONE]\n\n'])
      expect((await inPieces(kind, [utf8.encode(only + end)])).fault).toMatch(
        /^answer: The endpoint sent an invalid answer/,
      );
    // A usage is no answer.
    const usage = kind === 'google' ? { usageMetadata: {} } : { usage: { prompt_tokens: 1 } };
    const { fault } = await inPieces(kind, [utf8.encode(`data: {}\n\n${frame(usage)}`)]);
    expect(fault).toMatch(/^answer: The endpoint sent an invalid answer/);
  });

  test(`${kind}: errors and damaged frames are not skipped`, async () => {
    const begun = frames[0] ?? '';
    const faults = [
      'event: error\ndata: Out of memory.\n\n',
      'data: {"error":{"message":"Out of memory.","type":"server_error","code":500}}\n\n',
      'data: {"error":"Out of memory."}\n\n',
      'data: [{"error":{"message":"Out of memory.","code":500,"status":"INTERNAL"}}]\n\n',
    ];
    for (const fault of faults)
      expect((await inPieces(kind, [utf8.encode(begun + fault)])).fault).toMatch(/Out of memory/);
    const { fault } = await inPieces(kind, [utf8.encode(`${begun}data: {"choices":[{"de\n\n`)]);
    expect(fault).toMatch(/^answer: The endpoint sent an invalid answer/);
  });

  test(`${kind}: a last frame without a line end counts, and one that is cut off does not`, async () => {
    const body = frames.join('').trimEnd();
    expect(await inPieces(kind, [utf8.encode(body)])).toMatchObject({
      text: 'Hello.',
      finish: 'stop',
    });
    const cut = (frames[0] ?? '') + (frames[1] ?? '').slice(0, 20);
    expect((await inPieces(kind, [utf8.encode(cut)])).fault).toMatch(/^cut: /);
  });
}

const toolChunk = (...tool_calls: object[]): string =>
  frame({ choices: [{ index: 0, delta: { tool_calls }, finish_reason: null }] });
const toolEnd = `${frame({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] })}data: [DONE]\n\n`;
const begin = (
  index: number | undefined,
  id: string | undefined,
  text: string,
  name = 'sess__echo',
): string => toolChunk({ index, id, type: 'function', function: { name, arguments: text } });
const more = (index: number | undefined, text: string, id?: string): string =>
  toolChunk({ index, id, function: { arguments: text } });
const bye = '{"text":"bye"}';
const echo = (...texts: string[]): [string, string][] => texts.map((text) => ['sess:echo', text]);

const repeatedCalls: readonly (readonly [string, string, ReturnType<typeof echo>])[] = [
  [
    'two indexes, in pieces that overlap',
    begin(0, 'a', '{"te') + begin(1, 'a', '{"te') + more(0, 'xt":"hi"}') + more(1, 'xt":"hi"}'),
    echo(hi),
  ],
  [
    'whole again at the end, at the same index',
    begin(0, 'a', '') + more(0, hi) + begin(0, 'a', hi),
    echo(hi),
  ],
  [
    'whole again at the end, at another index',
    begin(0, 'a', '{"te') + more(0, 'xt":"hi"}') + begin(3, 'a', hi),
    echo(hi),
  ],
  ['whole again without an index', begin(0, 'a', hi) + begin(undefined, 'a', hi), echo(hi)],
  ['three times', begin(0, 'a', hi) + begin(1, 'a', hi) + begin(2, 'a', hi), echo(hi)],
  ['with other spaces', begin(0, 'a', hi) + begin(1, 'a', '{ "text": "hi" }'), echo(hi)],
  [
    'with members in another order',
    begin(0, 'a', '{"a":1,"b":2}') + begin(1, 'a', '{"b":2,"a":1}'),
    echo('{"a":1,"b":2}'),
  ],
  [
    'with an index that counts pieces',
    begin(0, 'a', '{"te') + begin(1, 'a', 'xt":"hi"}'),
    echo(hi),
  ],
  [
    'two calls, each repeated',
    begin(0, 'a', hi) + begin(1, 'b', bye) + begin(2, 'a', hi) + begin(3, 'b', bye),
    echo(hi, bye),
  ],
  [
    'after the finish reason',
    begin(0, 'a', hi) +
      frame({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }) +
      begin(1, 'a', hi),
    echo(hi),
  ],
  [
    'a whole message at the end',
    begin(0, 'a', hi) +
      frame({
        choices: [
          {
            index: 0,
            message: { tool_calls: [{ id: 'a', function: { name: 'sess__echo', arguments: hi } }] },
          },
        ],
      }),
    echo(hi),
  ],
  ['two different calls with one id', begin(0, 'a', hi) + begin(1, 'a', bye), echo(hi, bye)],
  [
    'two different calls with one id and index',
    begin(0, 'a', hi) + begin(0, 'a', bye),
    echo(hi, bye),
  ],
  [
    'numbers of different spelling',
    begin(0, 'a', '{"n":1.0}') + begin(1, 'a', '{"n":1}'),
    echo('{"n":1.0}', '{"n":1}'),
  ],
  ['equal calls with different ids', begin(0, 'a', hi) + begin(1, 'b', hi), echo(hi, hi)],
  ['equal calls without ids', begin(0, undefined, hi) + begin(1, undefined, hi), echo(hi, hi)],
  [
    'one id for two tools',
    begin(0, 'a', hi) + begin(1, 'a', hi, 'sess__now'),
    [
      ['sess:echo', hi],
      ['sess:now', hi],
    ],
  ],
  [
    'no indexes',
    begin(undefined, 'a', '{"te') + more(undefined, 'xt":"hi"}') + begin(undefined, 'b', bye),
    echo(hi, bye),
  ],
  [
    'the id in every piece, and a wrong index',
    begin(0, 'a', '{"te') + begin(1, 'b', bye) + more(1, 'xt":"hi"}', 'a'),
    echo(hi, bye),
  ],
  [
    'the name after the arguments',
    toolChunk({ index: 0, id: 'a', function: { arguments: hi } }) +
      toolChunk({ index: 0, function: { name: 'sess__echo' } }),
    echo(hi),
  ],
];

for (const kind of chats)
  describe(`${kind}: calls`, () => {
    test.each(repeatedCalls)('%s', async (_, body, calls) => {
      expect((await served(kind, body + toolEnd)).calls).toEqual(calls);
    });

    test('a call without a name makes the answer invalid', async () => {
      const { fault } = await served(kind, more(0, hi, 'a') + toolEnd);
      expect(fault).toMatch(/^answer/);
    });

    test('repeated calls have the id of the first, and different ones different ids', async () => {
      const ids = async (body: string): Promise<string[]> => {
        endpoint.answer({ status: 200, headers: { 'content-type': 'text/event-stream' }, body });
        const parts = await partsOf(await asker(kind, endpoint.url));
        return parts.flatMap((part) => (part.type === 'call' ? [part.id] : []));
      };
      expect(await ids(begin(0, 'a', hi) + begin(1, 'a', hi) + toolEnd)).toEqual(['a']);
      expect(await ids(begin(0, 'a', hi) + begin(1, 'a', bye) + toolEnd)).toEqual(['a', 'a']);
    });

    test('a refusal is the answer, also beside text', async () => {
      const chunk = (delta: object): string => frame({ choices: [{ index: 0, delta }] });
      const refused =
        chunk({ content: 'Well. ' }) +
        chunk({ refusal: 'I can' }) +
        chunk({ refusal: 'not.', content: null });
      expect(await served(kind, `${refused}data: [DONE]\n\n`)).toMatchObject({
        text: 'Well. I cannot.',
        finish: 'stop',
      });
      const whole = {
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: null, refusal: 'No.' },
            finish_reason: 'stop',
          },
        ],
      };
      endpoint.answer({ status: 200, body: JSON.stringify(whole) });
      const ask = await asker(kind, endpoint.url);
      expect(await read(ask(new AbortController().signal, hello), kind)).toMatchObject({
        text: 'No.',
        finish: 'stop',
      });
    });
  });

test('other providers: a call with the same id and arguments is one call', async () => {
  const responses = (index: number, args: string): string => {
    const item = { type: 'function_call', id: `i${index}`, call_id: 'a', name: 'sess__echo' };
    const done = { ...item, arguments: args, status: 'completed' };
    return (
      frame({
        type: 'response.output_item.added',
        output_index: index,
        item: { ...item, arguments: '' },
      }) + frame({ type: 'response.output_item.done', output_index: index, item: done })
    );
  };
  const blocks = (index: number, args: string): string =>
    frame({
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: 'a', name: 'sess__echo', input: {} },
    }) +
    frame({
      type: 'content_block_delta',
      index,
      delta: { type: 'input_json_delta', partial_json: args },
    }) +
    frame({ type: 'content_block_stop', index });
  const google = (_index: number, args: string): string =>
    frame({
      candidates: [
        {
          content: {
            parts: [
              { functionCall: { id: 'a', name: 'sess__echo', args: JSON.parse(args) as unknown } },
            ],
          },
        },
      ],
    });
  for (const [kind, call] of [
    ['openai-responses', responses],
    ['anthropic', blocks],
    ['google', google],
  ] as const) {
    const end = answers[kind].slice(kind === 'google' ? -1 : -2).join('');
    const begun = kind === 'anthropic' ? (answers.anthropic[0] ?? '') : '';
    const calls = async (...args: string[]): Promise<Read['calls']> =>
      (await served(kind, begun + args.map((one, index) => call(index, one)).join('') + end)).calls;
    expect(await calls(hi, hi)).toEqual(echo(hi));
    expect(await calls(hi, bye)).toEqual(echo(hi, bye));
  }
});
