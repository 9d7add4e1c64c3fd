import fc from 'fast-check';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import { noUsage } from '../../session/usage.ts';
import type { ModelPart, ModelRequest } from '../../../runtime/spec/model.ts';
import { answerTo, asker, hello, kinds, partsOf } from './endpoint.fixture.ts';
import { separateThinking } from './inline-thinking.ts';
import { mentionsThinking } from './thinking-tags.ts';
import { threadMs } from '../../../../tests/support/thread-time.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
});
afterAll(() => endpoint.close());

/** Reasoning and text of an answer that arrives in these pieces. */
async function read(
  pieces: readonly string[],
  { after = [], isAboutTags = false }: { after?: readonly ModelPart[]; isAboutTags?: boolean } = {},
) {
  async function* parts(): AsyncGenerator<ModelPart> {
    await Promise.resolve();
    for (const delta of pieces) if (delta !== '') yield { type: 'text', id: '0', delta };
    yield { type: 'part-ended', id: '0' };
    yield* after;
    yield { type: 'ended', finish: 'stop', usage: noUsage };
  }
  const reported = { reasoning: '', text: '', ended: 0 };
  for await (const part of separateThinking(parts(), () => isAboutTags))
    if (part.type === 'text' || part.type === 'reasoning') reported[part.type] += part.delta;
    else if (part.type === 'part-ended') reported.ended += 1;
    else if (part.type === 'was-reasoning') {
      reported.reasoning += reported.text;
      reported.text = '';
    }
  return reported;
}

const assistant = '<|start|>assistant';
const analysis = '<|channel|>analysis<|message|>';
const final = '<|channel|>final<|message|>';

/** Cuts of a text into pieces. */
function piecesOf(answer: string): fc.Arbitrary<string[]> {
  return fc.array(fc.nat(answer.length), { maxLength: 12 }).map((cuts) => {
    const at = [0, ...cuts.sort((a, b) => a - b), answer.length];
    return at.map((from, index) => answer.slice(from, at[index + 1]));
  });
}

test.each([
  ['<think>\nHm.\n</think>\n\nYes.', 'Hm.\n', 'Yes.', 2],
  ['\n <think>Hm.</think>Yes.', 'Hm.', 'Yes.', 2],
  ['<think>Hm. It broke off </thi', 'Hm. It broke off </thi', '', 2],
  ['<think>a < b </ c</think>Yes </think> no', 'a < b </ c', 'Yes </think> no', 2],
  ['<think>\n\n</think>\n\nYes.', '', 'Yes.', 1],
  ['<think', '', '<think', 1],
  ['<think>\n', '', '', 1],
  ['<thinking>Hm.</thinking>', 'Hm.', '', 2],
  ['<thinking>\nHm.\n</thinking>\n\nYes.', 'Hm.\n', 'Yes.', 2],
  ['<thought>Hm.</thought>Yes.', 'Hm.', 'Yes.', 2],
  ['<THINK>Hm.</Think>Yes.', 'Hm.', 'Yes.', 2],
  ['<thinking>Hm.</think> no</thinking>Yes.', 'Hm.</think> no', 'Yes.', 2],
  // An opening tag that the template and the model both write, and reasoning within reasoning.
  ['<think>\n<think>\nHm.\n</think>\n\nYes.', '<think>\nHm.\n', 'Yes.', 2],
  ['<think>a<think>b</think>\nc</think>\nYes.', 'a<think>bc', 'Yes.', 2],
  ['<think>The tag <think>.</think>\nYes.', 'The tag <think>.', 'Yes.', 2],
  ['<think>Hm.</think></think>\n\nYes.', 'Hm.', 'Yes.', 2],
  ['<think>Hm.</think>\n<think>Oh.</think>\nYes.', 'Hm.Oh.', 'Yes.', 3],
  ['<thinking>Hm.</thinking><think>Oh.</think>Yes.', 'Hm.Oh.', 'Yes.', 3],
  // Tags of Kimi-VL, Command A, Sky-T1, Magistral, Seed-OSS, Gemma 4 and gpt-oss.
  ['◁think▷Hm. ◁ b◁/think▷Yes.', 'Hm. ◁ b', 'Yes.', 2],
  ['<|START_THINKING|>Hm.<|END_THINKING|>Yes.', 'Hm.', 'Yes.', 2],
  ['<|begin_of_thought|>\nHm.<|end_of_thought|>\nYes.', 'Hm.', 'Yes.', 2],
  ['[THINK]Hm. [1] [/b][/THINK]Yes.', 'Hm. [1] [/b]', 'Yes.', 2],
  ['Hm.[/THINK]Yes.', 'Hm.', 'Yes.', 1],
  ['<seed:think>Hm.</seed:think>Yes.', 'Hm.', 'Yes.', 2],
  ['<|channel>thought\nHm.\n<channel|>Yes.', 'Hm.\n', 'Yes.', 2],
  ['<|channel>thought\n<channel|>Yes.', '', 'Yes.', 1],
  [`${analysis}Hm.<|end|>${assistant}${final}Yes.`, 'Hm.', 'Yes.', 2],
  [`${assistant}${analysis}Hm.${assistant}${final}Yes.`, 'Hm.', 'Yes.', 2],
  [`${analysis}Hm.<|end|>${assistant}${analysis}Oh.${final}Yes.`, 'Hm.Oh.', 'Yes.', 3],
  [`${analysis}Hm. <|en`, 'Hm. <|en', '', 2],
  [`${final}Yes.`, '', 'Yes.', 1],
  ['[Think about it](a.md)', '', '[Think about it](a.md)', 1],
  ['<|channel|>commentary', '', '<|channel|>commentary', 1],
  ['<reasoning>Hm.</reasoning>Yes.', '', '<reasoning>Hm.</reasoning>Yes.', 1],
  ['<thinkers> unite', '', '<thinkers> unite', 1],
  ['</think>\n\nYes.', '', 'Yes.', 1],
  ['Hm.\n</think>\n\nYes.', 'Hm.\n', 'Yes.', 1],
  ['Hm.</think>\n\nYes.', 'Hm.', 'Yes.', 1],
  ['Hm.</think>Yes.', 'Hm.', 'Yes.', 1],
  ['Hm.</think> Yes.', 'Hm.', 'Yes.', 1],
  ['Hm.\n</thinking>\nYes.', 'Hm.\n', 'Yes.', 1],
  ['Hm.\n</thought>\nYes.', 'Hm.\n', 'Yes.', 1],
  ['```js\nlet a;\n```\nHm.\n</think>\nYes.', '```js\nlet a;\n```\nHm.\n', 'Yes.', 1],
  ['I quote `</think>` here.\n</think>\nYes.', 'I quote `</think>` here.\n', 'Yes.', 1],
  ['嗯。</think>好。', '嗯。', '好。', 1],
  ['Yes. <think>Hm.</think>', '', 'Yes. <think>Hm.</think>', 1],
  ['  Yes.', '', '  Yes.', 1],
  ['', '', '', 1],
])('%j is separated, whatever pieces it arrives in', async (answer, reasoning, text, ended) => {
  await fc.assert(
    fc.asyncProperty(piecesOf(answer), async (pieces) => {
      expect(await read(pieces)).toEqual({ reasoning, text, ended });
    }),
  );
});

