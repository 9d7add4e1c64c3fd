import { expect, test } from 'vitest';
import type { RecordedStep, Recording } from '../../../spec/recording.ts';
import { recordingName, recordingSummary } from './recording-words.ts';

const call = (tool: string, args = '{}') => ({ type: 'call', tool, arguments: args }) as const;
const step = (...parts: RecordedStep['parts']): RecordedStep => ({ parts });

function recordingOf(turns: Recording['turns']): Recording {
  return {
    ...{ format: 'cloche-recording', version: 1, title: 'T', scripted: false, tools: ['m:z'] },
    turns,
  };
}

test('a recording is summarised by its messages and the tools that it calls, with their arguments', () => {
  const harmless = Array.from({ length: 30 }, (_, n) => call(`n:${n}`));
  const { messages, tools } = recordingSummary(
    recordingOf([
      {
        message: [{ type: 'text', text: 'Go' }],
        steps: [step(call('m:b', '{"n": 1}'), call('m:a')), step(call('m:b'), call('m:b'))],
      },
      { message: [{ type: 'text', text: 'x'.repeat(300) }], steps: [step(...harmless)] },
      { message: [], steps: [step(call('m:remove', '{"path": "all"}'))] },
    ]),
  );
  expect(messages).toEqual(['Go', `${'x'.repeat(199)}…`, '']);
  expect(tools.map(({ name }) => name)).toEqual([
    ...['m:b', 'm:a', ...harmless.map(({ tool }) => tool), 'm:remove'],
  ]);
  expect([tools[0], tools.at(-1)]).toEqual([
    {
      ...{ name: 'm:b', calls: 3 },
      arguments: [
        { text: '{"n": 1}', times: 1 },
        { text: '{}', times: 2 },
      ],
    },
    { name: 'm:remove', calls: 1, arguments: [{ text: '{"path": "all"}', times: 1 }] },
  ]);
});

test('the first of thousands of messages are listed, and the others counted', () => {
  const turn = { message: [{ type: 'text', text: 'Go' }], steps: [] } as const;
  const { messages, more } = recordingSummary(
    recordingOf(Array.from({ length: 10_000 }, () => turn)),
  );
  expect([messages.length, more]).toEqual([8, 9_992]);
});

test('a scripted example has a short, distinct name', () => {
  const title = 'Scripted example: split a bill';
  expect(recordingName({ title, scripted: true })).toBe('split a bill');
  expect(recordingName({ title, scripted: false })).toBe(title);
  expect(recordingName({ title: 'x'.repeat(200), scripted: true })).toHaveLength(80);
});
