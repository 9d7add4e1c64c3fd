import { expect, test } from 'vitest';
import type { InterpreterView } from '../../../runtime/spec/interpreter.ts';
import { holderWords, stateWords } from './interpreter-words.ts';

const view: InterpreterView = {
  name: 'python-1',
  role: 'session',
  sessionId: 's',
  state: 'busy',
  busyWith: ['a:b', 'a:c'],
  waiting: 2,
  stateLost: false,
};

test('an interpreter is described in words', () => {
  expect([holderWords(view), stateWords(view)]).toEqual([
    'Session s',
    'running a:b and 1 more, 2 waiting',
  ]);
  const spare = { ...view, role: 'spare', state: 'starting', waiting: 0 } as const;
  expect([holderWords(spare), stateWords(spare)]).toEqual(['Spare', 'starting']);
  const program = { ...view, role: 'program' } as const;
  expect(holderWords(program)).toBe('Programs of session s');
  expect(holderWords({ ...program, sessionId: '' })).toBe('Programs in the console');
  expect(holderWords({ ...view, sessionId: '' })).toBe('Calls without a session');
});
