/** A log of numbered events, in memory and in storage, from which a state derives. */

import { errorText, ToolError } from '../../runtime/spec/error.ts';
import { isRecord, parseJson, type Fields } from '../../runtime/spec/guards.ts';
import type { JsonText } from '../../runtime/spec/json.ts';

/** Runs in storage. Methods reject only if storage fails. */
export interface RunStore {
  /** The events of every run, by its id; they must be validated. */
  load(): Promise<ReadonlyMap<string, readonly unknown[]>>;
  /** The events of one run, from a number on. */
  read(run: string, from: number): Promise<readonly unknown[]>;
  append(run: string, n: number, event: JsonText): Promise<void>;
  remove(run: string): Promise<void>;
}

export interface EventLogDeps<State> {
  readonly store: Pick<RunStore, 'append'>;
  readonly now: () => number;
  readonly onChange: (state: State) => void;
  readonly onStored: (run: string) => void;
}

/**
 * The members that the log adds to each event: its number, from 0, and its time in milliseconds
 * since the epoch.
 */
export interface EventStamp {
  readonly n: number;
  readonly at: number;
}

/**
 * The stored events of a run until the first that is damaged.
 * @param from number of the first; only the event 0 has the type `created`
 * @param isValid whether what an event carries can be used
 */
export function readEvents(
  values: readonly unknown[],
  from: number,
  isValid: (event: Fields) => boolean,
): readonly Fields[] {
  const events: Fields[] = [];
  for (const value of values) {
    const event = parseEvent(value);
    const n = from + events.length;
    if (event?.n !== n || typeof event.at !== 'number') break;
    if ((n === 0) !== (event.type === 'created') || !isValid(event)) break;
    events.push(event);
  }
  return events;
}

/** A stored event as an object; null if it is none. */
export function parseEvent(value: unknown): Fields | null {
  const event = parseJson(value);
  return isRecord(event) ? event : null;
}

/** Applies events to a state. */
export type Applied<Fact, State> = (
  id: string,
  before: State | null,
  event: Fact & EventStamp,
) => State | null;

export class EventLog<Fact, State> {
  readonly id: string;
  readonly #deps: EventLogDeps<State>;
  readonly #applied: Applied<Fact, State>;
  readonly #events: (Fact & EventStamp)[];
  #state: State;
  /** Number of events in storage. */
  #stored: number;
  #written: Promise<void> = Promise.resolve();
  /** Counts the writes that have failed. */
  #failures = 0;

  /** @param events the stored events @throws {TypeError} if they do not begin as they must */
  constructor(
    id: string,
    events: readonly (Fact & EventStamp)[],
    applied: Applied<Fact, State>,
    deps: EventLogDeps<State>,
  ) {
    this.id = id;
    this.#deps = deps;
    this.#applied = applied;
    this.#events = [...events];
    this.#stored = events.length;
    this.#state = this.#stateOf(events);
  }

  get state(): State {
    return this.#state;
  }

  get events(): readonly (Fact & EventStamp)[] {
    return this.#events;
  }

  /**
   * Adds an event. Whatever depends on the event must wait for the promise: without the record, it
   * would be done again after a crash. Rejects if the event cannot be stored; the log is then as it
   * is in storage, without this event and later ones.
   */
  append(fact: Fact): Promise<void> {
    const event = { ...fact, n: this.#events.length, at: this.#deps.now() };
    this.#events.push(event);
    this.#state = this.#applied(this.id, this.#state, event) ?? this.#state;
    const written = this.#written.then(() => this.#write(event));
    this.#written = written;
    this.#deps.onChange(this.#state);
    return written;
  }

  /** Takes over events that another page has stored. */
  extend(events: readonly (Fact & EventStamp)[]): void {
    const news = events.filter(({ n }) => n >= this.#events.length);
    if (news.length === 0) return;
    for (const event of news) {
      this.#events.push(event);
      this.#state = this.#applied(this.id, this.#state, event) ?? this.#state;
    }
    this.#stored = this.#events.length;
    this.#deps.onChange(this.#state);
  }

  async #write(event: Fact & EventStamp): Promise<void> {
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
    this.#state = this.#stateOf(this.#events);
    this.#written = Promise.resolve();
    this.#deps.onChange(this.#state);
  }

  #stateOf(events: readonly (Fact & EventStamp)[]): State {
    let state: State | null = null;
    for (const event of events) state = this.#applied(this.id, state, event) ?? state;
    if (state === null) throw new TypeError('The first event of a run does not describe it.');
    return state;
  }
}

/** Returns whether an event could not be stored. */
export function isStorage(thrown: unknown): boolean {
  return thrown instanceof ToolError && thrown.code === 'storage';
}
