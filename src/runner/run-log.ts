/** The log of one run, in memory and in storage. */

import type { JsonText } from '../spec/json.ts';
import { applied, runState, type RunEvent, type RunFact, type RunState } from './run-record.ts';

/** Runs in storage. Methods reject only if storage fails. */
export interface RunStore {
  /** The events of every run, by its id; they must be validated. */
  load(): Promise<ReadonlyMap<string, readonly unknown[]>>;
  append(run: string, n: number, event: JsonText): Promise<void>;
  remove(run: string): Promise<void>;
}

export class RunLog {
  readonly id: string;
  readonly #store: RunStore;
  readonly #now: () => number;
  readonly #onChange: (state: RunState) => void;
  readonly #events: RunEvent[];
  #state: RunState;
  #written: Promise<void> = Promise.resolve();

  /** @param events begin with `created` @throws {TypeError} if they do not */
  constructor(
    id: string,
    events: readonly RunEvent[],
    store: RunStore,
    now: () => number,
    onChange: (state: RunState) => void,
  ) {
    this.id = id;
    this.#events = [...events];
    this.#store = store;
    this.#now = now;
    this.#onChange = onChange;
    const state = runState(id, events);
    if (state === null) throw new TypeError('The events of a run begin with its plan.');
    this.#state = state;
  }

  static async begin(
    id: string,
    fact: Extract<RunFact, { readonly type: 'created' }>,
    store: RunStore,
    now: () => number,
    onChange: (state: RunState) => void,
  ): Promise<RunLog> {
    const first = { ...fact, n: 0, at: now() };
    await store.append(id, 0, JSON.stringify(first));
    return new RunLog(id, [first], store, now, onChange);
  }

  get state(): RunState {
    return this.#state;
  }

  get events(): readonly RunEvent[] {
    return this.#events;
  }

  /**
   * Adds an event. What follows from it must wait for the promise: what is not stored would be done again after a crash.
   * Rejects if the event cannot be stored.
   */
  append(fact: RunFact): Promise<void> {
    const event: RunEvent = { ...fact, n: this.#events.length, at: this.#now() };
    this.#events.push(event);
    this.#state = applied(this.id, this.#state, event) ?? this.#state;
    this.#written = this.#written.then(() =>
      this.#store.append(this.id, event.n, JSON.stringify(event)),
    );
    this.#onChange(this.#state);
    return this.#written;
  }
}
