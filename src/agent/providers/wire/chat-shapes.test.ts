import { expect, test } from 'vitest';
import { inPieces, utf8 } from './streams.fixture.ts';

const kinds = ['openai-compatible', 'openai-chat'] as const;
const hi = '{"text":"hi"}';
const echo = { name: 'sess__echo', arguments: hi };

function choice(members: object): object {
  return { id: 'c1', object: 'chat.completion.chunk', choices: [{ index: 0, ...members }] };
}
function call(piece: unknown): object {
  return choice({ delta: { tool_calls: [piece] }, finish_reason: null });
}
function said(delta: unknown, more: object = {}): object {
  return choice({ delta, finish_reason: null, ...more });
}

async function answerOf(kind: (typeof kinds)[number], frames: readonly object[]) {
  const all = [...frames, choice({ delta: {}, finish_reason: 'stop' })];
  const body = [...all.map((one) => JSON.stringify(one)), '[DONE]'];
  return inPieces(kind, [utf8(body.map((one) => `data: ${one}\n\n`).join(''))]);
}

const one = { index: 0, id: 'a', type: 'function' };
const called: readonly (readonly [string, readonly object[]])[] = [
  ['function_call', [said({ function_call: echo })]],
  [
    'function_call in pieces',
    [
      said({ function_call: { name: 'sess__echo', arguments: '{"text":' } }),
      said({ function_call: { arguments: '"hi"}' } }),
    ],
  ],
  ['function_call in a message', [choice({ message: { content: null, function_call: echo } })]],
  ['one object', [said({ tool_calls: { ...one, function: echo } })]],
  ['beside the function', [call({ index: 0, id: 'a', ...echo })]],
  ['beside, as an object', [call({ id: 'a', name: 'sess__echo', arguments: { text: 'hi' } })]],
  ['parameters', [call({ ...one, function: { name: 'sess__echo', parameters: { text: 'hi' } } })]],
  ['in the choice', [choice({ delta: {}, tool_calls: [{ ...one, function: echo }] })]],
  ['in the choice alone', [choice({ tool_calls: [{ ...one, function: echo }] })]],
  [
    'in the choice beside a message without calls',
    [choice({ message: { content: '' }, tool_calls: [{ ...one, function: echo }] })],
  ],
  [
    'in the delta beside an empty list in the choice',
    [choice({ delta: { tool_calls: [{ ...one, function: echo }] }, tool_calls: [] })],
  ],
  ['function_call beside an empty list', [said({ tool_calls: [], function_call: echo })]],
  ['arguments beside a function', [call({ ...one, function: { name: echo.name }, arguments: hi })]],
  [
    'arguments beside a function with empty ones',
    [call({ ...one, function: { name: echo.name, arguments: '' }, input: { text: 'hi' } })],
  ],
  ['a name beside a function', [call({ ...one, name: echo.name, function: { arguments: hi } })]],
  ['a function that is a name', [call({ ...one, function: echo.name, arguments: hi })]],
  [
    'parameters beside empty arguments',
    [call({ ...one, function: { ...echo, arguments: '', parameters: { text: 'hi' } } })],
  ],
  [
    'parameters beside arguments without members',
    [call({ ...one, function: { ...echo, arguments: {}, parameters: { text: 'hi' } } })],
  ],
  [
    'in a message beside an empty delta',
    [choice({ delta: {}, message: { tool_calls: [{ ...one, function: echo }] } })],
  ],
  [
    'indexes as text',
    [
      call({ ...one, index: '0', function: { name: 'sess__echo', arguments: '{"text":' } }),
      call({ index: '0', function: { arguments: '"hi"}' } }),
    ],
  ],
  [
    'later pieces with empty members',
    [
      call({ ...one, function: { name: 'sess__echo', arguments: '' } }),
      call({ index: 0, id: '', type: '', function: { name: '', arguments: hi } }),
    ],
  ],
];

const texts: readonly (readonly [string, readonly object[]])[] = [
  ['a delta that is text', [said('Hello')]],
  ['a delta that is a list', [said([]), said({ content: 'Hello' })]],
  ['text completions', [choice({ text: 'Hel', finish_reason: null }), choice({ text: 'lo' })]],
  ['a list of texts', [said({ content: ['Hel', 'lo'] })]],
  ['parts', [said({ content: [{ type: 'text', text: 'Hel' }, { text: 'lo' }] })]],
  ['one part', [said({ content: { type: 'text', text: 'Hello' } })]],
  ['a message beside an empty delta', [choice({ delta: {}, message: { content: 'Hello' } })]],
  ['a text beside an empty delta', [choice({ delta: {}, text: 'Hello', finish_reason: null })]],
  [
    'a text beside a delta with a role',
    [said({ role: 'assistant', content: '' }, { text: 'Hel' }), said({ content: 'lo' })],
  ],
  [
    'a text beside an empty message',
    [choice({ delta: {}, message: { role: 'assistant' }, text: 'Hello' })],
  ],
  [
    'a message beside a delta with a role',
    [choice({ delta: { role: 'assistant', content: null }, message: { content: 'Hello' } })],
  ],
  ['a part with an empty text', [said({ content: [{ text: '', content: 'Hello' }] })]],
  ['an empty error in the choice', [said({ content: 'Hello' }, { error: {} })]],
  ['an empty error', [{ ...said({ content: 'Hello' }), error: {} }]],
  ['an id that is a number', [{ ...said({ content: 'Hello' }), id: 5, model: 7, created: '1' }]],
  ['finish reasons that are none', [said({ content: 'Hello' }, { finish_reason: false })]],
  ['log probabilities', [said({ content: 'Hello' }, { logprobs: { content: [{ token: 5 }] } })]],
  ['annotations', [said({ content: 'Hello', annotations: [{ type: 'file' }] })]],
  [
    'details of a usage that are none',
    [{ ...said({ content: 'Hello' }), usage: { prompt_tokens: 1, prompt_tokens_details: [] } }],
  ],
];

