/** A copy of a session up to one of its events, as the beginning of another session. */

import { ToolError } from '../spec/error.ts';
import { createPacer } from '../async/pace.ts';
import type { ModelRef } from '../spec/model.ts';
import type { SessionEvent, SessionFact } from '../spec/session.ts';
import { closingFacts, hasPythonState } from './closing.ts';
import { datedFact, type DatedFact } from './kept-event.ts';
import { emptyState, Replay } from './reduce.ts';
import type { SessionState } from './session-state.ts';
import { forkTitle } from './session-title.ts';

export interface ForkParts {
  now(): number;
  newId(): string;
}

/**
 * What the copy begins with: the events up to and with `n`, what ends a turn that was under way there, and title, model and prompt as they
 * are now. Where `n`
 * begins an answer, the whole of it is copied, with the results of its calls.
 * @throws {ToolError} `bad-input` where there is no such event
 */
export async function forkFacts(
  session: string,
  events: readonly SessionEvent[],
  n: number,
  parts: ForkParts,
): Promise<DatedFact[]> {
  if (!Number.isInteger(n) || n < 0 || n >= events.length) {
    throw new ToolError('bad-input', `The session has no entry ${n} to be copied up to.`);
  }
  const at = parts.now();
  const copied = events.slice(0, wholeAnswer(events, n) + 1);
  const state = await pacedReplay(session, copied);
  // Who goes another way from there means to go on with what is set now.
  const now = await pacedReplay(session, events);
  const { title, titled, model } = now.head;
  // Its tools were locked right behind its first message.
  const locked =
    state.selection === null ? events.find(({ type }) => type === 'selected') : undefined;
  const more: SessionFact[] = closingFacts(state, {
    why: 'forked',
    partsOf: () => [],
    newId: () => parts.newId(),
  });
  if (hasPythonState(copied)) more.push({ type: 'python-anew', why: 'fork' });
  if (model !== null && !isSame(model, state.head.model)) more.push({ type: 'model', model });
  if (now.prompt !== state.prompt) more.push({ type: 'prompt', text: now.prompt ?? '' });
  if (title !== '') {
    const by = titled === 'by-person' ? 'person' : 'message';
    more.push({ type: 'titled', title: forkTitle(title), by });
  }
  return [
    ...copied.map((event) => copyOf(event, { session, n }, at)),
    ...(locked === undefined || state.head.messages === 0 ? [] : [datedFact(locked)]),
    ...more.map((fact) => ({ at, ...fact })),
  ];
}

async function pacedReplay(
  session: string,
  events: readonly SessionEvent[],
): Promise<SessionState> {
  const pacer = createPacer();
  const replay = new Replay(emptyState(session));
  for (const event of events) {
    replay.apply(event);
    if (pacer.due()) await pacer.rest();
  }
  return replay.state;
}

function isSame(one: ModelRef, other: ModelRef | null): boolean {
  return one.provider === other?.provider && one.model === other.model;
}

/** What was allowed for a session is allowed for no other. */
function copyOf(
  event: SessionEvent,
  forkOf: { readonly session: string; readonly n: number },
  at: number,
): DatedFact {
  const fact = datedFact(event);
  if (fact.type === 'created') return { ...fact, at, forkOf };
  if (fact.type === 'call-answered' && fact.approval === 'session')
    return { ...fact, approval: 'once' };
  return fact;
}

/** Whether it is no part of the turn under way, and may be anywhere in it. */
function isBeside({ type }: SessionEvent): boolean {
  return type === 'titled' || type === 'model' || type.startsWith('background-');
}

/** Where an answer that begins at `n` is over; `n` where none begins there, or it never was. */
function wholeAnswer(events: readonly SessionEvent[], n: number): number {
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
    // What ends right behind it ends with it.
    else if (event.type === 'turn-ended' && events.slice(last + 1, event.n).every(isBeside))
      return event.n;
  }
  return last;
}
