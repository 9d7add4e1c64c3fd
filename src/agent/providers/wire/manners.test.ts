/** Servers that implement a company's API with rules of their own. */

import { afterAll, beforeEach, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import type { AssistantPart, ModelMessage, ModelRequest } from '../../../runtime/spec/model.ts';
import { answerTo, asker, hello, partsOf, refOf } from './endpoint.fixture.ts';

const kind = 'openai-compatible';
const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
  endpoint.habits.manners = 'openai';
});
afterAll(() => endpoint.close());

const tool = { name: 'a__b', description: 'A.', parameters: { type: 'object', properties: {} } };
const request: ModelRequest = { ...hello, tools: [tool] };
const calls = [{ name: 'a__b', arguments: '{}' }];
const next: ModelMessage = { role: 'user', parts: [{ type: 'text', text: 'And now?' }] };

function withAnswers(parts: readonly AssistantPart[], more: readonly ModelMessage[] = []) {
  const answers = parts.flatMap((part) =>
    part.type === 'call'
      ? [
          {
            askedId: part.askedId,
            wire: part.wire,
            isError: false,
            parts: [{ type: 'text', text: 'fine' } as const],
          },
        ]
      : [],
  );
  const said: ModelMessage[] = [
    { role: 'assistant', parts },
    { role: 'tool', answers },
  ];
  return { ...request, messages: [...request.messages, ...said, ...more] };
}

/** Messages of the latest request. */
function sent(): Record<string, unknown>[] {
  return (endpoint.requests.at(-1)?.body as { messages: Record<string, unknown>[] }).messages;
}

test('reasoning of answers with calls is sent in later turns, if the server wants it', async () => {
  endpoint.habits.manners = 'deepseek';
  endpoint.answer({ reasoning: 'Hm.', calls }, { text: 'Done.' });
  const ask = await asker(kind, endpoint.url);
  const parts = await answerTo(ask, kind, request);
  await partsOf(ask, withAnswers(parts, [next]));
  expect(endpoint.requests).toHaveLength(2);
});

test('a server that wants reasoning with every answer gets it in a second request, empty where there was none', async () => {
  endpoint.habits.manners = 'deepseek';
  endpoint.answer({ calls }, { reasoning: 'Well.', text: 'Done.' }, { text: 'Again.' });
  const ask = await asker(kind, endpoint.url);
  const parts = await answerTo(ask, kind, request);
  const done = await answerTo(ask, kind, withAnswers(parts));
  await partsOf(ask, withAnswers(parts, [{ role: 'assistant', parts: done }, next]));
  expect(
    sent().flatMap(({ role, reasoning_content }) =>
      role === 'assistant' ? [reasoning_content] : [],
    ),
  ).toEqual(['', 'Well.']);
});

test('a server that refuses reasoning gets a second request without it', async () => {
  const message = "'messages.2': property 'reasoning_content' is unsupported";
  endpoint.answer(
    { reasoning: 'Hm.', calls },
    { status: 400, error: { message } },
    { text: 'Ok.' },
  );
  const ask = await asker(kind, endpoint.url);
  await partsOf(ask, withAnswers(await answerTo(ask, kind, request)));
  expect(sent()[2]).not.toHaveProperty('reasoning_content');
});

test("if a user message may not follow a tool's answer, an assistant message is inserted", async () => {
  endpoint.habits.manners = 'mistral';
  endpoint.answer({ calls }, { text: 'Done.' });
  const ask = await asker(kind, endpoint.url);
  const parts = await answerTo(ask, kind, request);
  await partsOf(ask, withAnswers(parts, [next]));
  expect(sent().map(({ role, content }) => [role, content])).toEqual([
    ['system', 'Be brief.'],
    ['user', 'Hello'],
    ['assistant', null],
    ['tool', 'fine'],
    ['assistant', 'OK.'],
    ['user', 'And now?'],
  ]);
});

