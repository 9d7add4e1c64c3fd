/** Recordings of sessions with failures, steering and truncated answers. */

import { expect, test } from 'vitest';
import { failure } from '../../../runtime/call/results.ts';
import type { AssistantPart } from '../../../runtime/spec/model.ts';
import type { SessionFact } from '../../../runtime/spec/session.ts';
import { recordingOf } from './recorded-session.ts';
import { replaySession } from '../reduce.ts';
import { askedCall, created, message, model, opaque, stamped, usage } from '../session.fixture.ts';

type Ended = Extract<SessionFact, { type: 'step-ended' }>;
const said = (text: string): AssistantPart => ({ type: 'text', text });

let steps = 0;

function step(parts: readonly AssistantPart[], more: Partial<Ended> = {}): SessionFact[] {
  const stepId = `step-${(steps += 1)}`;
  return [
    { type: 'step-began', turnId: 'turn-1', stepId, model },
    { type: 'step-ended', stepId, parts, finish: 'stop', usage, cost: null, ms: 1, ...more },
  ];
}

/** The turns of a recording: the text of each part, or its tool. */
function turnsOf(...facts: readonly SessionFact[]): readonly unknown[] {
  const state = replaySession('s', stamped([created, ...facts]));
  return recordingOf(state).turns.map((turn) => [
    ...turn.message.map((part) => (part.type === 'text' ? part.text : part.type)),
    ...turn.steps.map(({ parts }) =>
      parts.map((part) => (part.type === 'call' ? part.tool : part.text)),
    ),
  ]);
}

test('a turn that continued after its last answer becomes another turn', () => {
  expect(
    turnsOf(
      message('Go'),
      ...step([said('Half'), askedCall('c1')], { finish: 'calls' }),
      ...step([said('Hal')], { finish: 'cut' }),
      ...step([said('Whole')], { finish: 'length' }),
      ...step([said('The rest')]),
      message('Thanks'),
      ...step([said('Bye')]),
    ),
  ).toEqual([
    ['Go', ['Half', 'weather:today'], ['Hal']],
    ['Go on.', ['Whole']],
    ['Go on.', ['The rest']],
    ['Thanks', ['Bye']],
  ]);
});

test('calls of an answer that was cut are left out, and so is an answer with nothing else', () => {
  const cut = { finish: 'cut' } as const;
  expect(
    turnsOf(
      message('Go'),
      ...step([askedCall('c1')], { finish: 'calls' }),
      ...step([askedCall('c2')], cut),
      ...step([said('I call'), askedCall('c3')], cut),
      ...step([said('Done')]),
    ),
  ).toEqual([
    ['Go', ['weather:today'], ['I call']],
    ['Go on.', ['Done']],
  ]);
});

test('failed and unreadable answers are left out', () => {
  const fault = { fault: 'overloaded', message: 'busy' } as const;
  expect(
    turnsOf(
      message('Go'),
      ...step([said('I')], { finish: 'cut', fault }),
      ...step([]),
      ...step([{ type: 'reasoning', text: '', opaque }]),
      ...step([{ type: 'reasoning', text: '', opaque }, said('Done')]),
    ),
  ).toEqual([['Go', ['Done']]]);
});

test('a steering message becomes a turn, which may have no answer', () => {
  const steering = { ...message('Wait'), steering: true } as SessionFact;
  expect(
    turnsOf(
      message('Go'),
      ...step([askedCall('c1')], { finish: 'calls' }),
      steering,
      steering,
      ...step([said('Done')]),
    ),
  ).toEqual([['Go', ['weather:today']], ['Wait'], ['Wait', ['Done']]]);
});

test('calls of truncated answers are left out, unless an earlier version ran them', () => {
  const length = { finish: 'length' } as const;
  const ended = (callId: string, error: string): SessionFact => ({
    type: 'call-ended',
    callId,
    result: failure(error, 'Not so.'),
  });
  expect(
    turnsOf(
      message('Go'),
      ...step([said('I write'), askedCall('c1')], length),
      ended('c1', 'cancelled'),
      ...step([askedCall('c2')], length),
      ended('c2', 'ValueError'),
    ),
  ).toEqual([
    ['Go', ['I write']],
    ['Go on.', ['weather:today']],
  ]);
});
