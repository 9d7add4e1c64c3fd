/** Types of a session: the events of its log, from which all its state derives, and its entry in lists. */

import type { Accepted } from './schemas/schema.ts';
import type * as event from './schemas/session-event.ts';
import type { sessionHead } from './schemas/session-head.ts';

export type SelectedTool = Accepted<typeof event.selectedTool>;
/** Why a step or a turn failed. */
export type StoredFault = Accepted<typeof event.storedFault>;
export type TurnEnd = Accepted<typeof event.turnEnd>;
/** Why the state of Python was reset. */
export type PythonAnew = Accepted<typeof event.pythonAnew>;
export type SessionTask = Accepted<typeof event.sessionTask>;
export type SentBy = Accepted<typeof event.sentBy>;
export type SentMessage = Omit<Extract<SessionFact, { type: 'message' }>, 'type'>;

export interface Stamp {
  readonly n: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** An entry of the log; `n` counts from 0 without gaps. */
export type SessionEvent = Stamp & SessionFact;

/** An event without number and time, which the log adds. */
export type SessionFact = Unstamped<Accepted<typeof event.sessionEvent>>;
type Unstamped<E> = E extends Stamp ? Omit<E, keyof Stamp> : never;

export type SessionHead = Accepted<typeof sessionHead>;