test('opaque reasoning is sent back complete, with its answer', async () => {
  const text = (more: object): object => ({ type: 'reasoning.text', index: 0, ...more });
  const sealed = { type: 'reasoning.encrypted', data: 'SIG', id: 't', format: 'g', index: 1 };
  endpoint.answer(
    {
      reasoning: 'Hm. So.',
      reasoningField: 'reasoning',
      calls,
      reasoningDetails: [
        [text({ text: 'Hm.', signature: null })],
        [text({ text: ' So.' })],
        [text({ signature: 'S' }), sealed],
      ],
    },
    { text: 'Done.' },
  );
  const ask = await asker(kind, endpoint.url);
  const parts = await answerTo(ask, kind, request);
  await partsOf(ask, withAnswers(parts, [next]));
  expect(sent()[2]).toMatchObject({
    role: 'assistant',
    reasoning: 'Hm. So.',
    reasoning_details: [text({ text: 'Hm. So.', signature: 'S' }), sealed],
  });
  // No other model can read it.
  await partsOf(
    await asker(kind, endpoint.url, { model: 'other' }),
    withAnswers(parts, [next]),
  ).catch(() => undefined);
  expect(sent()[2]).not.toHaveProperty('reasoning_details');
});

test('reasoning without opaque data is not stored twice', async () => {
  const detail = { type: 'reasoning.text', text: 'Hm.', index: 0 };
  endpoint.answer({ reasoning: 'Hm.', text: 'Done.', reasoningDetails: [[detail]] });
  expect(await answerTo(await asker(kind, endpoint.url), kind)).toEqual([
    {
      type: 'reasoning',
      text: 'Hm.',
      opaque: { made: refOf(kind), data: { cloche: { field: 'reasoning_content' } } },
    },
    { type: 'text', text: 'Done.' },
  ]);
});

test('Google’s signature of a call is sent back in its place', async () => {
  endpoint.answer({ calls, thoughtSignature: 'SIG' }, { text: 'Done.' });
  const ask = await asker(kind, endpoint.url);
  const parts = await answerTo(ask, kind, request);
  await partsOf(ask, withAnswers(parts));
  const [call] = sent()[2]?.tool_calls as unknown[];
  expect(call).toEqual({
    id: expect.any(String) as string,
    type: 'function',
    function: { name: 'a__b', arguments: '{}' },
    extra_content: { google: { thought_signature: 'SIG' } },
  });
});

test('the reasoning field is found in JSON with spaces', async () => {
  endpoint.answer(
    { reasoning: 'Hm.', reasoningField: 'reasoning', spaced: true, calls },
    { text: 'Done.' },
  );
  const ask = await asker(kind, endpoint.url);
  await partsOf(ask, withAnswers(await answerTo(ask, kind, request)));
  expect(sent()[2]).toMatchObject({ reasoning: 'Hm.' });
});

test('tool options that only Anthropic accepts are not sent to gateways', async () => {
  endpoint.answer({ text: 'Done.' });
  await partsOf(await asker('anthropic', endpoint.url), request);
  expect(endpoint.requests[0]?.text).not.toContain('eager_input_streaming');
});

test('if a service behind Anthropic’s address refuses them, they are left out', async () => {
  const bodies: string[] = [];
  const message = 'tools.0.custom.eager_input_streaming: Extra inputs are not permitted';
  const ask = await asker('anthropic', endpoint.url, {
    access: { baseUrl: 'https://api.anthropic.com/v1' },
    network: {
      send: (_, { body }) => {
        bodies.push(body ?? '');
        const error = { type: 'error', error: { type: 'invalid_request_error', message } };
        return Promise.resolve(Response.json(error, { status: 400 }));
      },
    },
  });
  await expect(partsOf(ask, request)).rejects.toThrow('eager_input_streaming');
  expect(bodies.slice(0, 2).map((body) => body.includes('eager_input_streaming'))).toEqual([
    true,
    false,
  ]);
});
