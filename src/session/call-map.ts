/** The calls of a session by their ids: a map of thousands, of which each next state is another one, made at little cost. */

import type { Calls, SessionCall } from './session-state.ts';

/** Calls that are copied with each state, at most; then all are, once. */
const mostCopied = 200;

export class CallMap implements Calls {
  /** Shared with other maps: never changed. */
  readonly #base: ReadonlyMap<string, SessionCall>;
  /** Of this map alone: what is new, or is another than in the base. */
  readonly #own: Map<string, SessionCall>;
  #size: number;

  /** One that holds the same, and changes without the other. The other must change no more. */
  constructor(other: Calls | null = null) {
    if (other instanceof CallMap && other.#own.size <= mostCopied) {
      this.#base = other.#base;
      this.#own = new Map(other.#own);
    } else {
      this.#base = other instanceof CallMap && other.#base.size === 0 ? other.#own : new Map(other);
      this.#own = new Map();
    }
    this.#size = other?.size ?? 0;
  }

  get size(): number {
    return this.#size;
  }

  get(id: string): SessionCall | undefined {
    return this.#own.get(id) ?? this.#base.get(id);
  }

  has(id: string): boolean {
    return this.#own.has(id) || this.#base.has(id);
  }

  /** Only as long as nobody else has it. */
  set(id: string, call: SessionCall): void {
    if (!this.has(id)) this.#size += 1;
    this.#own.set(id, call);
  }

  *keys(): Generator<string> {
    for (const [id] of this) yield id;
  }

  /** In the order in which they came. */
  *values(): Generator<SessionCall> {
    for (const [, call] of this) yield call;
  }

  *[Symbol.iterator](): Generator<readonly [string, SessionCall]> {
    for (const [id, call] of this.#base) yield [id, this.#own.get(id) ?? call];
    for (const [id, call] of this.#own) if (!this.#base.has(id)) yield [id, call];
  }
}
