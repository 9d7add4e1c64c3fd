/** The log of one run, in memory and in storage. */

import { errorText, ToolError } from '../spec/error.ts';
import type { JsonText } from '../spec/json.ts';
import { applied, runState, type RunEvent, type RunFact, type RunState } from './run-record.ts';

/** Runs in storage. Methods reject only if storage fails. */
export interface RunStore {
  /** The events of every run, by its id; they must be validated. */
  load(): Promise<ReadonlyMap<string, readonly unknown[]>>;
  /** The events of one run, from a number on. */
  read(run: string, from: number): Promise<readonly unknown[]>;
  append(run: string, n: number, event: JsonText): Promise<void>;
  remove(run: string): Promise<void>;
}

export interface RunLogDeps {
  readonly store: Pick<RunStore, 'append'>;
  readonly now: () => number;
  readonly onChange: (state: RunState) => void;
  /** Called when an event has been stored. */
  readonly onStored: (run: string) => void;
}

export class RunLog {
  readonly id: string;
  readonly #deps: RunLogDeps;
  readonly #events: RunEvent[];
  #state: RunState;
  /** How many events storage has. */
  #stored: number;
  #written: Promise<void> = Promise.resolve();
  /** Counts the writes that have failed. */
  #failures = 0;

  /** @param events begin with `created`; storage has them @throws {TypeError} if they do not */
  constructor(id: string, events: readonly RunEvent[], deps: RunLogDeps) {
    this.id = id;
    this.#deps = deps;
    this.#events = [...events];
    this.#stored = events.length;
    this.#state = stateOf(id, events);
  }

  static async begin(
    id: string,
    fact: Extract<RunFact, { readonly type: 'created' }>,
    deps: RunLogDeps,
  ): Promise<RunLog> {
    const first = { ...fact, n: 0, at: deps.now() };
    await deps.store.append(id, 0, JSON.stringify(first));
    deps.onStored(id);
    return new RunLog(id, [first], deps);
  }

  get state(): RunState {
    return this.#state;
  }

  get events(): readonly RunEvent[] {
    return this.#events;
  }

  /**
   * Adds an event. What follows from it must wait for the promise: what is not stored would be done again after a crash.
   * Rejects if the event cannot be stored; then the log is as storage has it, without this event and those after it.
   */
  append(fact: RunFact): Promise<void> {
    const event: RunEvent = { ...fact, n: this.#events.length, at: this.#deps.now() };
    this.#events.push(event);
    this.#state = applied(this.id, this.#state, event) ?? this.#state;
    const written = this.#written.then(() => this.#write(event));
    this.#written = written;
    this.#deps.onChange(this.#state);
    return written;
  }

  /** Takes over events that another page has stored. */
  extend(events: readonly RunEvent[]): void {
    const news = events.filter(({ n }) => n >= this.#events.length);
    if (news.length === 0) return;
    for (const event of news) {
      this.#events.push(event);
      this.#state = applied(this.id, this.#state, event) ?? this.#state;
    }
    this.#stored = this.#events.length;
    this.#deps.onChange(this.#state);
  }

  async #write(event: RunEvent): Promise<void> {
    const failures = this.#failures;
    try {
      await this.#deps.store.append(this.id, event.n, JSON.stringify(event));
    } catch (thrown) {
      if (failures === this.#failures) this.#rollBack();
      throw new ToolError(
        'storage',
        `The record of the run could not be stored: ${errorText(thrown)}`,
        'Free space in the browser’s storage, then resume the run.',
      );
    }
    this.#stored = event.n + 1;
    this.#deps.onStored(this.id);
  }

  /** Events that wait for the one that failed reject with it. */
  #rollBack(): void {
    this.#failures += 1;
    this.#events.length = this.#stored;
    this.#state = stateOf(this.id, this.#events);
    this.#written = Promise.resolve();
    this.#deps.onChange(this.#state);
  }
}

function stateOf(id: string, events: readonly RunEvent[]): RunState {
  const state = runState(id, events);
  if (state === null) throw new TypeError('The events of a run begin with its plan.');
  return state;
}
