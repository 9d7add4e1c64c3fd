import { expect, test, vi } from 'vitest';
import { sampleResult } from '../../../../../tests/support/ui-samples.ts';
import { fakeLogged } from '../../../../runtime/call/logged-call.fixture.ts';
import { createObservers } from '../../../../runtime/hooks/observe.ts';
import type { Caller, CallEvent, ToolCall } from '../../../../runtime/spec/call.ts';
import type { Stream, ToolResult, Update } from '../../../../runtime/spec/result.ts';
import { StateLossNotices, noOutput, Runs, withStream } from './runs.svelte.ts';

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

test('a run goes from queued to running to ended, with its stream', () => {
  const { runs, emit } = fakeCalls();
  const run = runs.start('a:b', '{"x": 3.0}');
  expect([run.phase, run.since, run.call.arguments, run.call.caller]).toEqual([
    'queued',
    1,
    '{"x": 3.0}',
    'user',
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

test('stopping cancels the call, and is shown until the call has ended', () => {
  const { runs, emit, cancelled } = fakeCalls();
  const run = runs.start('a:b', '{}');
  runs.stop(run);
  expect([cancelled, run.stopping]).toEqual([['id-0'], true]);
  emit({ type: 'call-ended', call: run.call, result: sampleResult({ error: 'cancelled' }), at: 2 });
  expect(run.stopping).toBe(false);
});

test('events of other calls do not change a run', () => {
  const { runs, emit } = fakeCalls();
  const run = runs.start('a:b', '{}');
  emit({ type: 'call-started', callId: 'somebody-else', at: 3 });
  expect(run.phase).toBe('queued');
});

const batch = (over: Partial<Stream>): Stream => ({
  updates: [],
  dropped: 0,
  out: '',
  err: '',
  log: [],
  ...over,
});

test('batches are added up', () => {
  const first = withStream(
    noOutput,
    batch({ updates: [{ n: 0, json: '1' }], out: 'a\n', log: [{ level: 'info', message: 'x' }] }),
    1,
  );
  expect(
    withStream(
      first,
      batch({ updates: [{ n: 5, json: '2' }], dropped: 4, out: 'b\n', err: '!' }),
      2,
    ),
  ).toEqual({
    updates: [
      { n: 0, json: '1' },
      { n: 5, json: '2' },
    ],
    updateCount: 6,
    out: 'a\nb\n',
    err: '!',
    log: [{ level: 'info', message: 'x' }],
    cut: false,
    progress: null,
  });
});

test('the latest progress of a running call is known, in its run and for the list', async () => {
  const told = (n: number, progress: number): Update => ({
    n,
    json: `{"progress": ${String(progress)}, "total": 4, "message": "m"}`,
  });
  const updates = [told(0, 1), told(1, 2), { n: 2, json: '"other"' }];
  expect(withStream(noOutput, batch({ updates }), 7).progress).toEqual({
    progress: 2,
    total: 4,
    message: 'm',
    samples: [{ at: 7, progress: 2 }],
  });
  const { runs, emit } = fakeCalls();
  const run = runs.start('a:b', '{}');
  emit({ type: 'call-stream', callId: run.call.id, stream: batch({ updates }) });
  await vi.waitFor(() => {
    expect(runs.busy.get('a:b')).toEqual({ progress: 2, total: 4, message: 'm' });
  });
});

test('very long output keeps its end, and is marked as cut', () => {
  let live = noOutput;
  for (let i = 0; i < 300; i += 1) {
    live = withStream(
      live,
      batch({ updates: [{ n: i, json: String(i) }], out: 'x'.repeat(1_000) }),
      i,
    );
  }
  expect([
    live.updates.length,
    live.updates.at(-1)?.n,
    live.updateCount,
    live.out.length,
    live.cut,
  ]).toEqual([100, 299, 300, 50_000, true]);
});

function reportedLosses(
  ...ends: readonly (Partial<ToolResult> & { caller?: Caller; session?: string })[]
) {
  const news = new StateLossNotices();
  return ends.map(({ caller = 'user', session = '', ...result }, n) => {
    const { call, result: whole } = fakeLogged(n, result);
    const mine = { ...call, caller, sessionId: session };
    news.take({ type: 'call-ended', call: mine, result: whole, at: n });
    return news.has(call.id);
  });
}

const lost = { stateLost: true };
const stopped = { resultType: 'failure', error: 'cancelled' } as const;

test('only the first result after a loss reports it', () => {
  expect(reportedLosses(stopped, lost, lost, lost)).toEqual([false, true, false, false]);
});

test('each loss is reported once', () => {
  expect(reportedLosses(lost, { ...stopped, ...lost }, lost, lost)).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(reportedLosses(lost, {}, lost)).toEqual([true, false, true]);
});

test('calls by others and in other sessions do not count as a report', () => {
  expect(reportedLosses({ ...lost, caller: 'http' }, { ...lost, session: 's' }, lost)).toEqual([
    false,
    false,
    true,
  ]);
});