test.each([
  'The `</think>` tag ends reasoning.',
  'The </think> tag ends reasoning.',
  'It ends with "</think>".',
  'It ends with “</think>”, always.',
  'It ends with (</think>).',
  'It ends with </think>.',
  'It ends with </think>\n\nThat is all.',
  'Use it so:\n```xml\nHm.\n</think>\nYes.\n```\nDone.',
  'Use it so:\n\n</think> ends reasoning.\n',
  'Use <think> and </think> so.',
  'Use <think>\nHm.\n</think>\nso.',
  'A regular expression: /<\\/think>/.test(text)',
  'A table: |</think>| ends it.',
  'Nothing follows.\n</think>',
  'Nothing follows.</think>\n \n',
  'A list:\n- </think>\n- </thinking>\n',
])('%j: the answer is not lost, whatever pieces it arrives in', async (answer) => {
  await fc.assert(
    fc.asyncProperty(piecesOf(answer), async (pieces) => {
      expect(await read(pieces)).toMatchObject({ reasoning: '', text: answer });
    }),
  );
});

test.each([
  '</think> ends reasoning.',
  '<think> begins reasoning.',
  '<think>…</think> surrounds reasoning.',
  'It is a tag:\n</think>\nAnd that is all.',
  'Hm.</think>Yes.',
])('%j: if the user asks about such tags, the answer is not lost', async (answer) => {
  await fc.assert(
    fc.asyncProperty(piecesOf(answer), async (pieces) => {
      expect(await read(pieces, { isAboutTags: true })).toMatchObject({
        reasoning: '',
        text: answer,
      });
    }),
  );
});

test('if the user asks about such tags, reasoning between tags in lines of their own is reasoning', async () => {
  const answer = '<think>\nWhich tag?\n</think>\n\nThe tag `</think>`.';
  await fc.assert(
    fc.asyncProperty(piecesOf(answer), async (pieces) => {
      expect(await read(pieces, { isAboutTags: true })).toMatchObject({
        reasoning: 'Which tag?\n',
        text: 'The tag `</think>`.',
      });
    }),
  );
});

test('what the conversation is about is found in messages and results', () => {
  const about = (text: string): boolean =>
    mentionsThinking({ messages: [{ role: 'user', parts: [{ type: 'text', text }] }] });
  expect([
    about('What does <think> mean?'),
    about('Why is there a </thinking> in my log?'),
    about('Which think tag does Qwen write?'),
    about('Explain reasoning tokens.'),
    about('What is [/THINK]?'),
    about('Where does <|channel|> come from?'),
    about('I think that you should answer.'),
    about('A thought: tag this file.'),
  ]).toEqual([true, true, true, true, true, true, false, false]);
  const parts = [{ type: 'text', text: 'Hm.</think>' }] as const;
  const answer = { askedId: 'a', wire: 'f', isError: false, parts };
  expect([
    mentionsThinking({ messages: [{ role: 'tool', answers: [answer] }] }),
    mentionsThinking({ messages: [{ role: 'assistant', parts }] }),
  ]).toEqual([true, false]);
});

