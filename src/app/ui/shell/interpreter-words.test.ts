import { expect, test } from 'vitest';
import { planExpressions, type InterpreterView } from '../../../runtime/spec/interpreter.ts';
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
  const titleOf = (id: string): string | null => (id === 's' ? 'Weather' : null);
  const words = (more: Partial<InterpreterView>): string =>
    holderWords({ ...view, ...more }, titleOf);
  expect([words({}), stateWords(view)]).toEqual([
    'Tools of the session “Weather”',
    'running a:b and 1 more, 2 waiting',
  ]);
  expect(stateWords({ ...view, state: 'starting', waiting: 0 })).toBe('starting');
  expect([
    words({ role: 'spare' }),
    words({ role: 'program' }),
    words({ role: 'program', sessionId: '' }),
    words({ sessionId: '' }),
    words({ sessionId: 'of-a-client' }),
    words({ sessionId: planExpressions }),
  ]).toEqual([
    'Spare, for the next session',
    'Programs of the session “Weather”',
    'Programs in the console',
    'Runs and calls outside of sessions',
    'Tools of a session that is not saved',
    'Checks of plans',
  ]);
});
