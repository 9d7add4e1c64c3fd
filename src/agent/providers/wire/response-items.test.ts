import { expect, test } from 'vitest';
import {
  added,
  answerOf,
  args,
  bye,
  call,
  created,
  done,
  hi,
  message,
  parts,
  reasoning,
  text,
  thought,
  usage,
  whole,
} from './responses.fixture.ts';

test.each<[string, readonly (object | string)[]]>([
  ['in pieces', [created, added(message), text('Hel'), text('lo'), done(message), whole()]],
  ['no item', [created, text('Hel'), text('lo'), whole()]],
  ['the last frame only', [created, whole([{ ...message, content: parts('Hello') }])]],
  ['the last frame alone', [whole([{ ...message, content: parts('Hello') }])]],
  ['the end of its item only', [created, done({ ...message, content: parts('Hello') }), whole()]],
  [
    'the end of its item, which was announced',
    [created, added(message), done({ ...message, content: parts('Hello') }), whole()],
  ],
  [
    'the end of its part only',
    [added(message), { type: 'response.output_text.done', item_id: 'msg', text: 'Hello' }, whole()],
  ],
  [
    'everywhere',
    [
      added(message),
      text('Hello'),
      { type: 'response.output_text.done', item_id: 'msg', text: 'Hello' },
      done({ ...message, content: parts('Hello') }),
      done({ ...message, content: parts('Hello') }),
      whole([{ ...message, content: parts('Hello') }]),
    ],
  ],
  [
    'the beginning in pieces, and all at the end',
    [added(message), text('Hel'), done({ ...message, content: parts('Hello') }), whole()],
  ],
  [
    'ids that change with each frame',
    [
      added(message),
      text('Hel', { item_id: 'x1', output_index: 0 }),
      text('lo', { item_id: 'x2', output_index: 0 }),
      done({ ...message, id: 'x3', content: parts('Hello') }),
      whole([{ ...message, id: 'x4', content: parts('Hello') }]),
    ],
  ],
  [
    'no ids and positions',
    [added({ type: 'message' }, {}), text('Hello', {}), done({ type: 'message' }, {}), whole()],
  ],
  [
    'ids of null',
    [added({ ...message, id: null }), text('Hello', { item_id: null }), whole([message])],
  ],
  ['a list at the end that is empty', [added(message), text('Hello'), whole([])]],
  ['no end of its item', [added(message), text('Hello'), whole()]],
  ['no last frame', [added(message), text('Hello'), done(message), 'data: [DONE]\n\n']],
  ['another last frame', [text('Hello'), { type: 'response.done', response: { usage } }]],
  [
    'two parts',
    [
      text('Hel'),
      { type: 'response.output_text.done', item_id: 'msg', text: 'Hel' },
      text('lo'),
      { type: 'response.output_text.done', item_id: 'msg', text: 'lo' },
      done({ ...message, content: [...parts('Hel'), ...parts('lo')] }),
      whole(),
    ],
  ],
  [
    'a refusal at the end of its part only',
    [
      added(message),
      { type: 'response.refusal.done', item_id: 'msg', refusal: 'Hello' },
      done({ ...message, content: [{ type: 'refusal', refusal: 'Hello' }] }),
      whole(),
    ],
  ],
  [
    'log probabilities, sources and a phase that are odd',
    [
      added({ ...message, phase: 'later' }),
      { ...text('Hello'), logprobs: [{ token: 'x', logprob: null }] },
      { type: 'response.output_text.annotation.added', annotation: { type: 'zzz' } },
      whole(),
    ],
  ],
  [
    'tools of the server between',
    [
      added({ type: 'web_search_call', id: 'ws' }),
      { type: 'response.web_search_call.searching', item_id: 'ws', output_index: 0 },
      done({ type: 'web_search_call', id: 'ws', status: 'completed', action: 'none' }),
      added({ type: 'mcp_call', id: 'm' }, { output_index: 1 }),
      done({ type: 'mcp_call', id: 'm', name: 'x', arguments: {} }, { output_index: 1 }),
      added(message, { output_index: 2 }),
      text('Hello', { item_id: 'msg', output_index: 2 }),
      whole(),
    ],
  ],
  [
    'a whole answer in place of a stream',
    [JSON.stringify({ output: [{ ...message, content: parts('Hello') }] }, null, 2)],
  ],
  [
    'a whole answer as a frame',
    [{ object: 'response', output: [{ ...message, content: parts('Hello') }] }],
  ],
])('a text is found once: %s', async (_, frames) => {
  expect(await answerOf(...frames)).toMatchObject({ text: 'Hello', calls: [], finish: 'stop' });
});