test('a text that ends with a closing tag before a call was reasoning', async () => {
  const call: ModelPart = { type: 'call', id: 'a', wire: 'f', arguments: '{}' };
  expect([
    await read(['Hm.\n</think>\n'], { after: [call] }),
    await read(['I look at it.'], { after: [call] }),
  ]).toEqual([
    { reasoning: 'Hm.\n', text: '', ended: 1 },
    { reasoning: '', text: 'I look at it.', ended: 1 },
  ]);
});

test('a closing tag that is left in a text after separate reasoning is removed', async () => {
  async function* parts(): AsyncGenerator<ModelPart> {
    await Promise.resolve();
    yield { type: 'reasoning', id: '0', delta: 'Hm.' };
    yield { type: 'text', id: '1', delta: '</thi' };
    yield { type: 'text', id: '1', delta: 'nk>\n\nYes.' };
  }
  const reported: ModelPart[] = [];
  for await (const part of separateThinking(parts())) reported.push(part);
  expect(reported).toEqual([
    { type: 'reasoning', id: '0', delta: 'Hm.' },
    { type: 'text', id: '1', delta: 'Yes.' },
  ]);
});

test.each(kinds)('%s: reasoning before a lone closing tag is never sent back', async (kind) => {
  const ask = await asker(kind, endpoint.url);
  endpoint.answer({ text: 'Hm.\n</think>\n\nYes.' }, { text: 'Done.' });
  const parts = await answerTo(ask, kind);
  expect(parts.map(({ opaque: _, ...part }) => part)).toEqual([
    { type: 'reasoning', text: 'Hm.\n' },
    { type: 'text', text: 'Yes.' },
  ]);
  const next = { role: 'user', parts: [{ type: 'text', text: 'And now?' }] } as const;
  const messages = [...hello.messages, { role: 'assistant', parts } as const, next];
  await partsOf(ask, { ...hello, messages });
  expect(endpoint.requests[1]?.text).toMatch(/Yes\./);
  expect(endpoint.requests[1]?.text).not.toMatch(/Hm\.|<\/think>/);
});

test('the text of a server that sends reasoning separately stays unchanged', async () => {
  async function* parts(): AsyncGenerator<ModelPart> {
    await Promise.resolve();
    yield { type: 'reasoning', id: '0', delta: 'Hm.' };
    yield { type: 'text', id: '1', delta: '<think>is a tag</think>' };
  }
  const reported: ModelPart[] = [];
  for await (const part of separateThinking(parts())) reported.push(part);
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

test('text after the last of several tags in a piece is not lost before a call', async () => {
  const call: ModelPart = { type: 'call', id: 'a', wire: 'f', arguments: '{}' };
  const answer = 'Use</think>, then foo</think> and more';
  await fc.assert(
    fc.asyncProperty(piecesOf(answer), async (pieces) => {
      expect(await read(pieces, { after: [call] })).toEqual({
        reasoning: 'Use</think>, then foo',
        text: 'and more',
        ended: 1,
      });
    }),
  );
});

test.each([
  ['x</think>,', ''],
  ['`x</think>`\n', ''],
  ['<think>x</think>.', 'No: '],
  ['x</think', ''],
  ['[<|', ''],
  [' '.repeat(50), ''],
  [' '.repeat(50), 'Hm.</think>'],
])('20,000 pieces %j are read in linear time', async (piece, first) => {
  const pieces = [first, ...Array.from({ length: 20_000 }, () => piece)];
  let asked = 0;
  async function* parts(): AsyncGenerator<ModelPart> {
    await Promise.resolve();
    for (const delta of pieces) yield { type: 'text', id: '0', delta };
    yield { type: 'part-ended', id: '0' };
    yield { type: 'ended', finish: 'stop', usage: noUsage };
  }
  const isAboutTags = (): boolean => {
    asked += 1;
    return false;
  };
  let text = '';
  const from = threadMs();
  for await (const part of separateThinking(parts(), isAboutTags))
    if (part.type === 'text') text += part.delta;
  expect(threadMs() - from).toBeLessThan(1_000);
  expect(text === pieces.join('')).toBe(true);
  expect(asked).toBeLessThan(2);
});

test('nested reasoning is read in linear time', async () => {
  const pieces = ['<think>', ...Array.from({ length: 20_000 }, () => 'x<think><')];
  const from = threadMs();
  expect((await read(pieces)).reasoning).toBe(pieces.slice(1).join(''));
  expect(threadMs() - from).toBeLessThan(1_000);
});

test('after many quoted tags, all are taken as quoted', async () => {
  const answer = `${'`</think>` '.repeat(20)}Hm.\n</think>\n\nYes.`;
  await fc.assert(
    fc.asyncProperty(piecesOf(answer), async (pieces) => {
      expect(await read(pieces)).toEqual({ reasoning: '', text: answer, ended: 1 });
    }),
  );
  expect(await read([answer.slice('`</think>` '.length)])).toMatchObject({ text: 'Yes.' });
});
