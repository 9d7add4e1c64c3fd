import { expect, test } from 'vitest';
import {
  asksForWrittenCall,
  callOpening,
  callOpenings,
  endsWithCall,
  parseLeftCalls,
  mentionsCallFormats,
} from './call-formats.ts';
import { threadMs } from '../../../tests/support/thread-time.ts';

const text = { type: 'string' };
const tools: Parameters<typeof parseLeftCalls>[1] = [
  {
    name: 'echo',
    parameters: {
      type: 'object',
      properties: {
        text,
        count: { type: 'integer' },
        tags: { type: ['array', 'null'] },
        any: { type: ['string', 'integer'] },
      },
    },
  },
  { name: 'now', parameters: { type: 'object' } },
];
const args = '{"text": "a", "count": 12345678901234567890}';
const call = `{"name": "echo", "arguments": ${args}}`;
const now = { wire: 'now', arguments: '{}' };

const written: readonly (readonly [string, string])[] = [
  ['Hermes', `<tool_call>\n${call}\n</tool_call>`],
  ['Qwen-Coder, Llama', `<function=echo>${args}</function>`],
  ['Llama 3', `<|python_tag|>{"name": "echo", "parameters": ${args}}<|eom_id|>`],
  ['Mistral', `[TOOL_CALLS][{"name": "echo", "arguments": ${args}, "id": "a1"}]`],
  ['Mistral since 2025', `[TOOL_CALLS]echo[CALL_ID]a1[ARGS]${args}</s>`],
  [
    'DeepSeek R1',
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>echo\n\`\`\`json\n${args}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  ],
  [
    'DeepSeek V3.1',
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>echo<｜tool▁sep｜>${args}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  ],
  [
    'DeepSeek V3.2',
    `<｜DSML｜function_calls>\n<｜DSML｜invoke name="echo">\n<｜DSML｜parameter name="text" string="true">a</｜DSML｜parameter>\n<｜DSML｜parameter name="count" string="false">12345678901234567890</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>`,
  ],
  [
    'MiniMax M2',
    `<minimax:tool_call>\n<invoke name="echo">\n<parameter name="text">a</parameter>\n<parameter name="count">12345678901234567890</parameter>\n</invoke>\n</minimax:tool_call>`,
  ],
  [
    'Kimi K2',
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.echo:0<|tool_call_argument_begin|>${args}<|tool_call_end|><|tool_calls_section_end|>`,
  ],
  [
    'GLM',
    `<tool_call>echo\n<arg_key>text</arg_key>\n<arg_value>a</arg_value>\n<arg_key>count</arg_key>\n<arg_value>12345678901234567890</arg_value>\n</tool_call>`,
  ],
  [
    'Seed-OSS',
    `<seed:tool_call>\n<function=echo>\n<parameter=text>a</parameter>\n<parameter=count>12345678901234567890</parameter>\n</function>\n</seed:tool_call>`,
  ],
  ['Granite', `<|tool_call|>[${call}]`],
  ['Phi 4', `<|tool_call|>[${call}]<|/tool_call|>`],
  ['Nemotron', `<TOOLCALL>[${call}]</TOOLCALL>`],
  ['Apriel and Jamba', `<tool_calls>[\n${call}\n]</tool_calls>`],
  ['Phi', `functools[${call}]`],
  ['Command R, without a space', `Action:\`\`\`json\n[${call}]\n\`\`\``],
  ['Command R', `Action: \`\`\`json\n[{"tool_name": "echo", "parameters": ${args}}]\n\`\`\``],
  [
    'gpt-oss',
    `<|start|>assistant<|channel|>commentary to=functions.echo <|constrain|>json<|message|>${args}<|call|>`,
  ],
  [
    'gpt-oss without its start',
    `<|channel|>commentary to=functions.echo <|constrain|>json<|message|>${args}<|call|>`,
  ],
  [
    'gpt-oss, recipient first',
    `<|start|>assistant to=functions.echo<|channel|>commentary json<|message|>${args}`,
  ],
  ['gpt-oss without tokens', `commentary to=functions.echo json${args}`],
];

