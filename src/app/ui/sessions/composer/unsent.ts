/** Stores the unsent text of each session, so that it survives a reload, if the browser allows storage. */

import type { QueuedMessage } from '../../../../agent/turn/live-state.ts';
import { newSession } from '../../shell/address.ts';
import type { Memory } from '../../shell/preferences.svelte.ts';
import type { OpenSession } from '../open-session.svelte.ts';
import { messageText } from '../transcript/entry-text.ts';
import { remember, recall } from '../../../../runtime/spec/browser-storage.ts';
import { parseJson } from '../../../../runtime/spec/guards.ts';

const key = 'cloche:unsent';
/** Longer texts are cut; characters. */
const maxChars = 200_000;
/** Limit of sessions with stored drafts; the least recently edited ones are removed. */
const maxSessions = 20;

/** A queued message. Once a turn takes it, it is in the log. */
type Waiting = readonly [id: string, text: string];
type StoredDraft = readonly [session: string, text: string, waiting?: readonly Waiting[]];

export class Unsent {
  readonly #memory: Memory | null;

  /** `memory` is null if the browser denies storage; nothing is stored then. */
  constructor(memory: Memory | null) {
    this.#memory = memory;
  }

  /**
   * The stored draft; empty if there is none.
   * @param isSent whether a queued message is already in the log
   */
  read(session: string, isSent: (id: string) => boolean): string {
    const [, text = '', waiting = []] = this.#readDrafts().find(([id]) => id === session) ?? [];
    const waits = waiting.flatMap(([id, message]) => (isSent(id) ? [] : [message]));
    return [...waits, text].filter(Boolean).join('\n\n');
  }

  /** Stores the draft of a session and its queued messages, or removes them if there are none. */
  write(session: string, text: string, waiting: readonly Waiting[] = []): void {
    // The list is read each time, since other pages write it, too.
    const before = this.#readDrafts();
    const drafts: StoredDraft[] = before.filter(([id]) => id !== session);
    const cut = waiting.map(([id, message]) => [id, message.slice(0, maxChars)] as const);
    if (text !== '' || waiting.length > 0) drafts.push([session, text.slice(0, maxChars), cut]);
    if (drafts.length === 0 && before.length === 0) return;
    remember(this.#memory, key, JSON.stringify(drafts.slice(-maxSessions)));
  }

  #readDrafts(): readonly StoredDraft[] {
    const stored = parseJson(recall(this.#memory, key));
    return Array.isArray(stored) ? stored.filter(isStoredDraft) : [];
  }
}

function isStoredDraft(value: unknown): value is StoredDraft {
  if (!Array.isArray(value)) return false;
  const [session, text, waiting = []] = value as unknown[];
  return (
    typeof session === 'string' &&
    typeof text === 'string' &&
    Array.isArray(waiting) &&
    waiting.every(isWaiting)
  );
}

function isWaiting(value: unknown): value is Waiting {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'string';
}

/** The key of a session's draft. Sessions that are not stored yet share one, for the next new session. */
export function draftKeyOf({ isStored, id }: Pick<OpenSession, 'isStored' | 'id'>): string {
  return isStored ? id : newSession;
}

/** The part of a session that is used here. */
interface DraftOwner extends Pick<OpenSession, 'isStored' | 'id'> {
  /** Queued messages that no turn has taken yet. */
  readonly queue: readonly QueuedMessage[];
}

/** Stores the draft of the session that a composer shows. */
export class UnsentKeeper {
  /** Whether the session was not stored when {@link keep} was last called. */
  #wasNew = false;

  /** Stores the draft and the queued messages, which are not in the log. Call it after each change. */
  keep(unsent: Unsent, shown: DraftOwner, text: string): void {
    const { isStored, queue } = shown;
    // The draft now belongs to the stored session.
    if (isStored && this.#wasNew) unsent.write(newSession, '');
    this.#wasNew = !isStored;
    const waiting = queue.map((one) => [one.id, messageText(one.parts)] as const);
    unsent.write(draftKeyOf(shown), text, waiting);
  }
}
