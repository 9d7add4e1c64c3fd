/** What this page knows of a session: its events, and the state that they make. */

import type { SessionEvent } from '../spec/session.ts';
import type { Damage, ReadLog } from './read-log.ts';
import { emptyState, Replay } from './reduce.ts';
import type { SessionState } from './session-state.ts';

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

  /** Where what is stored cannot be read any further. */
  get damage(): Damage | null {
    return this.#damage;
  }

  /** @param events the next ones */
  add(events: readonly SessionEvent[]): void {
    const replay = new Replay(this.#state);
    for (const event of events) {
      this.#events.push(event);
      replay.apply(event);
    }
    this.#state = replay.state;
  }

  /** Takes what was read beyond what is here. */
  extend({ events, state, damage }: ReadLog): void {
    // One by one: there can be more than a call takes.
    for (const event of events) this.#events.push(event);
    this.#state = state;
    this.#damage = damage;
  }

  /** Takes what was read in place of what is here. */
  replace(read: ReadLog): void {
    this.#events = [];
    this.extend(read);
  }

  /** A state without events, of this session. */
  get nothing(): SessionState {
    return emptyState(this.#id);
  }
}
