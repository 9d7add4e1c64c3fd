/** The storage of sessions: their heads for the list, their events, and the drafts of steps in progress. */

import type { JsonText } from '../../spec/json.ts';

/** An event as JSON text, which has a known size and cannot hold what JSON cannot. */
export interface StoredEvent {
  readonly n: number;
  readonly text: JsonText;
}

/** A piece of the draft of a step, stored before it is shown. */
export interface DraftPiece {
  readonly session: string;
  readonly stepId: string;
  /** Counts from 0 in each step. */
  readonly piece: number;
  /** JSON of the piece's {@link DraftDelta}. */
  readonly grown: JsonText;
}

/** A session as it was found; its values must be validated. */
export interface StoredSession {
  readonly id: string;
  /** JSON of the head. */
  readonly head: unknown;
  /** When it was removed, which can still be undone; null where it was not. */
  readonly removedAt: unknown;
}

/** `put-back` and `marked-anew`: some tab restored the session, or restored and removed it again, so it was not deleted. */
export type Removal = 'done' | 'put-back' | 'marked-anew';

/** Rejects only where storage fails. */
export interface SessionStore {
  sessions(): Promise<readonly StoredSession[]>;
  /** Texts of the events from `from` on, at most `max`; empty where there are none. */
  events(session: string, from: number, max: number): Promise<readonly unknown[]>;
  /**
   * Appends all events or none, and drops the drafts of steps that have ended. Begins at once: the page may be closing.
   *
   * @param head JSON
   * @returns false where an event of the same `n` exists: another tab has written
   */
  append(
    session: string,
    head: JsonText,
    events: readonly StoredEvent[],
    endedSteps: readonly string[],
  ): Promise<boolean>;
  /** Begins at once: the page may be closing. */
  draft(piece: DraftPiece): Promise<void>;
  /** Texts of a step's pieces, in order. */
  drafts(session: string, stepId: string): Promise<readonly unknown[]>;
  /** Moves the events from `from` on out of the log, since they are damaged. */
  quarantine(session: string, from: number): Promise<void>;
  /** @param at null to restore the session */
  markRemoved(session: string, at: number | null): Promise<void>;
  /** Deletes a session with everything that belongs to it, if it is still marked as removed at that time. */
  remove(session: string, markedAt: number): Promise<Removal>;
}
