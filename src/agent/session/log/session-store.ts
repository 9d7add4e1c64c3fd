/** The storage interface of sessions: their heads for the list, their events, and drafts of steps in progress. */

import type { SessionMessage } from '../../../runtime/protocol/session-pages.ts';
import type { JsonText } from '../../../runtime/spec/json.ts';

/** An event as JSON text, whose size is known. */
export interface StoredEvent {
  readonly n: number;
  readonly text: JsonText;
}

/** A piece of a step's draft, stored before it is shown. */
export type DraftPiece = Omit<Extract<SessionMessage, { type: 'draft' }>, 'type'>;

/** A stored session; its values must be validated. */
export interface StoredSession {
  readonly id: string;
  /** JSON of the head. */
  readonly head: unknown;
  /** When the session was removed, while that can be undone; null if it was not. */
  readonly removedAt: unknown;
}

/**
 * `put-back`, `marked-anew`: another tab restored the session, or restored and removed it again, so it was not deleted.
 */
export type Removal = 'done' | 'put-back' | 'marked-anew';

/** Methods reject only if storage fails. */
export interface SessionStore {
  sessions(): Promise<readonly StoredSession[]>;
  /** Returns the texts of the events from `from` on, at most `max`; empty if there are none. */
  events(session: string, from: number, max: number): Promise<readonly unknown[]>;
  /**
   * Appends all events or none, and deletes the drafts of ended steps. Starts synchronously, since the page may be
   * closing.
   *
   * @param head JSON
   * @returns false if an event with the same `n` exists, since another tab has written
   */
  append(
    session: string,
    head: JsonText,
    events: readonly StoredEvent[],
    endedSteps: readonly string[],
  ): Promise<boolean>;
  /** Stores a piece of a draft. Starts synchronously, since the page may be closing. */
  draft(piece: DraftPiece): Promise<void>;
  /** Returns the texts of a step's pieces, in order. */
  drafts(session: string, stepId: string): Promise<readonly unknown[]>;
  /** Moves the events from `from` on out of the log, because they are damaged. */
  quarantine(session: string, from: number): Promise<void>;
  /** @param at null to restore the session */
  markRemoved(session: string, at: number | null): Promise<void>;
  /** Deletes a session with all of its data, if it is still marked as removed at that time. */
  remove(session: string, markedAt: number): Promise<Removal>;
}
