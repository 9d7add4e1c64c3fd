import { afterAll, beforeEach, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import type { AssistantPart, ModelMessage, ModelRequest } from '../../../runtime/spec/model.ts';
import { answerTo, asker, hello, kinds, partsOf } from './endpoint.fixture.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
});
afterAll(() => endpoint.close());

const tool = { name: 'a__b', description: 'A.', parameters: { type: 'object', properties: {} } };
const request: ModelRequest = { ...hello, tools: [tool] };

function withAnswers(
  parts: readonly AssistantPart[],
  more: readonly ModelMessage[] = [],
): ModelRequest {
  const calls = parts.filter((part) => part.type === 'call');
  return {
    ...request,
    messages: [
      ...request.messages,
      { role: 'assistant', parts },
      {
        role: 'tool',
        answers: calls.map(({ askedId, wire }) => ({
          askedId,
          wire,
          isError: false,
          parts: [{ type: 'text', text: 'fine' }],
        })),
      },
      ...more,
    ],
  };
}

test('reasoning is sent back in its own field: during its turn, and with calls always', async () => {
  const ask = await asker('openai-compatible', endpoint.url);
  const sent: unknown[] = [];
  for (const reasoningField of ['reasoning_content', 'reasoning'] as const) {
    endpoint.reset();
    endpoint.answer(
      { reasoning: 'Hm.', reasoningField, calls: [{ name: 'a__b', arguments: '{}' }] },
      ...[{ reasoning: 'Well.', reasoningField, text: 'Done.' }, { text: 'Done.' }],
    );
    const parts = await answerTo(ask, 'openai-compatible', request);
    const said = await answerTo(ask, 'openai-compatible', withAnswers(parts));
    const next = { role: 'user', parts: [{ type: 'text', text: 'And now?' }] } as const;
    await partsOf(ask, withAnswers(parts, [{ role: 'assistant', parts: said }, next]));
    for (const { body } of endpoint.requests.slice(1)) {
      const { messages } = body as { messages: Record<string, unknown>[] };
      const answers = messages.filter(({ role }) => role === 'assistant');
      sent.push(
        answers.map(({ reasoning, reasoning_content }) => ({ reasoning, reasoning_content })),
      );
    }
  }
  expect(sent).toEqual([
    [{ reasoning_content: 'Hm.' }],
    [{ reasoning_content: 'Hm.' }, {}],
    [{ reasoning: 'Hm.' }],
    [{ reasoning: 'Hm.' }, {}],
  ]);
});

for (const kind of kinds)
  test(`${kind}: data that only another model can read is left out, and its conversation continues`, async () => {
    const other = kinds[(kinds.indexOf(kind) + 1) % kinds.length] ?? kind;
    endpoint.answer({
      reasoning: 'A secret thought.',
      text: 'Let me look.',
      calls: [{ name: 'a__b', arguments: '{"n": 1.0}' }],
    });
    const before = await answerTo(await asker(other, endpoint.url), other, request);
    // The other provider has other names for its models.
    const parts = before.map((part) =>
      part.opaque === undefined
        ? part
        : { ...part, opaque: { ...part.opaque, made: { provider: 'p0', model: 'another' } } },
    );
    endpoint.answer({ text: 'Done.' });
    const after = await answerTo(await asker(kind, endpoint.url), kind, withAnswers(parts));
    expect(after).toMatchObject([{ type: 'text', text: 'Done.' }]);
    const { text = '' } = endpoint.requests[1] ?? {};
    expect([text.includes('secret thought'), text.includes('1.0')]).toEqual([false, true]);
  });

test('if an organisation may not see reasoning, a second request omits it', async () => {
  endpoint.answer(
    {
      status: 400,
      error: {
        message: 'Your organization must be verified to generate reasoning summaries.',
        code: 'unsupported_value',
      },
    },
    { text: 'Hello.' },
  );
  const parts = await partsOf(await asker('openai-responses', endpoint.url));
  expect(parts[0]).toMatchObject({ type: 'text', delta: 'Hello.' });
  const sent = endpoint.requests.map(({ body }) => (body as { reasoning?: unknown }).reasoning);
  expect(sent).toEqual([{ summary: 'auto' }, undefined]);
});
