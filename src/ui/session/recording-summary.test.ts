import { expect, test } from 'vitest';
import type { RecordedStep, Recording } from '../../spec/recording.ts';
import { recordingSummary } from './recording-summary.ts';

const calls = (...tools: string[]): RecordedStep => ({
  parts: tools.map((tool) => ({ type: 'call', tool, arguments: '{}' })),
});

test('a recording is told by its messages, and the tools that it calls first, each once', () => {
  const recording: Recording = {
    ...{ format: 'cloche-recording', version: 1, title: 'T', scripted: false, tools: ['m:z'] },
    turns: [
      { message: [{ type: 'text', text: 'Go' }], steps: [calls('m:b', 'm:a'), calls('m:b')] },
      {
        message: [{ type: 'text', text: 'x'.repeat(300) }],
        steps: [calls(...Array.from({ length: 8 }, (_, n) => `n:${n}`))],
      },
    ],
  };
  expect(recordingSummary(recording)).toEqual({
    messages: ['Go', `${'x'.repeat(199)}…`],
    tools: ['m:b', 'm:a', 'n:0', 'n:1', 'n:2', 'n:3', 'n:4', 'n:5'],
    more: 2,
  });
});
