import { expect, test } from 'vitest';
import { outcomeOf } from './outcome-words.ts';

const failure = { resultType: 'failure', isError: true } as const;

test('a stopped call is not an error, and any other failure is', () => {
  expect([
    outcomeOf({ resultType: 'success', isError: false }),
    outcomeOf({ resultType: 'success', isError: true }),
    outcomeOf({ ...failure, error: 'cancelled' }),
    outcomeOf({ ...failure, error: 'timeout' }),
    outcomeOf({ ...failure, error: 'ValueError: cancelled' }),
  ]).toEqual([
    { words: 'Success', icon: 'done' },
    { words: 'Returned an error', icon: 'error' },
    { words: 'Cancelled', icon: 'stop' },
    { words: 'Timed out', icon: 'error' },
    { words: 'Failed', icon: 'error' },
  ]);
});
