/** The live state: the message queue, and the state of a turn that another tab runs. */

import { expect, test } from 'vitest';
import { replaySession } from '../session/reduce.ts';
import { stamped, wholeTurn } from '../session/session.fixture.ts';
import { liveStateOf, idle, LiveState } from './live-state.ts';

const parts = [{ type: 'text', text: 'Hello' }] as const;
const stopped = { id: 'a', parts, stopped: 'no secrets' };

function liveWithStopped(): LiveState {
  const live = new LiveState(() => undefined);
  live.requeue([stopped]);
  return live;
}

test('a removed message interrupts no later call, even while a stopped one is queued', () => {
  const live = liveWithStopped();
  live.enqueue({ id: 'b', parts });
  live.interrupt();
  expect(live.interrupted.aborted).toBe(true);
  live.removeQueued('b');
  expect([live.interrupted.aborted, live.dequeue()]).toEqual([false, []]);
});

test('an interruption lasts until the last of its messages is dequeued', () => {
  const live = liveWithStopped();
  live.enqueue({ id: 'b', parts });
  live.enqueue({ id: 'c', parts });
  live.interrupt();
  live.removeQueued('b');
  expect(live.interrupted.aborted).toBe(true);
  expect(live.dequeue()).toMatchObject([{ id: 'c' }]);
  expect(live.interrupted.aborted).toBe(false);
});

test('a running call is interrupted even if a stopped message was removed since the call began', () => {
  const live = liveWithStopped();
  const { interrupted } = live;
  live.removeQueued('a');
  live.enqueue({ id: 'b', parts });
  live.interrupt();
  expect(interrupted.aborted).toBe(true);
});

test('a message alone interrupts nothing, nor does an interruption without one', () => {
  const live = liveWithStopped();
  live.interrupt();
  live.enqueue({ id: 'b', parts });
  expect(live.interrupted.aborted).toBe(false);
});

test('the phase of a turn in another tab follows its log', () => {
  const phases = wholeTurn.map((fact, n) => {
    const state = replaySession('s', stamped(wholeTurn.slice(0, n + 1)));
    return `${fact.type} ${liveStateOf(state, null, []).phase}`;
  });
  expect(phases).toEqual([
    'created idle',
    'model idle',
    'selected idle',
    'message idle',
    'titled idle',
    'turn-began asking',
    'step-began asking',
    'step-ended calling',
    'call-began calling',
    'call-ended asking',
    'step-began asking',
    'step-ended asking',
    'turn-ended idle',
  ]);
});

test('a step that streams in another tab is shown with the queue of this tab', () => {
  const state = replaySession('s', stamped(wholeTurn.slice(0, 7)));
  const queue = [{ id: 'q', parts: [] }];
  const parts = [{ type: 'text', text: 'I lo' }] as const;
  expect(liveStateOf(state, { stepId: 'step-1', parts }, queue)).toEqual({
    ...idle,
    phase: 'streaming',
    stepId: 'step-1',
    parts,
    queue,
  });
});
