/** Copies a session up to one of its events, as the start of a new session. */

import { ToolError } from '../../runtime/spec/error.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { SessionEvent, SessionFact } from '../../runtime/spec/session.ts';
import { copyFacts } from './log/closing.ts';
import { omitNumber, type DatedFact } from './log/event-format.ts';
import { replayInSlices } from './reduce.ts';
import { isSameModel } from './session-state.ts';
import { copyTitle } from './session-head.ts';

export interface ForkDeps {
  now(): number;
  newId(): string;
}

/** Another outcome of one call, for the copy. */
export interface ReplacedCall {
  readonly callId: string;
  readonly result: ToolResult;
  /** The arguments that gave the result; absent if they are the call's own. */
  readonly arguments?: JsonText;
}

/**
 * Returns the facts of a copy: the events up to and including `n`, the end of a turn that was running at that point,
 * and the current title, model and prompt. If `n` starts an answer, the whole answer is copied with the results of its
 * calls.
 *
 * @param replaced a call of the answer that starts at `n`, which ends differently in the copy
 * @throws {ToolError} `bad-input` if there is no such event, or no such call that has ended
 */
export async function forkFacts(
  session: string,
  events: readonly SessionEvent[],
  n: number,
  deps: ForkDeps,
  replaced: ReplacedCall | null = null,
): Promise<DatedFact[]> {
  if (!Number.isInteger(n) || n < 0 || n >= events.length)
    throw new ToolError('bad-input', `The session has no entry ${n}.`);
  const at = deps.now();
  const original = events.slice(0, answerEnd(events, n) + 1);
  const copied = replaced === null ? original : withReplacedCall(original, replaced);
  const state = await replayInSlices(session, copied);
  const current = await replayInSlices(session, events);
  const { title, titled, model } = current.head;
  // The tools are locked by an event after the first message. A copy that ends between the two needs this event too.
  const locked =
    state.selection === null ? events.find(({ type }) => type === 'selected') : undefined;
  const more = copyFacts(state, copied, 'fork', deps);
  if (model !== null && !isSameModel(model, state.head.model)) more.push({ type: 'model', model });
  if (current.prompt !== state.prompt) more.push({ type: 'prompt', text: current.prompt ?? '' });
  if (title !== '') {
    const by = titled === 'by-user' ? 'user' : 'message';
    more.push({ type: 'titled', title: copyTitle(title, 'fork'), by });
  }
  return [
    ...copied.map((event) => copyOf(event, { session, n }, at)),
    ...(locked === undefined || state.head.messages === 0 ? [] : [omitNumber(locked)]),
    ...more.map((fact: SessionFact) => ({ at, ...fact })),
  ];
}

/**
 * Replaces the end of a call. Events after it only end other calls or the turn, so their numbers may change.
 *
 * @throws {ToolError} `bad-input`
 */
function withReplacedCall(
  events: readonly SessionEvent[],
  { callId, result, arguments: args }: ReplacedCall,
): readonly SessionEvent[] {
  const end = events.find((event) => event.type === 'call-ended' && event.callId === callId);
  if (end === undefined)
    throw new ToolError('bad-input', 'The call has not ended, so its result cannot be replaced.');
  const { at } = end;
  const facts: readonly DatedFact[] = [
    ...(args === undefined
      ? []
      : [
          {
            at,
            type: 'call-answered',
            callId,
            approval: 'once',
            reason: '',
            arguments: args,
          } as const,
        ]),
    { at, type: 'call-ended', callId, result, edited: true },
  ];
  return events
    .flatMap((event): readonly DatedFact[] => (event === end ? facts : [omitNumber(event)]))
    .map((fact, n) => ({ ...fact, n }));
}

/** Copies an event. Permissions for the whole session are not copied. */
function copyOf(
  event: SessionEvent,
  forkOf: { readonly session: string; readonly n: number },
  at: number,
): DatedFact {
  const fact = omitNumber(event);
  if (fact.type === 'created') return { ...fact, at, forkOf };
  if (fact.type === 'call-answered' && fact.approval === 'session')
    return { ...fact, approval: 'once' };
  return fact;
}

/** Returns whether the event is not part of the running turn, and may occur anywhere in it. */
function isOutsideTurn({ type }: SessionEvent): boolean {
  return type === 'titled' || type === 'model' || type.startsWith('background-');
}

/**
 * Returns the number of the last event of the answer that starts at `n`; `n` itself if no answer starts there, or it
 * never ended.
 */
function answerEnd(events: readonly SessionEvent[], n: number): number {
  const began = events[n];
  if (began?.type !== 'step-began') return n;
  let last = n;
  const open = new Set<string>();
  for (const event of events.slice(n + 1)) {
    if (event.type === 'step-ended' && event.stepId === began.stepId) {
      last = event.n;
      for (const part of event.parts) if (part.type === 'call') open.add(part.id);
    } else if (event.type === 'call-ended' && open.delete(event.callId)) last = event.n;
    else if (event.type === 'step-began') break;
    // If the turn ends right after the answer, its end is copied too.
    else if (event.type === 'turn-ended' && events.slice(last + 1, event.n).every(isOutsideTurn))
      return event.n;
  }
  return last;
}
