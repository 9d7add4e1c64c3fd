/** What the page is given of sessions and models. */

import type { Conversation } from '../agent/conversation-type.ts';
import type { Providers } from '../agent/providers.ts';
import type { SessionHead } from '../spec/session.ts';

export interface SessionsControl {
  /** Newest change first. */
  list(): readonly SessionHead[];
  /** When those of earlier visits are there. Never rejects. */
  readonly loaded: Promise<void>;
  observe(listener: (heads: readonly SessionHead[]) => void): () => void;
  /** A new session, which is kept from its first message on. */
  create(): Conversation;
  /** The same object while it is open anywhere in the page. @throws {ToolError} `not-found`, `storage` */
  open(id: string): Promise<Conversation>;
  /** It is not shown any more; a turn under way goes on. */
  release(id: string): void;
  /** A new session with everything up to and with event `n`. */
  fork(id: string, n: number): Promise<Conversation>;
  /** Gone from the list at once, from storage after a while. @returns undo */
  remove(id: string): () => void;
  rename(id: string, title: string): Promise<void>;
  /** Sessions whose title or messages contain every word, newest first. */
  search(signal: AbortSignal, text: string): Promise<readonly SessionHead[]>;
  export(id: string): Promise<Blob>;
  /** @throws {ToolError} `bad-input` with what is wrong in it; nothing is kept then */
  import(file: Blob): Promise<SessionHead>;
  /** A recording of the session, to be played back. */
  record(id: string): Promise<Blob>;
  readonly providers: Providers;
}
