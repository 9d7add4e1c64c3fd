/** The page's interface to sessions: the stored ones, and those that are open in it. */

import type { SavedFile } from '../session/file/session-file.ts';
import type { ReplacedCall } from '../session/fork-session.ts';
import type { FolderRecording } from '../session/recording/recording.ts';
import type { ReadSession } from '../session/sessions.ts';
import type { FoundSession } from '../session/search-sessions.ts';
import type { SessionFolder } from '../session/session-head.ts';
import type { ModelExchange } from '../../runtime/spec/model.ts';
import type { Recording } from '../../runtime/spec/recording.ts';
import type { SessionEvent, SessionHead } from '../../runtime/spec/session.ts';
import type { Conversation } from './conversation.ts';

export interface StoredSessions {
  /** Returns the sessions, last changed first. */
  list(): readonly SessionHead[];
  /** Resolves when the sessions of earlier visits have been loaded. Never rejects. */
  readonly loaded: Promise<void>;
  /** @returns dispose */
  observe(listener: (heads: readonly SessionHead[]) => void): () => void;
  rename(id: string, title: string): Promise<void>;
  /** Returns the sessions whose title or messages contain every word, newest first. */
  search(signal: AbortSignal, text: string): Promise<readonly FoundSession[]>;
  /** Returns the events of a session, oldest first. @throws {ToolError} `not-found`, `storage` */
  events(id: string): Promise<readonly SessionEvent[]>;
  export(id: string): Promise<SavedFile>;
  /** Reads a session from a file, and stores nothing. @throws {ToolError} `bad-input` if the file is invalid */
  read(file: Blob): Promise<ReadSession>;
}

export interface ConversationControl {
  /** Returns a new session, which is stored once it has a message. */
  create(): Conversation;
  /**
   * Returns the same object for as long as the session is open anywhere in the page.
   * @throws {ToolError} `not-found`, `storage`
   */
  open(id: string): Promise<Conversation>;
  /** Stops showing a session. A running turn continues. */
  release(id: string): void;
  /** Returns a new session with all events up to and including event `n`. */
  fork(id: string, n: number, replaced?: ReplacedCall): Promise<Conversation>;
  /**
   * Returns the requests to the provider for a step, with what was received; empty for steps of
   * earlier visits.
   */
  exchangesOf(stepId: string): readonly ModelExchange[];
  /** Removes a session from the list immediately, and from storage after a delay. @returns undo */
  remove(id: string): () => void;
  /** Whether the folder that the session started with is open, as far as is known. */
  hasFolderOf(session: SessionFolder): boolean;
  /** Makes a recording of the session. */
  record(id: string): Promise<SavedFile>;
  /** Returns the recordings in the open folder's `recordings/`. */
  recordings(): readonly FolderRecording[];
  /** Reads a recording from a file. @throws {ToolError} `bad-input` */
  recordingIn(file: Blob): Promise<Recording>;
  /** Returns a new session that plays a recording: model turns as recorded, tools live. */
  play(recording: Recording): Conversation;
  /** Continues to play the session's recording with its next message. */
  playOn(id: string): void;
  stopPlaying(id: string): void;
  isPlaying(id: string): boolean;
  /** Returns the recording that a session plays, or null. */
  recordingOf(conversation: Conversation): Recording | null;
}
