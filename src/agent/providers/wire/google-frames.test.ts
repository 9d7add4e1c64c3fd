import { expect, test } from 'vitest';
import type { Json } from '../../../runtime/spec/json.ts';
import { frame, inPieces, utf8, type Read } from './streams.fixture.ts';

const hi = '{"text":"hi"}';
const chunk = (parts: unknown, finishReason = '', more: object = {}): object => ({
  candidates: [
    {
      content: { role: 'model', parts },
      ...(finishReason === '' ? {} : { finishReason }),
      ...more,
    },
  ],
});
const whole = (...parts: object[]): object => chunk(parts, 'STOP');

function answerOf(...frames: readonly (object | string)[]): Promise<Read> {
  const sent = frames.map((one) => (typeof one === 'string' ? one : frame(one)));
  return inPieces('google', [utf8(sent.join(''))]);
}

const named = { functionCall: { name: 'sess__echo', args: {} } };
const nameless = { functionCall: { args: { text: 'hi' } } };
const now = { functionCall: { name: 'sess__now' } };
test.each<[string, readonly object[], Read['calls']]>([
  ['the next frame', [chunk([named]), chunk([nameless]), whole()], [['sess:echo', hi]]],
  ['the next part', [whole(named, nameless)], [['sess:echo', hi]]],
  [
    'a part with an empty name',
    [chunk([named]), chunk([{ functionCall: { name: '', args: { text: 'hi' } } }]), whole()],
    [['sess:echo', hi]],
  ],
  [
    'frames of two calls',
    [chunk([named]), chunk([nameless]), chunk([named]), chunk([nameless]), whole()],
    [
      ['sess:echo', hi],
      ['sess:echo', hi],
    ],
  ],
  [
    'no frame: calls without parameters',
    [chunk([now]), chunk([now]), whole(now)],
    Array<Read['calls'][number]>(3).fill(['sess:now', '{}']),
  ],
  [
    'no frame: a call before a text',
    [chunk([now]), whole({ text: 'Hello' })],
    [['sess:now', '{}']],
  ],
])('arguments of a call are found in %s', async (_, frames, calls) => {
  expect(await answerOf(...frames)).toMatchObject({ calls, finish: 'calls' });
});

const text = { text: 'Hello' };
test.each<[string, readonly object[]]>([
  ['in pieces', [chunk([{ text: 'Hel' }]), whole({ text: 'lo' })]],
  ['wrapped', [{ response: whole(text) }]],
  ['in snake case', [{ candidates: [{ content: { parts: [text] }, finish_reason: 'STOP' }] }]],
  ['one part', [chunk(text, 'STOP')]],
  ['one text', [{ candidates: [{ content: 'Hello', finishReason: 'STOP' }] }]],
  ['a reason in small letters', [chunk([text], 'stop')]],
  ['a reason of another API', [chunk([text], 'end_turn')]],
  [
    'several candidates',
    [
      {
        candidates: [
          { index: 1, content: { parts: [{ text: 'x' }] } },
          { content: { parts: [text] }, finishReason: 'STOP' },
        ],
      },
    ],
  ],
  [
    'pictures and unknown parts',
    [whole({ inlineData: { mimeType: 'image/png', data: 'AA' } }, { hologram: 1 }, text)],
  ],
  [
    'tools of the server',
    [whole({ toolCall: { toolType: 'SEARCH' } }, { toolResponse: { response: 1 } }, text)],
  ],
  [
    'members that nobody reads, in unexpected forms',
    [
      {
        ...chunk([text], 'STOP', {
          safetyRatings: [{ category: 'X', probability: 1, probabilityScore: 'NaN' }],
          groundingMetadata: null,
          citationMetadata: 1,
          urlContextMetadata: { urlMetadata: [{ retrievedUrl: null }] },
        }),
        modelVersion: 5,
        responseId: 5,
        createTime: null,
      },
    ],
  ],
])('a text is found: %s', async (_, frames) => {
  expect(await answerOf(...frames)).toMatchObject({ text: 'Hello', calls: [], finish: 'stop' });
});

test.each([
  [{ functionCall: { name: 'sess__echo', args: { text: 'hi' } } }],
  [{ function_call: { name: 'sess__echo', args: { text: 'hi' } } }],
  [{ functionCall: { id: 5, name: 'sess__echo', args: { text: 'hi' }, partial_args: null } }],
  [{ functionCall: { name: 'sess__echo', args: hi }, thoughtSignature: 5 }],
])('a call is found: %j', async (part) => {
  expect(await answerOf(whole(part))).toMatchObject({
    calls: [['sess:echo', hi]],
    finish: 'calls',
  });
});

test('members of arguments keep their names and the spelling of numbers', async () => {
  const args = '{"first_name":1,"n":3.0,"big":12345678901234567890}';
  const part = `{"function_call":{"name":"sess__echo","args":${args}}}`;
  const body = `data: {"candidates":[{"content":{"parts":[${part}]},"finishReason":"STOP"}]}\n\n`;
  expect((await answerOf(body)).calls).toEqual([['sess:echo', args]]);
});

test('code that the server ran, and its output, are text and no calls', async () => {
  const code = { executableCode: { language: 'PYTHON', code: 'print("```")' } };
  const output = { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '```\n' } };
  const empty = { code_execution_result: { outcome: 'OUTCOME_OK' } };
  expect(await answerOf(whole(code, output, empty, text))).toMatchObject({
    text: '\n````python\nprint("```")\n````\n\n````\n```\n````\nHello',
    calls: [],
    finish: 'stop',
  });
});

test.each<[Json, Json]>([
  [{ promptTokenCount: 3, candidatesTokenCount: 2 }, [3, 2]],
  [{ promptTokenCount: '3', candidatesTokenCount: '2', totalTokenCount: null }, [3, 2]],
  [{ prompt_token_count: 3, candidates_token_count: 2 }, [3, 2]],
  [
    { promptTokenCount: 3, candidatesTokenCount: 2, promptTokensDetails: 1, trafficType: 1 },
    [3, 2],
  ],
  [{ promptTokenCount: 3, candidatesTokenCount: 2, thoughtsTokenCount: 4 }, [3, 6]],
  [{ promptTokenCount: 3, totalTokenCount: 9 }, [3, 6]],
  [{ candidatesTokenCount: 2, totalTokenCount: 5 }, [3, 2]],
  [{ promptTokenCount: 3 }, [3, null]],
  [{ candidatesTokenCount: 2 }, [null, 2]],
  [{ promptTokenCount: -3, candidatesTokenCount: 'many' }, [null, null]],
  [{}, [null, null]],
  [[], [null, null]],
  [null, [null, null]],
])('counts are read, and not invented: %j', async (usageMetadata, counts) => {
  const { usage, ...read } = await answerOf({ ...whole(text), usageMetadata });
  expect(read).toMatchObject({ text: 'Hello', finish: 'stop' });
  expect([usage?.input, usage?.output]).toEqual(counts);
});

test('counts of several frames belong together', async () => {
  const { usage } = await answerOf(
    { ...chunk([text]), usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 } },
    { ...whole(), usageMetadata: { candidatesTokenCount: 2 } },
  );
  expect([usage?.input, usage?.output]).toEqual([3, 2]);
});
