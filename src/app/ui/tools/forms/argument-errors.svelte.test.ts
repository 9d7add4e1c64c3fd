import { expect, test, vi } from 'vitest';
import type { ArgumentError } from '../../../../runtime/protocol/argument-check.ts';
import { ArgumentErrors } from './argument-errors.svelte.ts';

test('a check that finds the same errors keeps their list, which every field follows', async () => {
  vi.useFakeTimers();
  const parameters = {};
  let found: ArgumentError[] = [];
  const errors = new ArgumentErrors(
    Promise.resolve({ check: () => Promise.resolve([...found]), dispose: () => undefined }),
  );
  const lists: (readonly ArgumentError[])[] = [];
  for (const message of ['', 'is missing', 'is missing', 'is wrong']) {
    found = message === '' ? [] : [{ pointer: '/a', path: 'a', message }];
    errors.update(parameters, '{}');
    await vi.runAllTimersAsync();
    lists.push(errors.all);
  }
  expect(lists.map((list) => list[0]?.message)).toEqual([
    undefined,
    'is missing',
    'is missing',
    'is wrong',
  ]);
  expect([lists[1] === lists[2], lists[2] === lists[3]]).toEqual([true, false]);
  errors.dispose();
  vi.useRealTimers();
});
