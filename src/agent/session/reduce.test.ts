/** The state of a session after its events. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { failure } from '../../runtime/call/results.ts';
import type { SessionFact } from '../../runtime/spec/session.ts';
import { applySessionEvent, emptyState, Replay, replaySession } from './reduce.ts';
import {
  askedCall,
  created,
  factOf,
  lastKind,
  message,
  model,
  opaque,
  stamped,
  usage,
  wholeTurn,
} from './session.fixture.ts';
import type { SessionState } from './session-state.ts';
import { threadMs } from '../../../tests/support/thread-time.ts';

function after(...facts: readonly SessionFact[]): SessionState {
  return replaySession('s', stamped(facts));
}

test('the state of a complete turn', () => {
  const { head, entries, calls, ...rest } = after(...wholeTurn);
  expect(head).toEqual({
    id: 's',
    title: 'How is the weather in Oslo?',
    titled: 'by-message',
    folder: 'tools',
    folderId: 'folder-1',
    createdAt: 1_000,
    changedAt: 1_012,
    events: 13,
    messages: 1,
    model,
    forkOf: null,
  });
  const step = { kind: 'step', turnId: 'turn-1', model, fault: null } as const;
  expect(entries).toEqual([
    {
      kind: 'message',
      n: 3,
      at: 1_003,
      id: 'message-turn-1',
      turnId: 'turn-1',
      parts: [{ type: 'text', text: 'How is the weather in Oslo?' }],
      steering: false,
    },
    {
      ...step,
      n: 6,
      at: 1_006,
      stepId: 'step-1',
      finish: 'calls',
      usage,
      cost: 0.5,
      ms: 7,
      parts: [{ type: 'reasoning', text: 'Hm', opaque }, askedCall('call-1')],
    },
    {
      ...step,
      n: 10,
      at: 1_010,
      stepId: 'step-2',
      finish: 'stop',
      cost: null,
      ms: 5,
      usage: { ...usage, input: 200 },
      parts: [{ type: 'text', text: 'Nobody knows.' }],
    },
  ]);
  expect([...calls.values()]).toEqual([
    {
      asked: askedCall('call-1'),
      turnId: 'turn-1',
      phase: 'ended',
      approval: null,
      arguments: '{"city":"Oslo"}',
      result: failure('ValueError: no', 'no'),
    },
  ]);
  expect(rest).toEqual({
    replays: null,
    task: null,
    prompt: null,
    turnId: null,
    compaction: null,
    background: [],
    selection: {
      tools: [
        {
          name: 'weather:today',
          description: 'd',
          deferred: false,
          parameters: { type: 'object' },
        },
      ],
      names: [['weather:today', 'weather__today']],
    },
    allowed: new Set(),
    handedOver: new Set(),
    usage: { input: 300, cached: 40, output: 20, reasoning: null },
    cost: 0.5,
    context: 210,
  });
});

test('the state is the same whether events are applied singly, in slices or all at once', () => {
  const facts = fc.array(fc.tuple(fc.nat(lastKind), fc.nat(3), fc.nat(4)), { maxLength: 60 });
  fc.assert(
    fc.property(facts, fc.nat(60), (choices, cut) => {
      const events = stamped([created, ...choices.map(factOf)]);
      const oneByOne: SessionState[] = [emptyState('s')];
      for (const event of events) oneByOne.push(applySessionEvent(oneByOne.at(-1)!, event));
      const before = oneByOne.map((state) => structuredClone(state));
      const slices = new Replay(replaySession('s', events.slice(0, cut)));
      for (const event of events.slice(cut)) slices.apply(event);
      const whole = replaySession('s', events);
      expect([whole, slices.state]).toEqual([oneByOne.at(-1), oneByOne.at(-1)]);
      // Earlier states stay unchanged.
      expect(oneByOne).toEqual(before);
    }),
  );
});

test('20,000 events are applied in well under 100 ms', () => {
  const turn = wholeTurn.slice(3);
  const events = stamped([
    created,
    ...Array.from({ length: 2_000 }, (_, turnNumber) =>
      turn.map((fact) => renamed(fact, turnNumber)),
    ).flat(),
  ]);
  const { entries, calls } = replaySession('s', events);
  // The best of several runs, to exclude other work on the machine.
  const ms = Math.min(...Array.from({ length: 7 }, () => timed(() => replaySession('s', events))));
  expect([events.length, entries.length, calls.size, ms < 100]).toEqual([
    20_001,
    6_000,
    2_000,
    true,
  ]);
});

function timed(work: () => unknown): number {
  const began = threadMs();
  work();
  return threadMs() - began;
}

function renamed(fact: SessionFact, turn: number): SessionFact {
  const text = JSON.stringify(fact).replaceAll(/"(turn|step|call)-(\d)"/g, `"$1-${turn}-$2"`);
  return JSON.parse(text) as SessionFact;
}

test('a message does not replace the user’s title', () => {
  const { head } = after(
    created,
    { type: 'titled', title: 'mine', by: 'user' },
    { type: 'titled', title: 'from the message', by: 'message' },
  );
  expect([head.title, head.titled]).toEqual(['mine', 'by-user']);
});

test('changes of model and prompt are noted after the first message only', () => {
  const small = { provider: 'mine', model: 'small' };
  const { entries, prompt, head } = after(
    created,
    { type: 'model', model },
    { type: 'prompt', text: 'Be brief.' },
    message('hello'),
    { type: 'model', model },
    { type: 'model', model: small },
    { type: 'prompt', text: '' },
  );
  expect(entries.slice(1)).toEqual([
    { n: 5, at: 1_005, kind: 'model', model: small },
    { n: 6, at: 1_006, kind: 'prompt', text: '' },
  ]);
  expect([prompt, head.model]).toEqual([null, small]);
});

test('the first selection is locked', () => {
  const names = [['a:b', 'a__b']] as const;
  const state = after(
    { type: 'selected', tools: [], names },
    { type: 'selected', tools: [], names: [] },
  );
  expect(state.selection).toEqual({ tools: [], names });
});

test('the user’s answer holds for the call, and “for this session” for its tool', () => {
  const { calls, allowed } = after(
    ...wholeTurn.slice(0, 8),
    {
      type: 'call-answered',
      callId: 'call-1',
      approval: 'session',
      reason: '',
      arguments: '{"city":"Bergen"}',
    },
    { type: 'call-began', callId: 'call-1', stepId: 'step-1' },
  );
  expect([calls.get('call-1'), [...allowed]]).toEqual([
    {
      asked: askedCall('call-1'),
      turnId: 'turn-1',
      phase: 'running',
      result: null,
      approval: { approval: 'session', reason: '' },
      arguments: '{"city":"Bergen"}',
    },
    ['weather:today'],
  ]);
});

test('events of unknown or ended calls, steps and turns change nothing', () => {
  const whole = after(...wholeTurn);
  const more = stamped(
    [
      { type: 'call-began', callId: 'call-9', stepId: 'step-1' },
      { type: 'call-ended', callId: 'call-9', result: failure('e', 't') },
      { type: 'call-ended', callId: 'call-1', result: failure('late', 't') },
      { type: 'call-began', callId: 'call-1', stepId: 'step-1' },
      { type: 'call-answered', callId: 'call-1', approval: 'session', reason: '' },
      { ...wholeTurn[7]!, cost: 9 } as SessionFact,
      { type: 'turn-ended', turnId: 'turn-1', end: 'failed' },
      created,
    ],
    wholeTurn.length,
  );
  const state = more.reduce(applySessionEvent, whole);
  const { head } = whole;
  expect(state).toEqual({ ...whole, head: { ...head, events: 21, changedAt: 1_020 } });
});

test('a step that begins twice is one step', () => {
  const began = { type: 'step-began', turnId: 't', stepId: 's', model } as const;
  const once = after(began);
  const [again] = stamped([began], 1);
  expect([after(began, began).entries, applySessionEvent(once, again!).entries]).toEqual([
    once.entries,
    once.entries,
  ]);
});

test('compaction makes the context unknown; a restart of Python does not change the session’s date', () => {
  const state = after(
    ...wholeTurn,
    { type: 'compacted', before: 6, summary: 'Weather.', usage },
    { type: 'python-anew', why: 'reload' },
  );
  expect([state.compaction, state.context, state.head.changedAt, state.entries.slice(3)]).toEqual([
    { before: 6, summary: 'Weather.' },
    null,
    1_013,
    [
      { n: 13, at: 1_013, kind: 'compacted', before: 6, summary: 'Weather.' },
      { n: 14, at: 1_014, kind: 'python-anew', why: 'reload' },
    ],
  ]);
});

test('a summary never includes later entries, whatever a file says', () => {
  const state = after(
    ...wholeTurn,
    { type: 'compacted', before: 9e15, summary: 'Weather.', usage },
    message('And now?', 'turn-2'),
  );
  expect(state.compaction?.before).toBe(13);
  expect(state.entries.at(-1)).toMatchObject({ kind: 'message', n: 14 });
});

test('a turn that did not end well is noted with its error', () => {
  const fault = { fault: 'network', message: 'gone' } as const;
  const { entries } = after(
    created,
    { type: 'turn-began', turnId: 't' },
    { type: 'turn-ended', turnId: 't', end: 'failed', fault },
  );
  expect(entries).toEqual([{ n: 2, at: 1_002, kind: 'turn-ended', end: 'failed', fault }]);
});
