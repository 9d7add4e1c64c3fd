import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import { asker, hello, partsOf } from './endpoint.fixture.ts';
import { answers, frame, read, served, type Read } from './streams.fixture.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
});
afterAll(() => endpoint.close());

const hi = '{"text":"hi"}';
const chats = ['openai-compatible', 'openai-chat'] as const;
const toolChunk = (...tool_calls: object[]): string =>
  frame({ choices: [{ index: 0, delta: { tool_calls }, finish_reason: null }] });
const toolEnd = `${frame({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] })}data: [DONE]\n\n`;
const begin = (
  index: number | undefined,
  id: string | undefined,
  text: string,
  name = 'sess__echo',
): string => toolChunk({ index, id, type: 'function', function: { name, arguments: text } });
const more = (index: number | undefined, text: string, id?: string): string =>
  toolChunk({ index, id, function: { arguments: text } });
const bye = '{"text":"bye"}';
const echo = (...texts: string[]): [string, string][] => texts.map((text) => ['sess:echo', text]);

const repeatedCalls: readonly (readonly [string, string, ReturnType<typeof echo>])[] = [
  [
    'two indexes, in pieces that overlap',
    begin(0, 'a', '{"te') + begin(1, 'a', '{"te') + more(0, 'xt":"hi"}') + more(1, 'xt":"hi"}'),
    echo(hi),
  ],
  [
    'whole again at the end, at the same index',
    begin(0, 'a', '') + more(0, hi) + begin(0, 'a', hi),
    echo(hi),
  ],
  [
    'whole again at the end, at another index',
    begin(0, 'a', '{"te') + more(0, 'xt":"hi"}') + begin(3, 'a', hi),
    echo(hi),
  ],
  ['whole again without an index', begin(0, 'a', hi) + begin(undefined, 'a', hi), echo(hi)],
  ['three times', begin(0, 'a', hi) + begin(1, 'a', hi) + begin(2, 'a', hi), echo(hi)],
  ['with other spaces', begin(0, 'a', hi) + begin(1, 'a', '{ "text": "hi" }'), echo(hi)],
  [
    'with members in another order',
    begin(0, 'a', '{"a":1,"b":2}') + begin(1, 'a', '{"b":2,"a":1}'),
    echo('{"a":1,"b":2}'),
  ],
  [
    'with an index that counts pieces',
    begin(0, 'a', '{"te') + begin(1, 'a', 'xt":"hi"}'),
    echo(hi),
  ],
  [
    'two calls, each repeated',
    begin(0, 'a', hi) + begin(1, 'b', bye) + begin(2, 'a', hi) + begin(3, 'b', bye),
    echo(hi, bye),
  ],
  [
    'after the finish reason',
    begin(0, 'a', hi) +
      frame({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }) +
      begin(1, 'a', hi),
    echo(hi),
  ],
  [
    'a whole message at the end',
    begin(0, 'a', hi) +
      frame({
        choices: [
          {
            index: 0,
            message: { tool_calls: [{ id: 'a', function: { name: 'sess__echo', arguments: hi } }] },
          },
        ],
      }),
    echo(hi),
  ],
  ['two different calls with one id', begin(0, 'a', hi) + begin(1, 'a', bye), echo(hi, bye)],
  [
    'two different calls with one id and index',
    begin(0, 'a', hi) + begin(0, 'a', bye),
    echo(hi, bye),
  ],
  [
    'numbers of different spelling',
    begin(0, 'a', '{"n":1.0}') + begin(1, 'a', '{"n":1}'),
    echo('{"n":1.0}', '{"n":1}'),
  ],
  ['equal calls with different ids', begin(0, 'a', hi) + begin(1, 'b', hi), echo(hi, hi)],
  ['equal calls without ids', begin(0, undefined, hi) + begin(1, undefined, hi), echo(hi, hi)],
  [
    'whole calls of other tools at one index, without ids',
    begin(0, '', '{}', 'sess__now') + begin(0, '', hi),
    [
      ['sess:now', '{}'],
      ['sess:echo', hi],
    ],
  ],
  [
    'the same in the other order',
    begin(0, '', hi) + begin(0, '', '{}', 'sess__now'),
    [
      ['sess:echo', hi],
      ['sess:now', '{}'],
    ],
  ],
  [
    'calls of other tools in pieces at one index, without ids',
    begin(0, undefined, '', 'sess__now') + begin(0, undefined, '') + more(0, hi),
    [
      ['sess:now', ''],
      ['sess:echo', hi],
    ],
  ],
  ['one tool at one index, without ids', begin(0, '', hi) + begin(0, '', bye), echo(hi, bye)],
  ['without ids, an empty object first', begin(0, '', '{}') + begin(0, '', hi), echo('{}', hi)],
  ['without ids, an empty object last', begin(0, '', hi) + begin(0, '', '{}'), echo(hi, '{}')],
  ['equal calls at one index, without ids', begin(0, '', hi) + begin(0, '', hi), echo(hi, hi)],
  [
    'calls in pieces at one index, without ids',
    begin(0, '', '') + more(0, hi) + begin(0, '', '') + more(0, bye),
    echo(hi, bye),
  ],
  [
    'equal calls in pieces at one index, without ids',
    begin(0, '', '') + more(0, hi) + begin(0, '', '') + more(0, hi),
    echo(hi, hi),
  ],
  [
    'the name in each piece, without ids',
    begin(0, '', '{"te') + begin(0, '', 'xt":"hi"}') + begin(0, '', ''),
    echo(hi),
  ],
  [
    'an id in the first piece, and the name in each',
    begin(0, 'a', '') + begin(0, '', '{"te') + begin(0, '', 'xt":"hi"}') + begin(0, '', ''),
    echo(hi),
  ],
  ['an id for the second call only', begin(0, '', hi) + begin(0, 'b', bye), echo(hi, bye)],
  ['an id for the first call only', begin(0, 'a', hi) + begin(0, '', bye), echo(hi, bye)],
  [
    'one id for two tools',
    begin(0, 'a', hi) + begin(1, 'a', hi, 'sess__now'),
    [
      ['sess:echo', hi],
      ['sess:now', hi],
    ],
  ],
  [
    'no indexes',
    begin(undefined, 'a', '{"te') + more(undefined, 'xt":"hi"}') + begin(undefined, 'b', bye),
    echo(hi, bye),
  ],
  [
    'the id in every piece, and a wrong index',
    begin(0, 'a', '{"te') + begin(1, 'b', bye) + more(1, 'xt":"hi"}', 'a'),
    echo(hi, bye),
  ],
  [
    'the name after the arguments',
    toolChunk({ index: 0, id: 'a', function: { arguments: hi } }) +
      toolChunk({ index: 0, function: { name: 'sess__echo' } }),
    echo(hi),
  ],
  [
    'the name after the beginning of the arguments, without indexes',
    toolChunk({ id: 'a', function: { arguments: '{"te' } }) +
      toolChunk({ id: 'a', function: { name: 'sess__echo', arguments: 'xt":"hi"}' } }),
    echo(hi),
  ],
];