test.each<[string, readonly (object | string)[]]>([
  [
    'in pieces',
    [
      added({ ...call, arguments: '' }),
      args('{"text":'),
      args('"hi"}'),
      { type: 'response.function_call_arguments.done', output_index: 0, arguments: hi },
      done({ ...call, arguments: hi, status: 'completed' }),
      whole([{ ...call, arguments: hi }]),
    ],
  ],
  ['its end only', [done({ ...call, arguments: hi }), whole()]],
  [
    'its end, after it was announced',
    [added({ ...call, arguments: '' }), done({ ...call, arguments: hi }), whole()],
  ],
  ['its beginning only', [added({ ...call, arguments: hi }), whole()]],
  ['its beginning, and an empty end', [added({ ...call, arguments: hi }), done(call), whole()]],
  ['pieces, and an empty end', [added(call), args(hi), done({ ...call, arguments: '' }), whole()]],
  ['pieces, and no end', [added(call), args('{"text":'), args('"hi"}'), whole()]],
  [
    'the end of its arguments only',
    [
      added(call),
      { type: 'response.function_call_arguments.done', item_id: 'fc', arguments: hi },
      whole(),
    ],
  ],
  ['the last frame only', [created, whole([{ ...call, arguments: hi }])]],
  [
    'the last frame, after it was announced',
    [added(call), whole([{ ...call, id: 'x', arguments: hi }])],
  ],
  [
    'no id',
    [added({ ...call, id: undefined }), done({ ...call, id: undefined, arguments: hi }), whole()],
  ],
  ['ids of null', [done({ ...call, id: null, call_id: null, arguments: hi }), whole()]],
  [
    'no id of the call',
    [
      added({ ...call, call_id: undefined }),
      done({ ...call, call_id: undefined, arguments: hi }),
      whole(),
    ],
  ],
  [
    'an id of the call at its end only',
    [added({ ...call, call_id: '' }), args(hi), done({ ...call, arguments: hi }), whole()],
  ],
  [
    'a name at its end only',
    [added({ ...call, name: undefined }), args(hi), done({ ...call, arguments: hi }), whole()],
  ],
  [
    'an id with another name at its end',
    [
      added({ ...call, arguments: '' }),
      args(hi),
      done({ ...call, id: undefined, item_id: 'fc', output_index: 0, arguments: hi }, {}),
      whole([{ ...call, id: undefined, item_id: 'fc', arguments: hi }]),
    ],
  ],
  [
    'other ids in each frame',
    [
      added({ ...call, id: 'x1' }),
      args(hi, { item_id: 'x2', output_index: 0 }),
      done({ ...call, id: 'x3', arguments: hi }),
      whole([{ ...call, id: 'x4', call_id: 'd', arguments: hi }]),
    ],
  ],
  [
    'an object as arguments',
    [added({ ...call, arguments: {} }), done({ ...call, arguments: { text: 'hi' } }), whole()],
  ],
  ['twice', [done({ ...call, arguments: hi }), done({ ...call, arguments: hi }), whole()]],
  [
    'announced twice',
    [added(call), added(call), args(hi), done({ ...call, arguments: hi }), whole()],
  ],
  [
    'a tool without a schema',
    [
      done({ type: 'custom_tool_call', id: 'ct', call_id: 'c', name: 'sess__echo', input: hi }),
      whole(),
    ],
  ],
  ['no last frame', [done({ ...call, arguments: hi }), 'data: [DONE]\n\n']],
])('a call is found once: %s', async (_, frames) => {
  expect(await answerOf(...frames)).toMatchObject({
    text: '',
    calls: [['sess:echo', hi]],
    finish: 'calls',
  });
});

