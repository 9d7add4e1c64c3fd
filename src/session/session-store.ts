/** Where sessions are kept: heads for the list, the events of each, and what a model has streamed of a step so far. */

import type { JsonText } from '../spec/json.ts';

/** An event as it is kept. As text it has a size, and cannot hold what JSON cannot. */
export interface KeptEvent {
  readonly n: number;
  readonly text: JsonText;
}

/** A piece of a step under way, written before it is shown. */
export interface DraftPiece {
  readonly session: string;
  readonly stepId: string;
  /** Counts from 0 in each step. */
  readonly piece: number;
  /** JSON of what the step's parts grew by. */
  readonly grown: JsonText;
}

/** As it was found; what it says is not believed before it has been looked at. */
export interface KeptSession {
  readonly id: string;
  /** JSON of the head. */
  readonly head: unknown;
  /** When it was removed, which can still be undone; null: it was not. */
  readonly removedAt: unknown;
}

/** What came of removing for good: nothing, where it was put back, or put back and removed again, by whatever page. */
export type Removal = 'done' | 'put-back' | 'marked-anew';

/** Rejects where storage fails, and only there. */
export interface SessionStore {
  sessions(): Promise<readonly KeptSession[]>;
  /** Texts of the events from `from` on, in order, at most so many; empty where there are none. */
  events(session: string, from: number, most: number): Promise<readonly unknown[]>;
  /**
   * All or nothing; drops the drafts of the steps that are over. Begins at once: the page may be about to close.
   *
   * @param head JSON
   * @returns false where an `n` is there already: another page has written, and this one has not
   */
  append(
    session: string,
    head: JsonText,
    events: readonly KeptEvent[],
    over: readonly string[],
  ): Promise<boolean>;
  /** Begins at once: the page may be about to close. */
  draft(piece: DraftPiece): Promise<void>;
  /** Texts of what is kept of a step, in order. */
  drafts(session: string, stepId: string): Promise<readonly unknown[]>;
  /** Takes the events from `from` on out of the log, and keeps them elsewhere: they are damaged. */
  setAside(session: string, from: number): Promise<void>;
  /** Null: it was not removed after all. */
  markRemoved(session: string, at: number | null): Promise<void>;
  /** For good, with all that belongs to it, if it is still marked as removed at that time. */
  remove(session: string, markedAt: number): Promise<Removal>;
}