test.each(written)('a call of %s is read from a text that is nothing else', (_, written) => {
  const wanted = [{ wire: 'echo', arguments: args }];
  expect(parseLeftCalls(`\n${written}\n`, tools)?.map(spaced)).toEqual(wanted.map(spaced));
  expect(callOpening(written)).toBe('opened');
  expect([endsWithCall(written), endsWithCall(`Let me see.\n${written}`)]).toEqual([true, true]);
  // Anything else in the text, a tool that is not offered, and a call that is cut off.
  const before = [
    'Let me see. ',
    'Only the tool call, do not run it: ',
    'Example:\n\n',
    '> ',
    '1. ',
    '`',
  ];
  for (const said of before) {
    expect(parseLeftCalls(`${said}${written}`, tools)).toBeNull();
    expect(callOpening(`${said}${written}`)).toBe('none');
  }
  for (const other of [`${written} It is called.`, `${written}\n(not run)`, written.slice(0, -9)])
    expect(parseLeftCalls(other, tools)).toBeNull();
  expect(parseLeftCalls(written.replace('echo', 'other'), tools)).toBeNull();
  expect(endsWithCall(`${written}\nThat is how to call it.`)).toBe(false);
  expect(endsWithCall(`\`\`\`\n${written}\n\`\`\``)).toBe(false);
});

test('every format that is read has an example here', () => {
  const without = callOpenings.filter((one) => !written.some(([, text]) => text.startsWith(one)));
  expect(without).toEqual([]);
});

test.each([...written, ...callOpenings.map((one) => [one, one] as const)])(
  'a message with a call of %s is about these formats, also if it is escaped',
  (_, text) => {
    const html = text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const json = text.replaceAll('<', '\\u003c').replaceAll('>', '\\u003E');
    for (const one of [text, text.toUpperCase(), html, json])
      expect([one, mentionsCallFormats(`It writes:\n${one}`)]).toEqual([one, true]);
  },
);

test('a message with a part of such a call is about these formats, and other messages are not', () => {
  for (const mark of [
    '<|tool_call_begin|>',
    '<|tool_calls_section_end|>',
    '</tool_call>',
    '<arg_key>',
  ])
    expect([mark, mentionsCallFormats(mark)]).toEqual([mark, true]);
  for (const other of ['Call echo.', 'if (a < b && c > d)', '&lt;div&gt;', '{"tool_calls": []}'])
    expect([other, mentionsCallFormats(other)]).toEqual([other, false]);
});

function spaced({ wire, arguments: written }: { wire: string; arguments: string }) {
  return [wire, written.replace(/\s/g, '')];
}

test('several calls in one text are read together, or not at all', () => {
  const one = '<tool_call>{"name": "now", "arguments": {}}</tool_call>';
  expect(parseLeftCalls(`${one}\n${one}`, tools)).toEqual([now, now]);
  expect(parseLeftCalls('[TOOL_CALLS]now[ARGS]{}[TOOL_CALLS]now[ARGS]{}', tools)).toEqual([
    now,
    now,
  ]);
  expect(parseLeftCalls(`${one}\n${one.replace('now', 'never')}`, tools)).toBeNull();
  const kimi = (name: string): string =>
    `<|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>{}<|tool_call_end|>`;
  const section = (calls: string): string =>
    `<|tool_calls_section_begin|>${calls}<|tool_calls_section_end|>`;
  expect(parseLeftCalls(section(kimi('now') + kimi('now')), tools)).toEqual([now, now]);
  expect(parseLeftCalls(section(kimi('now') + kimi('never')), tools)).toBeNull();
  expect(parseLeftCalls('<tool_call>now</tool_call>', tools)).toEqual([now]);
  const seed = (inner: string): string => `<seed:tool_call>${inner}</seed:tool_call>`;
  expect(parseLeftCalls(seed('<function=now></function>') + seed('now'), tools)).toBeNull();
  expect(parseLeftCalls('functools[]', tools)).toBeNull();
});

