import { expect, test } from 'vitest';
import type { AskedCall, ModelMessage } from '../../runtime/spec/model.ts';
import { messagesFromPython, messagesToPython, textOfMessages } from './messages.ts';

const call = (id: string, args: string): AskedCall => ({
  type: 'call',
  id,
  askedId: id,
  wire: 'files__read',
  tool: '',
  arguments: args,
});
const text = (words: string) => ({ type: 'text', text: words }) as const;
const messages: readonly ModelMessage[] = [
  { role: 'user', parts: [text('One'), { type: 'image', mediaType: 'image/png', data: 'AA' }] },
  { role: 'assistant', parts: [text('Let me see.'), call('1', '{"n": 12345678901234567890}')] },
  {
    role: 'tool',
    answers: [{ askedId: '1', wire: 'files__read', isError: false, parts: [text('x')] }],
  },
  { role: 'assistant', parts: [{ type: 'reasoning', text: 'hm' }, text('Done.')] },
];

test('messages become dicts, with arguments as the model wrote them', () => {
  const written = messagesToPython(messages);
  expect(written).toContain('"arguments":{"n": 12345678901234567890}');
  expect(JSON.parse(written)).toMatchObject([
    { role: 'user', content: 'One\n\n(image)' },
    { role: 'assistant', content: 'Let me see.', tool_calls: [{ id: '1', name: 'files__read' }] },
    { role: 'tool', tool_call_id: '1', name: 'files__read', content: 'x', is_error: false },
    { role: 'assistant', content: 'Done.', reasoning: 'hm' },
  ]);
});

test('arguments that are not an object are passed as text', () => {
  const written = messagesToPython([{ role: 'assistant', parts: [call('1', '{"a"]}],"x":[{')] }]);
  expect(JSON.parse(written)).toMatchObject([{ tool_calls: [{ arguments: '{"a"]}],"x":[{' }] }]);
});

test('a list comes back with its calls and their results', () => {
  const back = messagesFromPython(JSON.parse(messagesToPython(messages)));
  expect(back.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  expect(back[1]).toMatchObject({ parts: [text('Let me see.'), { type: 'call', askedId: '1' }] });
});

test('calls without results and results without calls become text', () => {
  const asking = { role: 'assistant', content: '', tool_calls: [{ id: '1', name: 'f' }] };
  const result = { role: 'tool', tool_call_id: '1', name: 'f', content: 'x' };
  const other = { ...result, tool_call_id: '2' };
  const user = { role: 'user', content: 'a' };
  for (const list of [
    [asking],
    [result],
    [asking, other],
    [asking, result, other],
    [asking, user, result],
  ]) {
    const read = messagesFromPython(list);
    expect(read.some(({ role }) => role === 'tool')).toBe(false);
    expect(JSON.stringify(read)).not.toContain('"call"');
  }
  expect(messagesFromPython([asking, result]).map(({ role }) => role)).toEqual([
    'assistant',
    'tool',
  ]);
});

test.each([
  null,
  'text',
  [1],
  [{ role: 'user' }],
  [{ role: 'root', content: 'a' }],
  [{ role: 'tool', content: 'a' }],
  [{ role: 'assistant', content: '', tool_calls: [{ name: 'f' }] }],
  [{ role: 'user', content: 'x'.repeat(400_001) }],
  Array.from({ length: 10_001 }, () => ({ role: 'user', content: '' })),
])('anything else is refused (%#)', (value) => {
  expect(() => messagesFromPython(value)).toThrow('cannot be used');
});

test('the text for people has calls and results', () => {
  expect(textOfMessages(messages)).toContain('[Result of files__read]\nx');
});
