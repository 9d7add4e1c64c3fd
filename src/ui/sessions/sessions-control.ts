/** What the page is given of sessions and models. */

import type { Conversation } from '../../agent/conversation.ts';
import type { Providers } from '../../agent/providers.ts';
import type { FolderRecording } from '../../session/recording/recording.ts';
import type { SavedFile } from '../../session/file/session-file.ts';
import type { SessionFolder } from '../../session/session-head.ts';
import type { Recording } from '../../spec/recording.ts';
import type { SessionHead } from '../../spec/session.ts';
import type { Memory } from '../shell/preferences.svelte.ts';

export interface SessionsControl {
  /** Newest change first. */
  list(): readonly SessionHead[];
  /** When those of earlier visits are there. Never rejects. */
  readonly loaded: Promise<void>;
  observe(listener: (heads: readonly SessionHead[]) => void): () => void;
  /** A new session, which is kept from its first message on. */
  create(): Conversation;
  /** Whether the folder that a session began with is open, as far as is known. */
  hasFolderOf(head: SessionFolder): boolean;
  /** The same object while it is open anywhere in the page. @throws {ToolError} `not-found`, `storage` */
  open(id: string): Promise<Conversation>;
  /** It is not shown any more; a turn running goes on. */
  release(id: string): void;
  /** A new session with everything up to and with event `n`. */
  fork(id: string, n: number): Promise<Conversation>;
  /** Gone from the list at once, from storage after a while. @returns undo */
  remove(id: string): () => void;
  rename(id: string, title: string): Promise<void>;
  /** Sessions whose title or messages contain every word, newest first. */
  search(signal: AbortSignal, text: string): Promise<readonly SessionHead[]>;
  export(id: string): Promise<SavedFile>;
  /** @throws {ToolError} `bad-input` with what is wrong in it; nothing is kept then */
  import(file: Blob): Promise<SessionHead>;
  /** A recording of the session, to be played back. */
  record(id: string): Promise<SavedFile>;
  /** Those that the open folder brings, in its folder `recordings/`. */
  recordings(): readonly FolderRecording[];
  /** The recording in a file. @throws {ToolError} `bad-input` */
  recordingIn(file: Blob): Promise<Recording>;
  /** A new session that plays a recording: model turns as recorded, tools live. */
  play(recording: Recording): Conversation;
  /** Goes on with the next message of the recording that a session plays. */
  playOn(id: string): void;
  stopPlaying(id: string): void;
  isPlaying(id: string): boolean;
  /** The recording that a session plays; null where it plays none. */
  recordingOf(conversation: Conversation): Recording | null;
  readonly providers: Providers;
  /** Null where the browser refuses storage. */
  readonly memory: Memory | null;
}
