import { afterAll, beforeEach, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import type { Finish, ModelPart, ModelRequest } from '../../../runtime/spec/model.ts';
import { noUsage } from '../../session/usage.ts';
import { answerTo, asker, hello } from './endpoint.fixture.ts';
import { readLeftCalls } from './left-calls.ts';
import { frame } from './streams.fixture.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
});
afterAll(() => endpoint.close());

const tool = { name: 'echo', description: 'Echoes', parameters: { type: 'object' } };
const request = { ...hello, tools: [tool] };
const call = '<tool_call>{"name": "echo", "arguments": {"a": 1.0}}</tool_call>';

interface Given {
  readonly before?: readonly ModelPart[];
  readonly after?: readonly ModelPart[];
  readonly finish?: Finish;
  readonly messages?: ModelRequest['messages'];
  readonly fails?: boolean;
}

/** Returns the parts of an answer in short: kind and content, with the texts joined. */
async function read(written: string, given: Given = {}): Promise<readonly string[]> {
  const { before = [], after = [], finish = 'stop', messages = hello.messages } = given;
  async function* parts(): AsyncGenerator<ModelPart> {
    await Promise.resolve();
    yield* before;
    for (const delta of written) yield { type: 'text', id: '0', delta };
    if (given.fails === true) throw new Error('cut');
    yield { type: 'part-ended', id: '0' };
    yield* after;
    yield { type: 'ended', finish, usage: noUsage };
  }
  const said: string[] = [];
  try {
    for await (const part of readLeftCalls(parts(), { tools: [tool], messages })) {
      const last = said.at(-1) ?? '';
      if (part.type === 'text' || part.type === 'reasoning') {
        if (last.startsWith(`${part.type}:`)) said[said.length - 1] = last + part.delta;
        else said.push(`${part.type}:${part.delta}`);
      } else if (part.type === 'call')
        said.push(`call:${part.wire}${part.arguments}${part.isInText === true ? ' in text' : ''}`);
      else said.push(part.type === 'ended' ? part.finish : part.type);
    }
  } catch (thrown) {
    said.push(String(thrown));
  }
  return said;
}

const asText = (written: string, finish = 'stop') => [`text:${written}`, 'part-ended', finish];

test('a text that is only a call becomes the call, also after reasoning', async () => {
  const wanted = ['call:echo{"a": 1.0} in text', 'calls'];
  expect(await read(call)).toEqual(wanted);
  expect(await read(`\n${call}\n`)).toEqual(wanted);
  const reasoning = { type: 'reasoning', id: '0 thinking', delta: 'Hm.' } as const;
  const ended = { type: 'part-ended', id: '0 thinking' } as const;
  expect(await read(call, { before: [reasoning, ended] })).toEqual([
    'reasoning:Hm.',
    'part-ended',
    ...wanted,
  ]);
  const before = { type: 'text', id: '0', delta: 'Hm.' } as const;
  const turned = { type: 'was-reasoning', id: '0' } as const;
  expect(await read(call, { before: [before, turned] })).toEqual([
    'text:Hm.',
    'was-reasoning',
    ...wanted,
  ]);
  const data = { type: 'part-ended', id: 'answer data' } as const;
  expect(await read(call, { after: [data] })).toEqual(['part-ended', ...wanted]);
});

