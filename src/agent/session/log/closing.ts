/** Ends what is still running in a log whose tab was closed, or that was copied or deleted during a turn. */

import { lostResult } from '../../../runtime/call/stored-calls.ts';
import { failure } from '../../../runtime/call/results.ts';
import type { AskedCall, AssistantPart } from '../../../runtime/spec/model.ts';
import type { ToolResult } from '../../../runtime/spec/result.ts';
import type { SessionEvent, SessionFact } from '../../../runtime/spec/session.ts';
import { calledToolName, type SessionCall, type SessionState } from '../session-state.ts';
import { noUsage } from '../usage.ts';
import type { DraftPart } from './draft.ts';

export interface ClosingOptions {
  /** The tab was closed, the session was copied, or it was deleted and restored. */
  readonly why: 'lost' | 'forked' | 'removed';
  /** Returns the streamed parts of a step in progress. */
  partsOf(stepId: string): readonly DraftPart[];
  newId(): string;
}

/** Returns the facts that end a running turn with its steps and calls, and running background prompts. */
export function closingFacts(state: SessionState, options: ClosingOptions): SessionFact[] {
  const { turnId, entries, calls } = state;
  const { why } = options;
  const endedSteps = entries.flatMap((entry): Extract<SessionFact, { type: 'step-ended' }>[] => {
    if (entry.kind !== 'step' || entry.finish !== null) return [];
    const { stepId } = entry;
    const parts = options.partsOf(stepId).map((part) => completePart(part, state, options));
    return [
      { type: 'step-ended', stepId, parts, finish: 'cut', usage: noUsage, cost: null, ms: 0 },
    ];
  });
  const newCalls = endedSteps.flatMap(({ parts }) => parts.filter((part) => part.type === 'call'));
  const openCalls = [...calls.values()].filter(
    (call) => call.phase !== 'ended' && turnId !== null && call.turnId === turnId,
  );
  const openPrompts = state.background.filter(({ text }) => text === null);
  return [
    ...endedSteps,
    ...openCalls.flatMap((call) => nestedEnded(call, why)),
    ...openCalls.map((call) => callEnded(call.asked, resultOf(call, why))),
    ...newCalls.map((asked) => callEnded(asked, notMade(asked, why))),
    ...(turnId === null
      ? []
      : [{ type: 'turn-ended', turnId, end: why === 'lost' ? 'lost' : 'stopped' } as const]),
    ...openPrompts.map(({ id }): SessionFact => ({
      type: 'background-ended',
      id,
      text: noAnswer[why],
      ok: false,
    })),
  ];
}

/** Returns the first facts of a copy: the end of what was running, and the restart of Python. */
export function copyFacts(
  state: SessionState,
  events: readonly SessionEvent[],
  kind: 'fork' | 'import',
  deps: Pick<ClosingOptions, 'newId'>,
): SessionFact[] {
  const newId = (): string => deps.newId();
  const facts = closingFacts(state, { why: 'forked', partsOf: () => [], newId });
  if (hasPythonState(events)) facts.push({ type: 'python-anew', why: kind });
  return facts;
}

/** Returns whether a call has run since the last restart of Python. */
export function hasPythonState(events: readonly SessionEvent[]): boolean {
  return (
    events.findLast(({ type }) => type === 'python-anew' || type === 'call-began')?.type ===
    'call-began'
  );
}

/** Completes a call that was still being written, since the user has seen it. */
function completePart(
  part: DraftPart,
  { selection }: SessionState,
  options: ClosingOptions,
): AssistantPart {
  if (part.type !== 'writing-call') return part;
  const { wire } = part;
  const id = options.newId();
  const [tool = ''] = selection?.names.find(([, name]) => name === wire) ?? [];
  return { type: 'call', id, askedId: id, wire, tool, arguments: part.arguments };
}

function resultOf({ asked, phase }: SessionCall, why: ClosingOptions['why']): ToolResult {
  if (phase === 'asked') return notMade(asked, why);
  if (why === 'lost') return lostResult(asked.tool);
  const end =
    why === 'removed'
      ? `The session was deleted while the call to ${asked.tool} was running, which ended the call.`
      : `The session was forked while the call to ${asked.tool} was running. Its result belongs to the original session.`;
  return failure('cancelled', end);
}

/** The ends of the calls of a program that had not ended. */
function nestedEnded(
  { asked, nested = [] }: SessionCall,
  why: ClosingOptions['why'],
): readonly SessionFact[] {
  return nested.flatMap(({ id, tool, result }): readonly SessionFact[] => {
    if (result !== null) return [];
    const end =
      why === 'lost' ? lostResult(tool) : failure('cancelled', `${causes[why]} during the call.`);
    return [{ type: 'nested-ended', callId: id, parent: asked.id, result: end }];
  });
}

function notMade(asked: AskedCall, why: ClosingOptions['why']): ToolResult {
  return failure('cancelled', `${causes[why]} before ${calledToolName(asked)} was called.`);
}

function callEnded({ id }: AskedCall, result: ToolResult): SessionFact {
  return { type: 'call-ended', callId: id, result };
}

const causes: Readonly<Record<ClosingOptions['why'], string>> = {
  lost: 'The page was closed or reloaded',
  forked: 'The session was forked',
  removed: 'The session was deleted',
};

const noAnswer: Readonly<Record<ClosingOptions['why'], string>> = {
  lost: 'The page was closed or reloaded, or another tab took over, before there was an answer.',
  forked:
    'The session was forked before there was an answer, which belongs to the original session.',
  removed: 'The session was deleted before there was an answer, and later restored.',
};
