/** Where sessions are kept: heads for the list, the events of each, and what a model has streamed of a step so far. */

import type { SessionEvent, SessionHead } from '../spec/session.ts';

/** A piece of a step under way, written before it is shown. */
export interface DraftPiece {
  readonly session: string;
  readonly stepId: string;
  /** Counts from 0 in each step. */
  readonly piece: number;
  /** What the step's parts grew by; see the session's own reading of it. */
  readonly grown: unknown;
}

export interface SessionStore {
  heads(): Promise<readonly unknown[]>;
  /** In order; empty where there is no such session. Read back with distrust. */
  events(id: string): Promise<readonly unknown[]>;
  /**
   * All or nothing; drops the drafts of steps that these events end.
   * @throws where an `n` is there already: another page has written
   */
  append(head: SessionHead, events: readonly SessionEvent[]): Promise<void>;
  /** Begins at once: the page may be about to close. */
  draft(piece: DraftPiece): Promise<void>;
  drafts(id: string): Promise<readonly unknown[]>;
  remove(id: string): Promise<void>;
}
