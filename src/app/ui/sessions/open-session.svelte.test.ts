import { expect, test } from 'vitest';
import { idle } from '../../../agent/turn/live-state.ts';
import { OpenSession } from './open-session.svelte.ts';
import { askedCall, callOf, FakeSession, message, stateOf, step } from './sessions.fixture.ts';

function open(control = new FakeSession(stateOf())) {
  const announced: string[] = [];
  const session = new OpenSession(control, { say: (text) => announced.push(text) });
  return { control, session, announced };
}

test('the session shows its state until it is disposed', () => {
  const { control, session } = open();
  const entries = [message(1, 'Hello', 't1')];
  control.set({ state: { entries }, live: { phase: 'asking' } });
  expect([session.entries, session.busy]).toEqual([entries, true]);
  session.dispose();
  control.set({ live: idle });
  expect(session.busy).toBe(true);
});

test('the start and the end of a turn are announced, and streamed text is not', () => {
  const { control, announced } = open();
  control.set({ live: { phase: 'asking' } });
  for (const text of ['a', 'ab', 'abc'])
    control.set({ live: { phase: 'streaming', parts: [{ type: 'text', text }] } });
  control.set({ live: { phase: 'calling' } });
  control.set({ live: idle });
  expect(announced).toEqual(['Turn started', 'Turn finished']);
});

test('a failure is announced with its reason, and a pause with the next step', () => {
  const asked = askedCall('c1');
  const { control, announced } = open();
  control.set({ live: { phase: 'asking' } });
  control.set({
    state: { calls: new Map([['c1', callOf(asked)]]) },
    live: { phase: 'paused', paused: { before: 'call', callId: 'c1' } },
  });
  const fault = { fault: 'key', message: 'The key was refused.' } as const;
  control.set({
    state: { entries: [{ n: 3, at: 0, kind: 'turn-ended', end: 'failed', fault }] },
    live: idle,
  });
  expect(announced).toEqual([
    'Turn started',
    'Paused before calling weather_tools:get_temperatures',
    'Turn failed: The key was refused.',
  ]);
});

test('the end of an earlier turn is not announced for the next one', () => {
  const { control, announced } = open();
  const stopped = { n: 3, at: 0, kind: 'turn-ended', end: 'stopped', fault: null } as const;
  control.set({ state: { entries: [stopped] } });
  control.set({ live: { phase: 'asking' } });
  control.set({
    state: { entries: [stopped, message(4, 'Again', 't2'), step(5, [], 't2')] },
    live: idle,
  });
  expect(announced).toEqual(['Turn started', 'Turn finished']);
});

test('expanded parts stay expanded', () => {
  const { session } = open();
  session.toggle('call c1');
  expect([session.isToggled('call c1'), session.isToggled('call c2')]).toEqual([true, false]);
  session.toggle('call c1');
  expect(session.isToggled('call c1')).toBe(false);
});

test('a session has begun once something was sent', () => {
  const fresh = stateOf({ selection: null });
  const { session } = open(new FakeSession({ ...fresh, head: { ...fresh.head, messages: 0 } }));
  expect([session.begun, open().session.begun]).toEqual([false, true]);
});