test('a text stays a text if it could be more than a call, and no tool runs', async () => {
  for (const written of [
    `Look: ${call}`,
    `${call} Done.`,
    call.replace('echo', 'other'),
    'Hi.',
    '',
  ])
    expect(await read(written)).toEqual(written === '' ? ['part-ended', 'stop'] : asText(written));
  // Other reasons are those of one server, such as `abort` or `model_length`: the text may be cut off after a call.
  for (const finish of ['length', 'filtered', 'other'] as const)
    expect(await read(call, { finish })).toEqual(asText(call, finish));
  expect(await read(call, { fails: true })).toEqual([`text:${call}`, 'Error: cut']);
  // The user, or a tool, has written about such calls.
  const parts = [{ type: 'text', text: 'How does Hermes write a <tool_call>?' }] as const;
  expect(await read(call, { messages: [{ role: 'user', parts }] })).toEqual(asText(call));
  const answers = [{ askedId: '', wire: '', isError: false, parts }];
  expect(await read(call, { messages: [{ role: 'tool', answers }] })).toEqual(asText(call));
  // The user wants to read the call. An earlier message, a file, and a document that a tool returns are no such wish.
  const wish = { type: 'text', text: 'Only the tool call, do not run it: echo 1.' } as const;
  expect(await read(call, { messages: [{ role: 'user', parts: [wish] }] })).toEqual(asText(call));
  const ran = ['call:echo{"a": 1.0} in text', 'calls'];
  const next = { type: 'text', text: 'Now echo 1.' } as const;
  const earlier = [wish, next].map((part) => ({ role: 'user', parts: [part] }) as const);
  expect(await read(call, { messages: earlier })).toEqual(ran);
  const file = { ...wish, name: 'README.md' };
  expect(await read(call, { messages: [{ role: 'user', parts: [next, file] }] })).toEqual(ran);
  const document = [{ askedId: '', wire: '', isError: false, parts: [wish] }];
  expect(await read(call, { messages: [{ role: 'tool', answers: document }] })).toEqual(ran);
  // The model says so itself.
  const before = 'Only the tool call, do not run it: ';
  expect(await read(before + call)).toEqual(asText(before + call));
  // The server has read a call itself, and another text follows.
  const own = { type: 'call', id: 'c', wire: 'echo', arguments: '{}' } as const;
  expect(await read(call, { after: [own] })).toEqual([
    `text:${call}`,
    'part-ended',
    'call:echo{}',
    'stop',
  ]);
  const more = { type: 'text', id: '1', delta: 'More.' } as const;
  expect(await read(call, { after: [more] })).toEqual([
    `text:${call}`,
    'part-ended',
    'text:More.',
    'stop',
  ]);
});

test('the channels of gpt-oss are read without its special tokens, if they can only be channels', async () => {
  expect(await read('analysisThe user says hi.assistantfinalHello!')).toEqual([
    'reasoning:The user says hi.',
    'part-ended',
    'text:Hello!',
    'part-ended',
    'stop',
  ]);
  expect(
    await read('analysisI call it.assistantcommentary to=functions.echo json{"a": 1.0}'),
  ).toEqual(['reasoning:I call it.', 'part-ended', 'call:echo{"a": 1.0} in text', 'calls']);
  for (const written of [
    'analysis of the assistantfinal state',
    'analysisThe end is missing.',
    'analysisA.assistantfinalB.assistantfinalC',
    'analysisA.assistantcommentaryB.assistantfinalC',
    'analysisA.assistantcommentary to=functions.other json{}',
    'The words analysisX and assistantfinalY',
  ])
    expect(await read(written)).toEqual(asText(written));
});

test('only calls in the text of compatible servers are read, and they are marked', async () => {
  const chunk = (delta: object, finish_reason: string | null) =>
    frame({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] });
  const body = `${chunk({ content: `<think>Hm.</think>\n\n${call}` }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`;
  const answer = { status: 200, headers: { 'content-type': 'text/event-stream' }, body };
  endpoint.answer(answer);
  const kind = 'openai-compatible';
  const read = await answerTo(await asker(kind, endpoint.url), kind, request);
  expect(read.map(({ type }) => type)).toEqual(['reasoning', 'call']);
  expect(read[1]).toMatchObject({
    tool: 'id:echo',
    arguments: '{"a": 1.0}',
    argumentFault: 'in-text',
  });
  endpoint.answer(answer);
  const other = await answerTo(await asker('openai-chat', endpoint.url), 'openai-chat', request);
  expect(other.map(({ type }) => type)).toEqual(['reasoning', 'text']);
});
