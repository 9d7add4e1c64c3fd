import { expect, test } from 'vitest';
import { sampleCall, sampleResult } from '../../../../tests/support/ui-samples.ts';
import { createObservers } from '../../../runtime/hooks/observe.ts';
import type { CallEvent, Caller } from '../../../runtime/spec/call.ts';
import { SessionRuns } from './session-calls.svelte.ts';

test('calls of models and of their programs are followed; running ones are never dropped', () => {
  const observers = createObservers<CallEvent>((error) => {
    throw error;
  });
  const runs = new SessionRuns({
    observe: (listener) => observers.observe(listener),
    cancel: () => true,
  });
  const begin = (id: string, caller: Caller) => {
    const call = sampleCall({ id, caller });
    observers.emit({ type: 'call-queued', call, at: 0 });
    return call;
  };
  begin('program', 'model');
  begin('user', 'user');
  for (let n = 0; n < 300; n += 1) {
    const call = begin(`nested-${n}`, 'program');
    if (n < 250) observers.emit({ type: 'call-ended', call, result: sampleResult(), at: 1 });
  }
  const has = (...ids: readonly string[]) => ids.map((id) => runs.of(id) !== undefined);
  expect(has('program', 'nested-250', 'nested-299', 'nested-249')).toEqual(Array(4).fill(true));
  expect(has('user', 'nested-0')).toEqual([false, false]);
});
