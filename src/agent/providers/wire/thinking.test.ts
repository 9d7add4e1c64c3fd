import { afterAll, beforeEach, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import type { ModelRequest } from '../../../runtime/spec/model.ts';
import { answerTo, asker, hello, partsOf } from './endpoint.fixture.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
});
afterAll(() => endpoint.close());

function thinking(): unknown[] {
  return endpoint.requests.map(({ body }) => (body as { thinking?: unknown }).thinking);
}

const enabled = { type: 'enabled', budget_tokens: 4_000 };
const adaptive = { type: 'adaptive', display: 'summarized' };

test.each([
  ['claude-3-5-sonnet-20241022', undefined],
  ['claude-3-7-sonnet-20250219', enabled],
  ['claude-sonnet-4-20250514', enabled],
  ['claude-haiku-4-5', enabled],
  ['claude-opus-4-5-20251101', enabled],
  ['claude-sonnet-4-6', adaptive],
  ['claude-opus-4-10', adaptive],
  ['claude-opus-5-20270101', adaptive],
  ['somebody-elses', undefined],
])('%s gets its own thinking option', async (model, wanted) => {
  endpoint.answer({ text: 'Hello.' });
  await partsOf(await asker('anthropic', endpoint.url, { model }));
  expect(thinking()).toEqual([wanted]);
});

test('a model that may not think is asked again without thinking', async () => {
  const message = 'thinking.type.enabled is not supported for this model';
  endpoint.answer({ status: 400, error: { message } }, { text: 'Hello.' });
  const parts = await partsOf(
    await asker('anthropic', endpoint.url, { model: 'claude-haiku-4-5' }),
  );
  expect(parts[0]).toMatchObject({ type: 'text', delta: 'Hello.' });
  expect(thinking()).toEqual([enabled, undefined]);
});

const tool = { name: 'a__b', description: 'A.', parameters: { type: 'object', properties: {} } };

test('a turn that another model began continues without thinking', async () => {
  const asked = { id: '1', askedId: 'c00000001', wire: 'a__b', tool: 'a:b', arguments: '{}' };
  const answer = { askedId: 'c00000001', wire: 'a__b', isError: false } as const;
  const request: ModelRequest = {
    ...hello,
    tools: [tool],
    messages: [
      ...hello.messages,
      { role: 'assistant', parts: [{ type: 'call', ...asked }] },
      { role: 'tool', answers: [{ ...answer, parts: [{ type: 'text', text: 'fine' }] }] },
    ],
  };
  endpoint.answer({ text: 'Done.' });
  await partsOf(await asker('anthropic', endpoint.url, { model: 'claude-haiku-4-5' }), request);
  expect(thinking()).toEqual([undefined]);
});

const key = 'sk-Rep3at/ed+by_the-Server';

/** The thinking option and the blocks of thinking in the request after an answer with a call. */
async function afterAnswer(
  model: string,
  scripted: Parameters<typeof endpoint.answer>[0],
): Promise<readonly [option: unknown, blocks: readonly object[]]> {
  endpoint.answer(scripted, { text: 'Done.' });
  const ask = await asker('anthropic', endpoint.url, { model, access: { key } });
  const request: ModelRequest = { ...hello, tools: [tool] };
  const parts = await answerTo(ask, 'anthropic', request, model);
  const answers = parts.flatMap((part) =>
    part.type === 'call'
      ? [{ askedId: part.askedId, wire: part.wire, isError: false, parts: [] }]
      : [],
  );
  expect(answers).toHaveLength(1);
  const messages = [
    ...hello.messages,
    { role: 'assistant', parts } as const,
    { role: 'tool', answers } as const,
  ];
  await partsOf(ask, { ...request, messages });
  // Nothing was refused, so nothing was sent again.
  expect(endpoint.requests).toHaveLength(2);
  const { messages: sent } = endpoint.requests.at(-1)?.body as {
    messages: { content: { type: string }[] }[];
  };
  const blocks = sent
    .flatMap(({ content }) => content)
    .filter(({ type }) => type.includes('think'));
  return [thinking()[1], blocks];
}

const asks = [{ name: 'a__b', arguments: '{}' }];
const frames = (...events: readonly object[]): string =>
  events.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('');
/** An answer with several blocks of thinking, and a call. */
const thinksTwice = (...thoughts: readonly string[]) => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: frames(
    { type: 'message_start', message: { usage: { input_tokens: 1 } } },
    ...thoughts.flatMap((text, index) => [
      { type: 'content_block_start', index, content_block: { type: 'thinking', thinking: '' } },
      { type: 'content_block_delta', index, delta: { type: 'thinking_delta', thinking: text } },
      { type: 'content_block_delta', index, delta: { type: 'signature_delta', signature: 'S' } },
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'content_block_start',
      index: thoughts.length,
      content_block: { type: 'tool_use', id: 'c_thought', name: 'a__b', input: {} },
    },
    { type: 'content_block_stop', index: thoughts.length },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ),
});

test.each([
  ['claude-haiku-4-5', enabled],
  ['claude-sonnet-4-6', adaptive],
])('%s gets its thinking back as it was, with the signature', async (model, option) => {
  const [sent, blocks] = await afterAnswer(model, { reasoning: 'Hm.', calls: asks });
  expect(sent).toEqual(option);
  expect(blocks).toEqual([
    { type: 'thinking', thinking: 'Hm.', signature: expect.any(String) as string },
  ]);
});

// Masked, the text does not fit its signature. Models with a budget refuse turns of which the thinking is missing.
test.each([
  ['claude-haiku-4-5', undefined],
  ['claude-sonnet-4-6', adaptive],
])('%s does not get thinking back in which a key was masked', async (model, option) => {
  for (const reasoning of [`I have ${key}.`, `I have ${btoa(key)}`, key]) {
    endpoint.reset();
    expect(await afterAnswer(model, { reasoning, calls: asks })).toEqual([option, []]);
  }
  // Anthropic accepts all of an answer’s thinking, or none.
  for (const thoughts of [
    ['Hm.', `I have ${key}.`],
    [`I have ${key}.`, 'Hm.'],
  ]) {
    endpoint.reset();
    expect(await afterAnswer(model, thinksTwice(...thoughts))).toEqual([option, []]);
  }
});
