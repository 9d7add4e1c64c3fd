/** Evaluations made from recordings. */

import { expect, test } from 'vitest';
import type { RecordedPart, Recording } from '../../runtime/spec/recording.ts';
import { evaluationOf } from './from-recording.ts';

const call = (tool: string, args: string): RecordedPart => ({
  type: 'call',
  tool,
  arguments: args,
});

function recording(
  turns: readonly (readonly [text: string, ...parts: RecordedPart[]])[],
): Recording {
  return {
    format: 'cloche-recording',
    version: 1,
    title: 'Trip',
    tools: ['m:f', 'm:g'],
    turns: turns.map(([text, ...parts]) => ({
      message: [{ type: 'text', text }],
      steps: [{ parts, finish: 'stop' }],
    })),
  } as unknown as Recording;
}

test('all messages become one prompt, and the calls of its tools are expected with their arguments', () => {
  const made = evaluationOf(
    recording([
      ['Go', call('m:f', '{"a": 1}'), call('other:h', '{}')],
      ['On', call('m:g', 'no JSON'), { type: 'text', text: 'Done.' }],
    ]),
  );
  expect(made).toEqual({
    name: 'Trip',
    tools: ['m:f', 'm:g'],
    repeats: 3,
    prompts: [
      {
        messages: ['Go', 'On'],
        expect: { calls: { must: [{ tool: 'm:f', includes: { a: 1 } }, 'm:g'] } },
      },
    ],
  });
});

test('a single message is a text, and no call is expected if none was made', () => {
  expect(evaluationOf(recording([['Hello', { type: 'text', text: 'Hi.' }]])).prompts).toEqual([
    { text: 'Hello' },
  ]);
});
