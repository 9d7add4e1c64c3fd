/** The events of one session as far as this tab knows them, with the resulting state. */

import { createPacer } from '../../../runtime/async/pace.ts';
import type { SessionEvent } from '../../../runtime/spec/session.ts';
import { emptyState, Replay } from '../reduce.ts';
import type { SessionState } from '../session-state.ts';
import { readEvent } from './event-format.ts';
import type { SessionStore } from './session-store.ts';

/** The position of the first damaged entry in a stored log. The log ends before it. */
export interface Damage {
  readonly at: number;
  readonly wrong: string;
}

export interface LoadedLog {
  /** The stored events that follow the known state. */
  readonly events: readonly SessionEvent[];
  readonly state: SessionState;
  readonly damage: Damage | null;
}

const eventsPerRead = 200;

/**
 * Reads a log in slices, so that a long one does not block the page.
 *
 * @param known the state after the events that need not be read
 * @throws the error of the store
 */
export async function readLog(
  store: Pick<SessionStore, 'events'>,
  session: string,
  known: SessionState,
): Promise<LoadedLog> {
  const from = known.head.events;
  const events: SessionEvent[] = [];
  const replay = new Replay(known);
  const pacer = createPacer();
  for (;;) {
    const texts = await store.events(session, from + events.length, eventsPerRead);
    for (const text of texts) {
      const at = from + events.length;
      const { event, wrong } = readEvent(text, at);
      if (event === undefined) return { events, state: replay.state, damage: { at, wrong } };
      events.push(event);
      replay.apply(event);
      if (pacer.mustRest()) await pacer.rest();
    }
    if (texts.length < eventsPerRead) return { events, state: replay.state, damage: null };
  }
}

export class LogContents {
  readonly #id: string;
  #events: SessionEvent[] = [];
  #state: SessionState;
  #damage: Damage | null = null;

  constructor(id: string) {
    this.#id = id;
    this.#state = emptyState(id);
  }

  get events(): readonly SessionEvent[] {
    return this.#events;
  }

  get state(): SessionState {
    return this.#state;
  }

  get damage(): Damage | null {
    return this.#damage;
  }

  /** The state before the first event. */
  get emptyState(): SessionState {
    return emptyState(this.#id);
  }

  add(events: readonly SessionEvent[]): void {
    const replay = new Replay(this.#state);
    for (const event of events) {
      this.#events.push(event);
      replay.apply(event);
    }
    this.#state = replay.state;
  }

  /** Adds what was read after the known events. */
  extend({ events, state, damage }: LoadedLog): void {
    // Events are added one at a time: there can be more than a call can have arguments.
    for (const event of events) this.#events.push(event);
    this.#state = state;
    this.#damage = damage;
  }

  replace(read: LoadedLog): void {
    this.#events = [];
    this.extend(read);
  }
}
