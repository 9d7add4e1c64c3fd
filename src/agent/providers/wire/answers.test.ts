import { afterAll, beforeEach, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import type { ModelRequest } from '../../../runtime/spec/model.ts';
import { answerTo, asker, hello, kinds, partsOf } from './endpoint.fixture.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
});
afterAll(() => endpoint.close());

const exact = '{"big":12345678901234567890,"f":3.0,"10":1,"2":[1e3,{"é":-0.0}]}';
const png = 'iVBORw0KGgo=';

const asking: ModelRequest = {
  ...hello,
  tools: [
    { name: 'rain__table', description: 'Rain.', parameters: { type: 'object', properties: {} } },
    { name: 'sun__hours', description: 'Sun.', parameters: { type: 'object', properties: {} } },
  ],
};

for (const kind of kinds) {
  test(`${kind}: text, reasoning and parallel calls are complete, and arguments keep their spelling`, async () => {
    endpoint.answer({
      reasoning: 'They want to know 🌧.',
      text: 'Let me look.',
      calls: [
        { name: 'rain__table', arguments: exact },
        { name: 'sun__hours', arguments: '{}' },
      ],
    });
    const parts = await answerTo(await asker(kind, endpoint.url), kind, asking);
    const bare = parts.map(({ opaque: _opaque, ...part }) =>
      part.type === 'call' ? { ...part, askedId: '' } : part,
    );
    expect(bare).toEqual([
      ...(kind === 'openai-chat' ? [] : [{ type: 'reasoning', text: 'They want to know 🌧.' }]),
      { type: 'text', text: 'Let me look.' },
      {
        type: 'call',
        id: 'call-1',
        askedId: '',
        wire: 'rain__table',
        tool: 'id:rain__table',
        arguments: exact,
      },
      {
        type: 'call',
        id: 'call-2',
        askedId: '',
        wire: 'sun__hours',
        tool: 'id:sun__hours',
        arguments: '{}',
      },
    ]);
  });

  test(`${kind}: a conversation of several steps is sent back in the provider's form`, async () => {
    endpoint.answer(
      {
        reasoning: 'Two calls.',
        text: 'Let me look.',
        calls: [
          { name: 'rain__table', arguments: exact },
          { name: 'sun__hours', arguments: '{"of": "yesterday"}' },
        ],
      },
      { text: 'Done.' },
    );
    const ask = await asker(kind, endpoint.url);
    const parts = await answerTo(ask, kind, asking);
    const [rain, sun] = parts.filter((part) => part.type === 'call');
    const second: ModelRequest = {
      ...asking,
      messages: [
        ...asking.messages,
        { role: 'assistant', parts },
        {
          role: 'tool',
          answers: [
            {
              askedId: rain!.askedId,
              wire: rain!.wire,
              isError: false,
              parts: [
                { type: 'text', text: 'A picture:' },
                { type: 'image', mediaType: 'image/png', data: png },
              ],
            },
            {
              askedId: sun!.askedId,
              wire: sun!.wire,
              isError: true,
              parts: [{ type: 'text', text: 'ValueError: no sun' }],
            },
          ],
        },
      ],
    };
    expect(await partsOf(ask, second)).toEqual([
      { type: 'text', id: '0', delta: 'Done.' },
      expect.objectContaining({ type: 'part-ended', id: '0' }),
      {
        type: 'ended',
        finish: 'stop',
        // Anthropic does not report the number of reasoning tokens.
        usage: { input: 100, cached: 40, output: 20, reasoning: kind === 'anthropic' ? null : 5 },
      },
    ]);
    const { text = '' } = endpoint.requests[1] ?? {};
    expect(sentCall[kind](text)).toBe(true);
    expect(sentAnswers(text, kind)).toEqual(answers[kind](rain!.askedId, sun!.askedId));
  });
}

/** The arguments of a call as they must appear in the body. */
const inString = (text: string): boolean => text.includes(`"arguments":${JSON.stringify(exact)}`);
const sentCall = {
  'openai-compatible': inString,
  'openai-chat': inString,
  'openai-responses': inString,
  anthropic: (text: string) => text.includes(`"input":${exact}`),
  google: (text: string) => text.includes(`"args":${exact}`),
};

const picture = `data:image/png;base64,${png}`;
const chatAnswers = (rain: string, sun: string): unknown[] => [
  { role: 'tool', tool_call_id: rain, content: 'A picture:' },
  { role: 'tool', tool_call_id: sun, content: 'ValueError: no sun' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Returned by rain__table:' },
      { type: 'image_url', image_url: { url: picture } },
    ],
  },
];
const answers: Record<(typeof kinds)[number], (rain: string, sun: string) => unknown[]> = {
  'openai-compatible': chatAnswers,
  'openai-chat': chatAnswers,
  'openai-responses': (rain, sun) => [
    {
      type: 'function_call_output',
      call_id: rain,
      output: [
        { type: 'input_text', text: 'A picture:' },
        { type: 'input_image', image_url: picture },
      ],
    },
    { type: 'function_call_output', call_id: sun, output: 'ValueError: no sun' },
  ],
  anthropic: (rain, sun) => [
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: rain,
          content: [
            { type: 'text', text: 'A picture:' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
          ],
        },
        {
          type: 'tool_result',
          tool_use_id: sun,
          content: 'ValueError: no sun',
          is_error: true,
          cache_control: { type: 'ephemeral' },
        },
      ],
    },
  ],
  google: (rain, sun) => [
    {
      role: 'user',
      parts: [
        {
          functionResponse: { id: rain, name: 'rain__table', response: { output: 'A picture:' } },
        },
        {
          functionResponse: {
            id: sun,
            name: 'sun__hours',
            response: { error: 'ValueError: no sun' },
          },
        },
      ],
    },
    {
      role: 'user',
      parts: [
        { text: 'Returned by rain__table:' },
        { inlineData: { mimeType: 'image/png', data: png } },
      ],
    },
  ],
};

/** The part of a body that follows the calls. */
function sentAnswers(text: string, kind: (typeof kinds)[number]): unknown[] {
  const body = JSON.parse(text) as Record<string, unknown[]>;
  const all = body.messages ?? body.input ?? body.contents ?? [];
  return all.slice({ 'openai-responses': -2, anthropic: -1, google: -2 }[kind as string] ?? -3);
}