for (const kind of chats)
  describe(`${kind}: calls`, () => {
    test.each(repeatedCalls)('%s', async (_, body, calls) => {
      expect((await served(endpoint, kind, body + toolEnd)).calls).toEqual(calls);
    });

    test('a call that is repeated whole after its pieces is one call, and so are arguments after an empty object', async () => {
      for (const [body, fault] of [
        [begin(0, '', '{"te') + more(0, 'xt":"hi"}') + begin(0, '', hi), 'repeated'],
        [begin(0, 'a', hi) + begin(0, '', hi), 'repeated'],
        [begin(0, '', '{}') + more(0, hi), 'empty-first'],
        [begin(0, 'a', '{}') + more(0, hi), 'empty-first'],
      ] as const)
        expect((await served(endpoint, kind, body + toolEnd)).calls).toEqual([
          ['sess:echo', hi, fault],
        ]);
    });

    test.each([
      [
        'two pieces',
        begin(0, 'a', '{"te', 'sess_') + begin(0, 'a', 'xt":"hi"}', '_echo'),
        echo(hi),
      ],
      [
        'three, without ids',
        begin(0, '', '', 'se') + begin(0, '', '', 'ss__ec') + begin(0, '', '', 'ho') + more(0, hi),
        echo(hi),
      ],
      [
        'pieces without indexes',
        begin(undefined, 'a', '', 'sess__') + begin(undefined, 'a', hi, 'echo'),
        echo(hi),
      ],
      [
        'pieces of two calls',
        begin(0, 'a', '', 'sess__') +
          begin(1, 'b', '', 'sess__') +
          begin(0, 'a', hi, 'echo') +
          begin(1, 'b', bye, 'echo'),
        echo(hi, bye),
      ],
      [
        'an unknown name that is the beginning of a known one',
        begin(0, 'a', '{"te', 'sess__ec') + more(0, 'xt":"hi"}'),
        [['sess__ec', hi]],
      ],
      [
        'such a name, before a known one at its index, without ids',
        begin(0, '', hi, 'sess__ec') + begin(0, '', '{}', 'sess__now'),
        [
          ['sess:now', '{}'],
          ['sess__ec', hi],
        ],
      ],
      [
        'the same in pieces',
        begin(0, '', '{"te', 'sess__ec') +
          more(0, 'xt":"hi"}') +
          begin(0, '', '', 'sess__now') +
          more(0, '{}'),
        [
          ['sess:now', '{}'],
          ['sess__ec', hi],
        ],
      ],
      [
        'such a name twice, with an id for the first only',
        begin(0, 'a', hi, 'sess__ec') + begin(0, '', bye, 'sess__ec'),
        [
          ['sess__ec', hi],
          ['sess__ec', bye],
        ],
      ],
      [
        'a complete name, and a longer one that begins with it',
        begin(0, 'a', hi) + begin(1, 'b', bye, 'sess__echo_2'),
        [
          ['sess:echo', hi],
          ['sess__echo_2', bye],
        ],
      ],
    ])('a name in pieces is one name: %s', async (_, body, calls) => {
      endpoint.answer({
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        body: body + toolEnd,
      });
      const tools = ['sess__echo', 'sess__now', 'sess__echo_2'].map((name) => ({
        name,
        description: 'Echoes.',
        parameters: { type: 'object' },
      }));
      const ask = await asker(kind, endpoint.url);
      const answer = await read(ask(new AbortController().signal, { ...hello, tools }), kind);
      expect(answer.calls).toEqual(calls);
    });

    test('a call without a name makes the answer invalid', async () => {
      const { fault } = await served(endpoint, kind, more(0, hi, 'a') + toolEnd);
      expect(fault).toMatch(/^answer/);
    });

    test('repeated calls have the id of the first, and different ones different ids', async () => {
      const ids = async (body: string): Promise<string[]> => {
        endpoint.answer({ status: 200, headers: { 'content-type': 'text/event-stream' }, body });
        const parts = await partsOf(await asker(kind, endpoint.url));
        return parts.flatMap((part) => (part.type === 'call' ? [part.id] : []));
      };
      expect(await ids(begin(0, 'a', hi) + begin(1, 'a', hi) + toolEnd)).toEqual(['a']);
      expect(await ids(begin(0, 'a', hi) + begin(1, 'a', bye) + toolEnd)).toEqual(['a', 'a']);
    });

    const chunk = (delta: object): string => frame({ choices: [{ index: 0, delta }] });
    const message = { role: 'assistant', content: null, refusal: 'I cannot.' };
    test.each([
      ['in one piece', chunk({ refusal: 'I cannot.' }), 'I cannot.'],
      ['in pieces', chunk({ refusal: 'I can' }) + chunk({ refusal: 'not.' }), 'I cannot.'],
      [
        'beside text and null',
        chunk({ content: 'Well. ' }) +
          chunk({ refusal: 'I can' }) +
          chunk({ refusal: 'not.', content: null }),
        'Well. I cannot.',
      ],
      ['beside an empty text', chunk({ content: '', refusal: 'I cannot.' }), 'I cannot.'],
      ['in the piece of the role', chunk({ role: 'assistant', refusal: 'I cannot.' }), 'I cannot.'],
      ['of null before a text', chunk({ content: 'Yes.', refusal: null }), 'Yes.'],
      ['in a whole message', frame({ choices: [{ index: 0, message }] }), 'I cannot.'],
      [
        'that a whole message repeats',
        chunk({ refusal: 'I cannot.' }) + frame({ choices: [{ index: 0, message }] }),
        'I cannot.',
      ],
    ])('a refusal %s is the answer', async (_, body, text) => {
      const read = await served(endpoint, kind, `${body}data: [DONE]\n\n`);
      expect(read).toMatchObject({ text, finish: 'stop' });
    });

    test('a refusal of a server that does not stream is the answer', async () => {
      const whole = {
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: null, refusal: 'No.' },
            finish_reason: 'stop',
          },
        ],
      };
      endpoint.answer({ status: 200, body: JSON.stringify(whole) });
      const ask = await asker(kind, endpoint.url);
      expect(await read(ask(new AbortController().signal, hello), kind)).toMatchObject({
        text: 'No.',
        finish: 'stop',
      });
    });
  });

