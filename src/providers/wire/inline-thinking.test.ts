import fc from 'fast-check';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../tests/support/model-endpoint.ts';
import type { ModelPart, ModelRequest } from '../../spec/model.ts';
import { answerTo, asker, hello, partsOf } from './endpoint.fixture.ts';
import { thinkingApart } from './inline-thinking.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
});
afterAll(() => endpoint.close());

/** Reasoning and text of an answer that arrives in these pieces. */
async function read(pieces: readonly string[], more: readonly ModelPart[] = []) {
  async function* parts(): AsyncGenerator<ModelPart> {
    await Promise.resolve();
    for (const delta of pieces) if (delta !== '') yield { type: 'text', id: '0', delta };
    yield* more;
    yield { type: 'part-ended', id: '0' };
  }
  const reported = { reasoning: '', text: '', ended: 0 };
  for await (const part of thinkingApart(parts()))
    if (part.type === 'text' || part.type === 'reasoning') reported[part.type] += part.delta;
    else if (part.type === 'part-ended') reported.ended += 1;
  return reported;
}

test.each([
  ['<think>\nHm.\n</think>\n\nYes.', 'Hm.\n', 'Yes.', 2],
  ['\n <think>Hm.</think>Yes.', 'Hm.', 'Yes.', 2],
  ['<think>Hm. It broke off </thi', 'Hm. It broke off </thi', '', 2],
  ['<think>a < b </ c</think>Yes </think> no', 'a < b </ c', 'Yes </think> no', 2],
  ['<think>\n\n</think>\n\nYes.', '', 'Yes.', 1],
  ['<think', '', '<think', 1],
  ['<think>\n', '', '', 1],
  ['<thinking>Hm.</thinking>', '', '<thinking>Hm.</thinking>', 1],
  ['Yes. <think>Hm.</think>', '', 'Yes. <think>Hm.</think>', 1],
  ['  Yes.', '', '  Yes.', 1],
  ['', '', '', 1],
])('%j is separated, whatever pieces it arrives in', async (answer, reasoning, text, ended) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(answer.length), { maxLength: 12 }), async (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), answer.length];
      const pieces = at.map((from, index) => answer.slice(from, at[index + 1]));
      expect(await read(pieces)).toEqual({ reasoning, text, ended });
    }),
  );
});

test('the text of a server that sends reasoning separately stays unchanged', async () => {
  async function* parts(): AsyncGenerator<ModelPart> {
    await Promise.resolve();
    yield { type: 'reasoning', id: '0', delta: 'Hm.' };
    yield { type: 'text', id: '1', delta: '<think>is a tag</think>' };
  }
  const reported: ModelPart[] = [];
  for await (const part of thinkingApart(parts())) reported.push(part);
  expect(reported).toMatchObject([{ type: 'reasoning' }, { delta: '<think>is a tag</think>' }]);
});

test('inline reasoning is sent back in the text, during its turn', async () => {
  const ask = await asker('openai-compatible', endpoint.url);
  const tool = { name: 'a__b', description: 'A.', parameters: { type: 'object', properties: {} } };
  const request: ModelRequest = { ...hello, tools: [tool] };
  endpoint.answer(
    { text: '<think>\nHm.\n</think>\n\nI look.', calls: [{ name: 'a__b', arguments: '{}' }] },
    ...[{ text: 'Done.' }, { text: 'Done.' }],
  );
  const parts = await answerTo(ask, 'openai-compatible', request);
  expect(parts).toMatchObject([
    { type: 'reasoning', text: 'Hm.\n' },
    { type: 'text', text: 'I look.' },
    { type: 'call' },
  ]);
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
  await partsOf(ask, { ...request, messages });
  const next = { role: 'user', parts: [{ type: 'text', text: 'And now?' }] } as const;
  await partsOf(ask, { ...request, messages: [...messages, next] });
  const sent = endpoint.requests.slice(1).map(({ body }) => {
    const { content, reasoning_content } = (body as { messages: Record<string, unknown>[] })
      .messages[2] ?? { content: null };
    return [content, reasoning_content];
  });
  expect(sent).toEqual([
    ['<think>\nHm.\n</think>\n\nI look.', undefined],
    ['I look.', undefined],
  ]);
});