const two = (first: object, second: object): readonly (readonly [string, string])[] => [
  ['sess:echo', JSON.stringify(first)],
  ['sess:echo', JSON.stringify(second)],
];
const other = { ...call, id: 'fc2', call_id: 'c2' };
test.each<[string, readonly object[]]>([
  [
    'ends only, without positions',
    [done({ ...call, arguments: hi }, {}), done({ ...other, arguments: bye }, {})],
  ],
  [
    'one position for both',
    [
      added(call),
      args(hi),
      done({ ...call, arguments: hi }),
      added(other),
      args(bye, { item_id: 'fc2', output_index: 0 }),
      done({ ...other, arguments: bye }),
    ],
  ],
  [
    'pieces that take turns',
    [
      added(call),
      added(other, { output_index: 1 }),
      args('{"text":'),
      args('{"text":', { item_id: 'fc2', output_index: 1 }),
      args('"hi"}'),
      args('"bye"}', { item_id: 'fc2', output_index: 1 }),
    ],
  ],
  [
    'the second in the last frame only',
    [
      added(call),
      args(hi),
      whole([
        { ...call, arguments: hi },
        { ...other, arguments: bye },
      ]),
    ],
  ],
  [
    'the last frame only',
    [
      whole([
        { ...call, arguments: hi },
        { ...other, arguments: bye },
      ]),
    ],
  ],
])('two calls stay two: %s', async (_, frames) => {
  expect(await answerOf(...frames, whole())).toMatchObject({
    calls: two({ text: 'hi' }, { text: 'bye' }),
    finish: 'calls',
  });
});

test('two equal calls stay two, also if the list at the end has other ids', async () => {
  const listed = ['x', 'y'].map((call_id) => ({ ...call, call_id, arguments: hi }));
  const frames = [done({ ...call, arguments: hi }), done({ ...other, arguments: hi }, {})];
  expect((await answerOf(...frames, whole(listed))).calls).toEqual(
    two({ text: 'hi' }, { text: 'hi' }),
  );
});

test('numbers in arguments that are an object keep their spelling', async () => {
  const body = `data: {"type":"response.output_item.done","item":{"type":"function_call","call_id":"c","name":"sess__echo","arguments":{"n":3.0,"big":12345678901234567890}}}\n\n`;
  expect((await answerOf(body, whole())).calls).toEqual([
    ['sess:echo', '{"n":3.0,"big":12345678901234567890}'],
  ]);
});

test.each<[string, readonly object[], string?]>([
  [
    'a summary',
    [
      added(reasoning),
      thought('summary_text.delta', { summary_index: 0, delta: 'Hm.' }),
      done(reasoning),
    ],
  ],
  [
    'not announced',
    [thought('summary_text.delta', { summary_index: 0, delta: 'Hm.' }), done(reasoning)],
  ],
  [
    'whole, from an open model',
    [added(reasoning), thought('text.delta', { content_index: 0, delta: 'Hm.' }), done(reasoning)],
  ],
  [
    'whole and as a summary',
    [
      added(reasoning),
      thought('text.delta', { delta: 'Hm.' }),
      thought('summary_text.delta', { summary_index: 0, delta: 'Hm.' }),
    ],
  ],
  ['its end only', [done({ ...reasoning, summary: [{ type: 'summary_text', text: 'Hm.' }] })]],
  [
    'its end only, whole',
    [done({ ...reasoning, content: [{ type: 'reasoning_text', text: 'Hm.' }] })],
  ],
  [
    'the end of its part only',
    [added(reasoning), thought('summary_text.done', { summary_index: 0, text: 'Hm.' })],
  ],
  [
    'ids that change with each frame',
    [
      added(reasoning),
      { ...thought('summary_part.added', { summary_index: 1 }), item_id: 'x1' },
      { ...thought('summary_text.delta', { summary_index: 1, delta: 'Hm.' }), item_id: 'x2' },
      { ...thought('summary_part.done', { summary_index: 1 }), item_id: 'x3' },
      done({ ...reasoning, id: 'x4' }),
    ],
  ],
  [
    'a part that was not announced',
    [added(reasoning), thought('summary_text.delta', { summary_index: 2, delta: 'Hm.' })],
  ],
])('reasoning is found once: %s', async (_, frames) => {
  const end = [text('Hello', { item_id: 'm', output_index: 1 }), whole()];
  expect(await answerOf(created, ...frames, ...end)).toMatchObject({
    reasoning: 'Hm.',
    text: 'Hello',
    finish: 'stop',
  });
});
