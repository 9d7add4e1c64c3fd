import { expect, test } from 'vitest';
import { createObservers } from '../../../hooks/observe.ts';
import type { CallEvent, ToolCall } from '../../../spec/call.ts';
import { sampleResult } from '../../../../tests/support/ui-samples.ts';
import { Runs } from './runs.svelte.ts';

function fakeCalls() {
  const observers = createObservers<CallEvent>((error) => {
    throw error;
  });
  const running: ToolCall[] = [];
  const cancelled: string[] = [];
  const runs = new Runs({
    calls: {
      running,
      observe: (listener) => observers.observe(listener),
      cancel: (id) => cancelled.push(id) > 0,
      call: (_signal, call) => {
        running.push(call);
        observers.emit({ type: 'call-queued', call, at: 1 });
        return new Promise(() => undefined);
      },
    },
    newId: () => `id-${String(running.length)}`,
    now: () => 1,
  });
  return { runs, emit: observers.emit.bind(observers), cancelled };
}

test('a run goes from queued over running to ended, with what it streamed', () => {
  const { runs, emit } = fakeCalls();
  const run = runs.start('a:b', '{"x": 3.0}');
  expect([run.phase, run.since, run.call.arguments, run.call.caller]).toEqual([
    'queued',
    1,
    '{"x": 3.0}',
    'person',
  ]);
  emit({ type: 'call-started', callId: 'id-0', at: 5 });
  expect([run.phase, run.since, runs.busy.has('a:b')]).toEqual(['running', 5, true]);
  emit({
    type: 'call-stream',
    callId: 'id-0',
    stream: { updates: [], dropped: 0, out: 'hi\n', err: '', log: [] },
  });
  expect(run.live.out).toBe('hi\n');
  const result = sampleResult({ textResultForLlm: 'done' });
  emit({ type: 'call-ended', call: run.call, result, at: 9 });
  expect([run.phase, run.result, runs.latest('a:b') === run]).toEqual(['ended', result, true]);
});

test('stop cancels that call, and is shown until the call has ended', () => {
  const { runs, emit, cancelled } = fakeCalls();
  const run = runs.start('a:b', '{}');
  runs.stop(run);
  expect([cancelled, run.stopping]).toEqual([['id-0'], true]);
  emit({ type: 'call-ended', call: run.call, result: sampleResult({ error: 'cancelled' }), at: 2 });
  expect(run.stopping).toBe(false);
});

test('events of other calls leave a run alone', () => {
  const { runs, emit } = fakeCalls();
  const run = runs.start('a:b', '{}');
  emit({ type: 'call-started', callId: 'somebody-else', at: 3 });
  expect(run.phase).toBe('queued');
  runs.dispose();
  emit({ type: 'call-started', callId: 'id-0', at: 3 });
  expect(run.phase).toBe('queued');
});