test('other providers: a call with the same id and arguments is one call', async () => {
  const responses = (index: number, args: string): string => {
    const item = { type: 'function_call', id: `i${index}`, call_id: 'a', name: 'sess__echo' };
    const done = { ...item, arguments: args, status: 'completed' };
    return (
      frame({
        type: 'response.output_item.added',
        output_index: index,
        item: { ...item, arguments: '' },
      }) + frame({ type: 'response.output_item.done', output_index: index, item: done })
    );
  };
  const blocks = (index: number, args: string): string =>
    frame({
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: 'a', name: 'sess__echo', input: {} },
    }) +
    frame({
      type: 'content_block_delta',
      index,
      delta: { type: 'input_json_delta', partial_json: args },
    }) +
    frame({ type: 'content_block_stop', index });
  const google = (_index: number, args: string): string =>
    frame({
      candidates: [
        {
          content: {
            parts: [
              { functionCall: { id: 'a', name: 'sess__echo', args: JSON.parse(args) as unknown } },
            ],
          },
        },
      ],
    });
  for (const [kind, call] of [
    ['openai-responses', responses],
    ['anthropic', blocks],
    ['google', google],
  ] as const) {
    const end = answers[kind].slice(kind === 'google' ? -1 : -2).join('');
    const begun = kind === 'anthropic' ? (answers.anthropic[0] ?? '') : '';
    const calls = async (...args: string[]): Promise<Read['calls']> =>
      (
        await served(
          endpoint,
          kind,
          begun + args.map((one, index) => call(index, one)).join('') + end,
        )
      ).calls;
    expect(await calls(hi, hi)).toEqual(echo(hi));
    expect(await calls(hi, bye)).toEqual(echo(hi, bye));
  }
});
