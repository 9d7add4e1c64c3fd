/** What has to be added to a log whose turn nobody goes on with: its page is gone, or it was copied in the middle. */

import { lostResult } from '../call/calls-under-way.ts';
import { failure } from '../call/results.ts';
import type { AskedCall, AssistantPart } from '../spec/model.ts';
import type { ToolResult } from '../spec/result.ts';
import type { SessionEvent, SessionFact } from '../spec/session.ts';
import { calledName } from './called-name.ts';
import type { DraftPart } from './draft.ts';
import type { SessionCall, SessionState, StepEntry } from './session-state.ts';
import { noUsage } from './usage.ts';

export interface Closing {
  /** Its page is gone, the session is a copy, or it was deleted and put back. */
  readonly why: 'lost' | 'forked' | 'removed';
  /** What had come of a step under way. */
  partsOf(stepId: string): readonly DraftPart[];
  newId(): string;
}

/** Facts that end the turn under way, with its steps and calls, and a prompt in the background; none where nothing runs. */
export function closingFacts(state: SessionState, closing: Closing): SessionFact[] {
  const { turnId, calls } = state;
  const steps = openSteps(state);
  const ended = steps.map(({ stepId }): Extract<SessionFact, { type: 'step-ended' }> => ({
    ...{ type: 'step-ended', stepId, finish: 'cut', usage: noUsage, cost: null, ms: 0 },
    parts: closing.partsOf(stepId).map((part) => wholePart(part, state, closing)),
  }));
  const late = ended.flatMap(({ parts }) => parts.filter((part) => part.type === 'call'));
  const open = [...calls.values()].filter(
    (call) => call.phase !== 'ended' && turnId !== null && call.turnId === turnId,
  );
  return [
    ...ended,
    ...open.map((call) => callEnded(call.asked, resultOf(call, closing))),
    ...late.map((asked) => callEnded(asked, notMade(asked, closing))),
    ...(turnId === null ? [] : [turnEnded(turnId, closing)]),
    ...state.background.flatMap(({ id, text }) =>
      text === null ? [notFinished(id, closing)] : [],
    ),
  ];
}

/** Whether calls have been made since Python state began anew last. */
export function hasPythonState(events: readonly SessionEvent[]): boolean {
  const since = events.findLastIndex(({ type }) => type === 'python-anew' || type === 'call-began');
  return events[since]?.type === 'call-began';
}

function openSteps({ entries }: SessionState): StepEntry[] {
  return entries.filter((entry) => entry.kind === 'step').filter(({ finish }) => finish === null);
}

/** A call that was still being written is kept as far as it was: it was shown. */
function wholePart(part: DraftPart, { selection }: SessionState, closing: Closing): AssistantPart {
  if (part.type !== 'writing-call') return part;
  const { wire } = part;
  const id = closing.newId();
  const [tool = ''] = selection?.names.find(([, name]) => name === wire) ?? [];
  return { type: 'call', id, askedId: id, wire, tool, arguments: part.arguments };
}

function resultOf({ asked, phase }: SessionCall, closing: Closing): ToolResult {
  if (phase === 'asked') return notMade(asked, closing);
  if (closing.why === 'lost') return lostResult(asked.tool);
  const end =
    closing.why === 'removed'
      ? `The session was deleted while the call of ${asked.tool} was under way, which ended it.`
      : `The session was copied while the call of ${asked.tool} was under way. Its result belongs to the other session.`;
  return failure('cancelled', end);
}

function notMade(asked: AskedCall, { why }: Closing): ToolResult {
  return failure('cancelled', `${happened[why]} before ${calledName(asked)} was called.`);
}

function callEnded({ id }: AskedCall, result: ToolResult): SessionFact {
  return { type: 'call-ended', callId: id, result };
}

function turnEnded(turnId: string, { why }: Closing): SessionFact {
  return { type: 'turn-ended', turnId, end: why === 'lost' ? 'lost' : 'stopped' };
}

function notFinished(id: string, { why }: Closing): SessionFact {
  return { type: 'background-ended', id, text: unanswered[why], ok: false };
}

const happened: Readonly<Record<Closing['why'], string>> = {
  lost: 'The page was closed or reloaded',
  forked: 'The session was copied',
  removed: 'The session was deleted',
};

const unanswered: Readonly<Record<Closing['why'], string>> = {
  lost: 'Its page was closed or reloaded, or another one took over, before there was an answer.',
  forked: 'The session was copied before there was an answer, which belongs to the other session.',
  removed: 'The session was deleted before there was an answer, and put back since.',
};
