/** Unsent text of each session, kept over a reload where the browser allows storage. */

import type { QueuedMessage } from '../../../agent/live.ts';
import { newSession } from '../../shell/address.ts';
import type { Memory } from '../../shell/preferences.svelte.ts';
import type { OpenSession } from '../open-session.svelte.ts';
import { messageText } from '../transcript/entry-text.ts';

const key = 'cloche:unsent';
/** Characters; longer texts are cut. */
const longest = 200_000;
/** Sessions; those that were written to longest ago are forgotten. */
const most = 20;

/** A queued message. Once a turn takes it, it is in the log. */
type Waiting = readonly [id: string, text: string];
type Kept = readonly [session: string, text: string, waiting?: readonly Waiting[]];

export class Unsent {
  readonly #memory: Memory | null;

  /** `memory` is null where the browser refuses storage: nothing is kept then. */
  constructor(memory: Memory | null) {
    this.#memory = memory;
  }

  /** Empty where there is none. @param isSent whether a message that waited is in the log by now */
  read(session: string, isSent: (id: string) => boolean): string {
    const [, text = '', waiting = []] = this.#all().find(([id]) => id === session) ?? [];
    const waits = waiting.flatMap(([id, said]) => (isSent(id) ? [] : [said]));
    return [...waits, text].filter(Boolean).join('\n\n');
  }

  /** Read again each time, since other pages store theirs in the same place. */
  keep(session: string, text: string, waiting: readonly Waiting[] = []): void {
    const all = this.#all();
    const kept: Kept[] = all.filter(([id]) => id !== session);
    const cut = waiting.map(([id, said]) => [id, said.slice(0, longest)] as const);
    if (text !== '' || waiting.length > 0) kept.push([session, text.slice(0, longest), cut]);
    if (kept.length === 0 && all.length === 0) return;
    try {
      this.#memory?.setItem(key, JSON.stringify(kept.slice(-most)));
    } catch {
      // A full or blocked storage costs what was not sent, on a reload.
    }
  }

  #all(): readonly Kept[] {
    try {
      const kept: unknown = JSON.parse(this.#memory?.getItem(key) ?? '[]');
      return Array.isArray(kept) ? kept.filter(isKept) : [];
    } catch {
      return [];
    }
  }
}

function isKept(value: unknown): value is Kept {
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

/** Where a session's is kept: what is written to one that is not kept yet is for whichever is new next. */
export function unsentOf({ kept, id }: Pick<OpenSession, 'kept' | 'id'>): string {
  return kept ? id : newSession;
}

/** The part of a session that this needs. */
interface Writing extends Pick<OpenSession, 'kept' | 'id'> {
  /** Messages that wait for a turn to take them in. */
  readonly queue: readonly QueuedMessage[];
}

/** Of one session. */
export class UnsentKeeper {
  /** Nothing was sent to the session before. */
  #wasFresh = false;

  /** Keeps what is written, and what waits: neither is in the log. Call it after each change. */
  keep(unsent: Unsent, shown: Writing, text: string): void {
    const { kept, queue } = shown;
    // What was written there meanwhile is its own now.
    if (kept && this.#wasFresh) unsent.keep(newSession, '');
    this.#wasFresh = !kept;
    const waiting = queue.map((one) => [one.id, messageText(one.parts)] as const);
    unsent.keep(unsentOf(shown), text, waiting);
  }
}