for (const kind of kinds) {
  test.each(called)(`${kind}: a call is found: %s`, async (_, frames) => {
    expect(await answerOf(kind, frames)).toMatchObject({
      text: '',
      calls: [['sess:echo', hi]],
      finish: 'calls',
    });
  });

  test.each(texts)(`${kind}: a text is found: %s`, async (_, frames) => {
    expect(await answerOf(kind, frames)).toMatchObject({
      text: 'Hello',
      calls: [],
      finish: 'stop',
    });
  });

  test(`${kind}: arguments that are a list do not become empty ones`, async () => {
    const listed = { ...one, function: { name: 'sess__echo', arguments: [{ text: 'hi' }] } };
    const { calls } = await answerOf(kind, [call(listed)]);
    expect(calls).toEqual([['sess:echo', '[{"text":"hi"}]']]);
  });

  test(`${kind}: two calls without arguments at one index stay two`, async () => {
    const now = { name: 'sess__now', arguments: '{}' };
    const tool_calls = ['a', 'b'].map((id) => ({ index: 0, id, function: now }));
    const { calls } = await answerOf(kind, [said({ tool_calls })]);
    expect(calls).toEqual([
      ['sess:now', '{}'],
      ['sess:now', '{}'],
    ]);
  });

  test(`${kind}: a usage is found in other places, and is not invented`, async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    const text = { content: 'Hello' };
    const of = async (frame: object): Promise<unknown> =>
      (await answerOf(kind, [frame])).usage ?? null;
    const counted = { input: 3, output: 2 };
    expect(await of({ ...said(text), x_groq: { usage } })).toMatchObject(counted);
    expect(await of(said(text, { usage }))).toMatchObject(counted);
    const other = { input_tokens: 3, output_tokens: 2 };
    expect(await of({ ...said(text), usage: other })).toMatchObject(counted);
    expect(await of({ ...said(text), usage: { queries: 1 } })).toMatchObject({ output: null });
    expect(await of({ ...said(text), usage: {}, x_groq: { usage } })).toMatchObject(counted);
    const unknown = { prompt_tokens: '', completion_tokens: '', ...other };
    expect(await of({ ...said(text), usage: unknown })).toMatchObject(counted);
  });
}

test.each([
  [{ thinking: 'Hm.' }],
  [{ reasoning_text: 'Hm.' }],
  [{ reasoning: { content: 'Hm.' } }],
  [{ reasoning_content: '', reasoning: 'Hm.' }],
  [{ reasoning_content: '', reasoning: { text: '', summary: 'Hm.' } }],
  [{ reasoning_content: [{ type: 'text', text: 'Hm.' }] }],
  [{ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }],
])('reasoning is found: %j', async (delta) => {
  const frames = [said(delta), said({ content: 'Hello' })];
  expect(await answerOf('openai-compatible', frames)).toMatchObject({
    text: 'Hello',
    reasoning: 'Hm.',
    finish: 'stop',
  });
});

test.each([
  ['model_length', 'length'],
  ['SAFETY', 'filtered'],
  ['tool_call', 'stop'],
])('the finish reason %s is %s', async (finish_reason, finish) => {
  const frames = [choice({ delta: { content: 'Hello' }, finish_reason })];
  const body = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('');
  expect(await inPieces('openai-chat', [utf8(body)])).toMatchObject({ finish });
});

test('an error in a choice that is a text is reported', async () => {
  const frames = [said({ content: 'Hello' }), choice({ delta: {}, error: 'The model stopped.' })];
  expect(await answerOf('openai-compatible', frames)).toMatchObject({
    text: 'Hello',
    fault: expect.stringContaining('The model stopped.') as unknown,
  });
});

test('a finish reason beside an empty one is read', async () => {
  const frames = [
    choice({ delta: { content: 'Hello' }, finish_reason: '', finishReason: 'length' }),
  ];
  const body = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('');
  expect(await inPieces('openai-chat', [utf8(body)])).toMatchObject({ finish: 'length' });
});
