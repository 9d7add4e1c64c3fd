import { expect, test } from 'vitest';
import type { HttpKind } from '../../../runtime/spec/model.ts';
import { asker, hello } from './endpoint.fixture.ts';
import { answers, frame, inPieces, utf8, type Read } from './streams.fixture.ts';

const args = '{"n":3.0,"text":"hi"}';
const inText = JSON.stringify(args);
const message = (...content: unknown[]): object => ({
  id: 'm',
  type: 'message',
  role: 'assistant',
  stop_reason: 'end_turn',
  content,
  usage: { input_tokens: 3, output_tokens: 2 },
});
const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2 };

/** Whole answers that servers send in place of a stream, with a text and with a call. */
const bodies: readonly (readonly [HttpKind, string, string])[] = [
  ...(['openai-compatible', 'openai-chat'] as const).map(
    (kind) =>
      [
        kind,
        `{"choices":[{"index":0,"message":{"content":"Hello."},"finish_reason":"stop"}],
          "usage":{"prompt_tokens":3,"completion_tokens":2}}`,
        `{"choices":[{"index":0,"message":{"tool_calls":[{"id":"c",
          "function":{"name":"sess__echo","arguments":${inText}}}]},"finish_reason":"tool_calls"}]}`,
      ] as const,
  ),
  [
    'openai-responses',
    `{"object":"response","status":"completed","output":[{"type":"message",
      "content":[{"type":"output_text","text":"Hello."}]}],"usage":{"input_tokens":3,"output_tokens":2}}`,
    `{"object":"response","output":[{"type":"function_call","call_id":"c","name":"sess__echo",
      "arguments":${inText}}]}`,
  ],
  [
    'anthropic',
    JSON.stringify(message({ type: 'text', text: 'Hello.' }), null, 2),
    `{"type":"message","content":[{"type":"tool_use","id":"c","name":"sess__echo",
      "input":${args}}],"stop_reason":"tool_use"}`,
  ],
  [
    'google',
    `[{"candidates":[{"content":{"parts":[{"text":"Hel"}]}}]}
      ,
      {"candidates":[{"content":{"parts":[{"text":"lo."}]},"finishReason":"STOP"}],
      "usageMetadata":${JSON.stringify(usageMetadata)}}]`,
    `[{"candidates":[{"content":{"parts":[{"functionCall":{"name":"sess__echo",
      "args":${args}}}]},"finishReason":"STOP"}]}]`,
  ],
  [
    'google',
    JSON.stringify({
      candidates: [{ content: { parts: [{ text: 'Hello.' }] }, finishReason: 'STOP' }],
      usageMetadata,
    }),
    `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"sess__echo","args":${args}}}]},
      "finishReason":"STOP"}]}`,
  ],
];

/** Reads a body under both types that servers give it, in one line or several, and as a frame. */
async function readAll(kind: HttpKind, body: string): Promise<Read[]> {
  const line = body.replace(/\n/g, ' ');
  const answers = [
    inPieces(kind, [utf8(body)], 'application/json; charset=utf-8'),
    ...[body, line, `data: ${line}\n\n`].map((one) => inPieces(kind, [utf8(one)])),
  ];
  return Promise.all(answers);
}

test.each(bodies)('%s: a whole answer in place of a stream is read', async (kind, text, call) => {
  for (const read of await readAll(kind, text))
    expect(read).toMatchObject({
      text: 'Hello.',
      calls: [],
      finish: 'stop',
      usage: { input: 3, output: 2 },
    });
  for (const read of await readAll(kind, call))
    expect(read).toMatchObject({ text: '', calls: [['sess:echo', args]], finish: 'calls' });
});

test.each(Object.entries(answers) as [HttpKind, readonly string[]][])(
  '%s: a stream is read as a stream, whatever its content type',
  async (kind, frames) => {
    const body = frames.join('');
    for (const type of [
      'application/json',
      'text/html; charset=utf-8',
      'Application/JSON',
      'text/plain',
    ])
      for (const pieces of [[utf8(body)], [utf8('\n'), utf8(': wait\n\n'), ...frames.map(utf8)]])
        expect(await inPieces(kind, pieces, type)).toMatchObject({
          text: 'Hello.',
          finish: 'stop',
        });
    // The first text is passed on before the rest has arrived.
    const held = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => {
        for (const one of frames.slice(0, -1)) controller.enqueue(utf8(one));
      },
    });
    const send = (): Promise<Response> =>
      Promise.resolve(new Response(held, { headers: { 'content-type': 'application/json' } }));
    for await (const part of (await asker(kind, 'http://m.example', { network: { send } }))(
      new AbortController().signal,
      hello,
    ))
      if (part.type === 'text') break;
  },
);

test.each(['openai-compatible', 'openai-chat'] as const)(
  '%s: lines of JSON, and whole answers with the content type of a web page, are read',
  async (kind) => {
    const lines = answers[kind]
      .slice(0, 2)
      .join('')
      .replace(/^data: /gm, '')
      .replace(/\n+/g, '\n');
    for (const type of ['application/json', 'application/x-ndjson', 'text/html'])
      expect(await inPieces(kind, [utf8(lines)], type)).toMatchObject({
        text: 'Hello.',
        finish: 'stop',
      });
    const whole = bodies.find(([one]) => one === kind)?.[1] ?? '';
    expect(await inPieces(kind, [utf8(whole)], 'text/html')).toMatchObject({ text: 'Hello.' });
  },
);

test.each([...new Set(bodies.map(([kind]) => kind))])(
  '%s: other JSON in place of a stream is no answer',
  async (kind) => {
    for (const body of ['{}', '[]', '[{}]', '[1,2]', '{"data":[]}', '{"content":"x"}'])
      for (const { fault } of await readAll(kind, body)) expect(fault).toMatch(/^(?:answer|cut): /);
  },
);

const blocks = message({ type: 'text', text: 'Hello.' });
const end = [
  { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
  { type: 'message_stop' },
];
const piece = {
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text: 'Hello.' },
};
test.each([
  [[{ type: 'message_start', message: blocks }, ...end]],
  [[{ type: 'message_start', message: blocks }, piece, ...end]],
])('anthropic: a whole message in the first event is read once', async (events) => {
  const read = await inPieces('anthropic', [utf8(events.map(frame).join(''))]);
  expect(read).toMatchObject({ text: 'Hello.', finish: 'stop' });
});
