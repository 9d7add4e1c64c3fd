import { readFileSync } from 'node:fs';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import type { HttpKind, ModelRequest } from '../../../runtime/spec/model.ts';
import { answerTo, asker, hello, partsOf, refOf } from './endpoint.fixture.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
});
afterAll(() => endpoint.close());

const tool = {
  name: 'sess__echo',
  description: 'Echo.',
  parameters: { type: 'object', properties: { text: { type: 'string' } } },
};

/** The messages of the request after an answer with calls. */
async function nextMessages(
  kind: HttpKind,
  body: string,
  model = refOf(kind).model,
): Promise<Record<string, unknown>[]> {
  const headers = { 'content-type': 'text/event-stream' };
  endpoint.answer({ status: 200, headers, body }, { text: 'Done.' });
  const request: ModelRequest = { ...hello, tools: [tool] };
  const parts = await answerTo(await asker(kind, endpoint.url), kind, request);
  const answers = parts.flatMap((part) =>
    part.type === 'call'
      ? [{ askedId: part.askedId, wire: part.wire, isError: false, parts: [] }]
      : [],
  );
  const messages = [
    ...request.messages,
    { role: 'assistant', parts } as const,
    { role: 'tool', answers } as const,
  ];
  await partsOf(await asker(kind, endpoint.url, { model }), { ...request, messages });
  const sent = endpoint.requests.at(-1)?.body as { messages: Record<string, unknown>[] };
  return sent.messages;
}

const frame = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const end = `${frame({}, 'stop')}data: [DONE]\n\n`;
const call = (id: string, index: number, more: object = {}): object => ({
  index,
  id,
  type: 'function',
  function: { name: 'sess__echo', arguments: '{}' },
  ...more,
});
const calls = (...tool_calls: object[]): string => frame({ tool_calls });
const google = (thought_signature: string): object => ({
  extra_content: { google: { thought_signature } },
});
const vertex = (thought_signature: string): object => ({
  extra_content: { vertex: { thought_signature } },
});
const stored = (name: string): string => readFileSync(`tests/faults/${name}.sse`, 'utf8');

const cases: readonly (readonly [string, string, readonly object[]])[] = [
  ['with the call', stored('09a-vertex-thought-signature'), [vertex('VSIG')]],
  ['after the call', stored('09b-signature-in-a-delta-of-its-own'), [google('SIG7')]],
  [
    'after the call, by index',
    calls(call('a', 0)) + calls({ index: 0, ...google('S') }),
    [google('S')],
  ],
  [
    'after the call, of another service',
    calls(call('a', 0)) + calls({ id: 'a', ...vertex('S') }),
    [vertex('S')],
  ],
  [
    'before the name',
    calls({ index: 0, id: 'a', ...google('S') }) + calls(call('a', 0)),
    [google('S')],
  ],
  ['of the first of two calls', calls(call('a', 0, google('S')), call('b', 1)), [google('S'), {}]],
  [
    'of each call',
    calls(call('a', 0), call('b', 1)) +
      calls({ id: 'b', ...google('B') }, { id: 'a', ...google('A') }),
    [google('A'), google('B')],
  ],
  [
    'in two parts',
    calls(call('a', 0, google('S'))) + calls({ id: 'a', extra_content: { google: { more: 1 } } }),
    [{ extra_content: { google: { thought_signature: 'S', more: 1 } } }],
  ],
];

for (const kind of ['openai-compatible', 'openai-chat'] as const) {
  test.each(cases)(`${kind}: a signature comes back: %s`, async (_, body, expected) => {
    const [, , answer] = await nextMessages(kind, body.includes('DONE') ? body : body + end);
    const sent = answer?.tool_calls as { extra_content?: object }[];
    expect(sent.map(({ extra_content }) => (extra_content ? { extra_content } : {}))).toEqual(
      expected,
    );
  });
}

test('a signature of the whole answer comes back with it', async () => {
  const body = calls(call('a', 0)) + frame(google('S')) + end;
  const [, , answer] = await nextMessages('openai-compatible', body);
  expect(answer).toMatchObject({ role: 'assistant', ...google('S') });
});

test('a signature is sent only to the model that made it', async () => {
  const body = calls(call('a', 0, google('S'))) + frame(google('T')) + end;
  expect(JSON.stringify(await nextMessages('openai-compatible', body))).toContain('"S"');
  const sent = await nextMessages('openai-compatible', body, 'another');
  expect(JSON.stringify(sent)).not.toContain('signature');
});