test('arguments that are texts get the type that the schema gives, unless it gives several', () => {
  const of = (parameters: string) =>
    parseLeftCalls(`<tool_call>\n<function=echo>\n${parameters}\n</function>\n</tool_call>`, tools);
  const parameter = (name: string, value: string) =>
    `<parameter=${name}>\n${value}\n</parameter>\n`;
  expect(
    of(parameter('text', '  1\n') + parameter('count', '12') + parameter('tags', '["a"]')),
  ).toEqual([{ wire: 'echo', arguments: '{"text": "  1\\n", "count": 12, "tags": ["a"]}' }]);
  expect(of('')).toEqual([{ wire: 'echo', arguments: '{}' }]);
  for (const unclear of [
    parameter('any', '1'),
    parameter('unknown', '1'),
    parameter('count', 'a few'),
    parameter('text', 'a') + parameter('text', 'b'),
    'text: a',
  ])
    expect(of(unclear)).toBeNull();
});

test('JSON with other members than a call is none', () => {
  for (const value of [
    '{"name": "now"}',
    '{"name": "now", "arguments": "{}"}',
    '{"name": "now", "arguments": {}, "result": 1}',
    '{"name": "now", "arguments": {}} {"name": "now", "arguments": {}}',
    '["now"]',
  ])
    expect(parseLeftCalls(`<tool_call>${value}</tool_call>`, tools)).toBeNull();
  // Without a mark, it is an answer in JSON.
  expect(parseLeftCalls('{"name": "now", "arguments": {}}', tools)).toBeNull();
  expect(parseLeftCalls('```json\n{"name": "now", "arguments": {}}\n```', tools)).toBeNull();
});

test('a flood of spaces in a call is read in linear time', () => {
  const flood = `<|channel|>commentary to=functions.echo${' '.repeat(150_000)}`;
  const began = threadMs();
  expect([parseLeftCalls(`${flood}!`, tools), endsWithCall(`${flood}!`)]).toEqual([null, false]);
  expect(parseLeftCalls(`${flood}json<|message|>{}`, tools)).toEqual([
    { wire: 'echo', arguments: '{}' },
  ]);
  expect(threadMs() - began).toBeLessThan(2_000);
});

test('a text that cannot be a call any more is known at once', () => {
  expect(['', '<', '<tool', '[TOOL_', 'commentary'].map(callOpening)).toEqual(
    Array<string>(5).fill('possible'),
  );
  expect(['Hello', '<div>', 'Actions', '[1]'].map(callOpening)).toEqual(
    Array<string>(4).fill('none'),
  );
});

test.each([
  'Only the tool call, do not run it.',
  'Show me the tool call for echo',
  'Write down the echo function call; don’t execute it yet',
  'just a function-call please',
  'How would you call echo? Do not call it.',
  'Say how you would call echo, without running it',
  'Without actually calling the tool, tell me its arguments',
  "Don't run anything",
])('a user who asks for a written call gets one: %s', (wish) => {
  expect(asksForWrittenCall(wish)).toBe(true);
});

test.each([
  'Call echo.',
  'Run the tests, and do not run the slow ones',
  'Use a tool call to find the weather',
  'Show me the weather',
  'Do not call me Sir',
  'Never mind, run it',
  'Write a function that calls echo',
  'Print the result of the call',
  'Find flights, but do not call the tool more than twice',
  'Do not call any paid API',
  'Refactor it. Don’t run it in production',
  'Write a script. Do not run it.',
  'Do not run this as root',
])('a user who asks for a call gets none that is only written: %s', (wish) => {
  expect(asksForWrittenCall(wish)).toBe(false);
});
