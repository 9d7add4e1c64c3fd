/** Evaluations made from recordings. */

import { expect, test } from 'vitest';
import type { RecordedPart, Recording } from '../../runtime/spec/recording.ts';
import type { SessionState } from '../session/session-state.ts';
import { evaluationOf, evaluationOfCall, fileNameFor } from './make-evaluation.ts';

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

test('one call of a session is expected with the arguments that it ran with, after the messages before it', () => {
  const asked = (id: string, args: string) =>
    ({ type: 'call', id, wire: 'f', tool: 'm:f', arguments: args }) as const;
  const step = (...parts: readonly unknown[]) => ({
    kind: 'step',
    parts,
    finish: 'calls',
    fault: null,
  });
  const message = (text: string) => ({ kind: 'message', parts: [{ type: 'text', text }] });
  const state = {
    head: { title: 'Trip' },
    selection: { tools: [{ name: 'm:f' }, { name: 'm:g' }] },
    entries: [
      message('Go'),
      step(asked('1', '{}')),
      message('On'),
      step(asked('2', '{"a": 1}'), asked('3', '{"b": 1}')),
      message('Thanks'),
    ],
    calls: new Map([
      ['1', { asked: asked('1', '{}'), arguments: '{}', result: null }],
      // The user changed the arguments before the call ran.
      ['2', { asked: asked('2', '{"a": 1}'), arguments: '{"a": 2}', result: null }],
    ]),
  } as unknown as SessionState;
  const made = evaluationOfCall(state, '2');
  expect(made).toEqual({
    name: 'f: Go',
    tools: ['m:f', 'm:g'],
    repeats: 3,
    prompts: [
      {
        messages: ['Go', 'On'],
        expect: { calls: { must: [{ tool: 'm:f', includes: { a: 2 } }] } },
      },
    ],
  });
  expect(fileNameFor(made)).toBe('f');
  expect(() => evaluationOfCall(state, '9')).toThrow('no such call');
});

test('files of evaluations have plain names', () => {
  const named = (name: string) => fileNameFor({ name, prompts: [] });
  expect(named('What’s the weather/../in Zürich?')).toBe('what-s-the-weather-in-zürich');
  expect(named('…')).toBe('evaluation');
  expect(named('x'.repeat(80))).toBe('x'.repeat(40));
});
