/** Reads a log from its store, in slices, so that a long one does not hold the page. */

import { createPacer } from '../async/pace.ts';
import type { SessionEvent } from '../spec/session.ts';
import { readEvent } from './read-event.ts';
import { Replay } from './reduce.ts';
import type { SessionState } from './session-state.ts';
import type { SessionStore } from './session-store.ts';

/** Where a log is damaged, which is where it ends for us. */
export interface Damage {
  readonly at: number;
  readonly wrong: string;
}

export interface ReadLog {
  /** Those that the store has beyond the ones that were known. */
  readonly events: readonly SessionEvent[];
  readonly state: SessionState;
  readonly damage: Damage | null;
}

const atOnce = 200;

/** @param known the state after the events that need not be read. @throws what the store rejects with */
export async function readLog(
  store: Pick<SessionStore, 'events'>,
  session: string,
  known: SessionState,
): Promise<ReadLog> {
  const from = known.head.events;
  const events: SessionEvent[] = [];
  const replay = new Replay(known);
  const pacer = createPacer();
  for (;;) {
    const texts = await store.events(session, from + events.length, atOnce);
    for (const text of texts) {
      const at = from + events.length;
      const { event, wrong } = readEvent(text, at);
      if (event === undefined) return { events, state: replay.state, damage: { at, wrong } };
      events.push(event);
      replay.apply(event);
      if (pacer.due()) await pacer.rest();
    }
    if (texts.length < atOnce) return { events, state: replay.state, damage: null };
  }
}
