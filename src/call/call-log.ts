/** Every call that has ended: in memory for the page, written behind to a store, bounded. */

import type { LoggedCall } from '../spec/call.ts';
import { errorText } from '../spec/error.ts';
import type { Limits } from '../spec/limits.ts';
import { cutCall, sizeOf } from './cut-call.ts';

/** Where the log is kept between visits. */
export interface CallStore {
  /** Oldest first. */
  load(): Promise<readonly LoggedCall[]>;
  write(added: readonly LoggedCall[], dropped: readonly string[]): Promise<void>;
  clear(): Promise<void>;
}

export interface CallLogEffects {
  readonly store: CallStore;
  readonly limits: Pick<Limits, 'logCalls' | 'logBytes'>;
  /** Told once that the store does not work; the log goes on in memory. */
  onStorageFailure(message: string): void;
  /** Runs `then` in `ms` milliseconds. */
  after(ms: number, then: () => void): void;
}

const flushMs = 250;
const searchResults = 500;

interface Entry {
  readonly logged: LoggedCall;
  readonly size: number;
}

export class CallLog {
  readonly #effects: CallLogEffects;
  /** Oldest first, by id. */
  #entries = new Map<string, Entry>();
  #size = 0;
  #added: LoggedCall[] = [];
  #dropped: string[] = [];
  #flushing = false;
  #storeWorks = true;

  constructor(effects: CallLogEffects) {
    this.#effects = effects;
  }

  get count(): number {
    return this.#entries.size;
  }

  /** Takes what earlier visits left. */
  async load(): Promise<void> {
    const stored = await this.#try(() => this.#effects.store.load());
    const since = this.#entries;
    this.#entries = new Map();
    this.#size = 0;
    for (const logged of stored ?? []) this.#keep(logged);
    for (const { logged } of since.values()) this.#keep(logged);
    if (this.#dropped.length > 0) this.#flushSoon();
  }

  /** Takes an ended call; writing happens later. */
  add(ended: LoggedCall): void {
    const logged = cutCall(ended);
    this.#keep(logged);
    this.#added.push(logged);
    this.#flushSoon();
  }

  get(id: string): LoggedCall | undefined {
    return this.#entries.get(id)?.logged;
  }

  /** Newest first. */
  recent(most: number): LoggedCall[] {
    const all = [...this.#entries.values()];
    return all
      .slice(-most)
      .reverse()
      .map(({ logged }) => logged);
  }

  /** Calls whose tool, folder, arguments, result or caller contain every word, newest first. */
  search(text: string): LoggedCall[] {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const found: LoggedCall[] = [];
    for (const { logged } of [...this.#entries.values()].reverse()) {
      if (words.every((word) => contains(logged, word))) found.push(logged);
      if (found.length === searchResults) break;
    }
    return found;
  }

  async clear(): Promise<void> {
    this.#entries.clear();
    this.#size = 0;
    this.#added = [];
    this.#dropped = [];
    await this.#try(() => this.#effects.store.clear());
  }

  /** The whole log as JSON lines, oldest first. */
  export(): Blob {
    const lines = Array.from(this.#entries.values(), ({ logged }) => `${JSON.stringify(logged)}\n`);
    return new Blob(lines, { type: 'application/jsonl' });
  }

  /** Writes what waits; for the end of the page. */
  async flush(): Promise<void> {
    this.#flushing = false;
    const [added, dropped] = [this.#added, this.#dropped];
    if (added.length === 0 && dropped.length === 0) return;
    [this.#added, this.#dropped] = [[], []];
    // What came and went between two writes need not be written at all.
    const kept = added.filter(({ id }) => this.#entries.has(id));
    await this.#try(() => this.#effects.store.write(kept, dropped));
  }

  #keep(logged: LoggedCall): void {
    const size = sizeOf(logged);
    this.#entries.set(logged.id, { logged, size });
    this.#size += size;
    const { logCalls, logBytes } = this.#effects.limits;
    for (const [id, entry] of this.#entries) {
      if (this.#entries.size <= logCalls && this.#size <= logBytes) return;
      this.#entries.delete(id);
      this.#size -= entry.size;
      this.#dropped.push(id);
    }
  }

  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    this.#effects.after(flushMs, () => {
      void this.flush();
    });
  }

  async #try<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (!this.#storeWorks) return undefined;
    try {
      return await work();
    } catch (thrown) {
      this.#storeWorks = false;
      this.#effects.onStorageFailure(`The call log is not kept: ${errorText(thrown)}`);
      return undefined;
    }
  }
}

function contains({ call, result, folder }: LoggedCall, word: string): boolean {
  const texts = [call.tool, call.caller, folder, call.arguments, result.textResultForLlm, result.error];
  return texts.some((text) => text?.toLowerCase().includes(word));
}
