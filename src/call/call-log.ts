/** Every call that has ended: in memory for the page, written behind to a store, bounded. */

import { createPacer } from '../async/pace.ts';
import { createObservers } from '../hooks/observe.ts';
import type { BegunCall, LoggedCall, ToolCall } from '../spec/call.ts';
import { errorText } from '../spec/error.ts';
import type { Limits } from '../spec/limits.ts';
import type { Beginning } from './call-path.ts';
import { CallsUnderWay, type BegunStore, type OpenPages } from './calls-under-way.ts';
import { cutCall, sizeOf } from './cut-call.ts';

/** Where the log is kept between visits. */
export interface CallStore extends BegunStore {
  /** Hands over what is kept, oldest first, call by call, so that nothing waits for all of it. */
  load(take: (logged: LoggedCall) => void): Promise<void>;
  /** All of it, or nothing. Begins at once: the page may be about to close. `over`: not under way any more. */
  write(
    added: readonly LoggedCall[],
    dropped: readonly string[],
    over: readonly string[],
  ): Promise<void>;
  clear(): Promise<void>;
}

export interface CallLogDeps {
  readonly store: CallStore;
  readonly limits: Pick<Limits, 'logCalls' | 'logBytes'>;
  /** Null where pages cannot be told apart. */
  readonly pages: OpenPages | null;
  /** Told once that the store does not work; the log goes on in memory. */
  onStorageFailure(message: string): void;
  /** Runs `then` in `ms` milliseconds. */
  after(ms: number, then: () => void): void;
  /** Receives what listeners throw. */
  report(thrown: unknown): void;
}

/** Many calls in a row are written together; one alone is written at once, since its page may soon be closed. */
const restMs = 250;
const searchResults = 500;
/** Characters of one text that are searched. */
const searchedChars = 20_000;
/** Characters of an export that are held as text before they become a Blob, which may lie on disk. */
const exportChars = 4_000_000;

interface Entry {
  readonly logged: LoggedCall;
  readonly size: number;
}

export class CallLog {
  readonly #deps: CallLogDeps;
  /** Oldest first, by id. */
  #entries = new Map<string, Entry>();
  /** Ids of those that can be rejoined, by key. */
  #byKey = new Map<string, string>();
  #loaded: Promise<void> = Promise.resolve();
  #size = 0;
  #added: LoggedCall[] = [];
  #dropped: string[] = [];
  #over: string[] = [];
  readonly #underWay: CallsUnderWay;
  #flushing = false;
  #resting = false;
  #storeWorks = true;
  readonly #observers;

  constructor(deps: CallLogDeps) {
    this.#deps = deps;
    this.#observers = createObservers<undefined>((thrown) => {
      deps.report(thrown);
    });
    const { store, pages } = deps;
    this.#underWay = new CallsUnderWay({
      store,
      pages,
      after: (ms, then) => {
        deps.after(ms, then);
      },
      onFailure: (thrown) => {
        this.#storeFailed(thrown);
      },
    });
  }

  /** Hears of every change of the log's entries. @returns dispose */
  observe(listener: () => void): () => void {
    return this.#observers.observe(listener);
  }

  get count(): number {
    return this.#entries.size;
  }

  /** About, of all entries. */
  get bytes(): number {
    return this.#size;
  }

  /** Takes what earlier visits left, and since then other pages. */
  load(): Promise<void> {
    return (this.#loaded = this.#loaded.then(() => this.#load()));
  }

  /** When what was there to be loaded is. */
  get loaded(): Promise<void> {
    return this.#loaded;
  }

  async #load(): Promise<void> {
    const stored: LoggedCall[] = [];
    await this.#try(() => this.#deps.store.load((logged) => stored.push(logged)));
    const since = this.#entries;
    this.#entries = new Map();
    this.#byKey = new Map();
    this.#size = 0;
    for (const logged of stored) this.#keep(logged);
    for (const { logged } of since.values()) this.#keep(logged);
    await this.#try(async () => {
      for (const crashed of await this.#underWay.crashed()) {
        // It may have ended in its page's last moment.
        if (!this.#entries.has(crashed.id)) this.add(crashed);
        this.#over.push(crashed.id);
      }
    });
    if (this.#over.length > 0) this.#flushSoon();
    if (this.#dropped.length > 0) this.#flushSoon();
    this.#observers.emit(undefined);
  }

  /**
   * Takes a call that begins: should the page go before it ends, the log says so at the next visit.
   *
   * @returns where the call must not run before it is written down, when it is; never rejects
   */
  begin(begun: BegunCall): Promise<void> | null {
    return this.#storeWorks ? this.#underWay.begin(begun) : null;
  }

  /** Takes an ended call; writing happens later. */
  add(ended: LoggedCall): void {
    const logged = cutCall(ended);
    if (this.#underWay.end(ended.id)) this.#over.push(ended.id);
    this.#keep(logged);
    this.#added.push(logged);
    this.#flushSoon();
    this.#observers.emit(undefined);
  }

  /** Begins the entry of a call. @param folder the one that is open now: another may be open when the call ends */
  beginEntry(
    call: ToolCall,
    at: number,
    folder: Pick<LoggedCall, 'folder' | 'folderId'>,
  ): Beginning {
    const begun = { ...folder, id: call.id, at, call };
    return {
      accepted: this.begin(begun),
      end: (result, endedAt, ran) => {
        const asRun = ran === call.arguments ? call : { ...call, arguments: ran };
        this.add({ ...begun, call: asRun, at: endedAt, result, cut: false });
      },
    };
  }

  get(id: string): LoggedCall | undefined {
    return this.#entries.get(id)?.logged;
  }

  /** The latest call that was made under an Idempotency-Key. */
  keyed(key: string): LoggedCall | undefined {
    return this.get(this.#byKey.get(key) ?? '');
  }

  /** Newest first. */
  recent(most: number): LoggedCall[] {
    return this.#newestFirst().slice(0, Math.max(0, most));
  }

  /** Calls whose tool, folder, caller, arguments, result or output contain every word, newest first. */
  search(text: string): LoggedCall[] {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const found: LoggedCall[] = [];
    for (const logged of this.#newestFirst()) {
      if (contains(logged, words)) found.push(logged);
      if (found.length === searchResults) break;
    }
    return found;
  }

  async clear(): Promise<void> {
    this.#entries.clear();
    this.#byKey.clear();
    this.#size = 0;
    this.#added = [];
    this.#dropped = [];
    this.#observers.emit(undefined);
    await this.#try(() => this.#deps.store.clear());
  }

  /** The whole log as JSON lines, oldest first. */
  async export(): Promise<Blob> {
    const pacer = createPacer();
    const parts: Blob[] = [];
    let lines = '';
    for (const { logged } of [...this.#entries.values()]) {
      lines += `${JSON.stringify(logged)}\n`;
      if (lines.length > exportChars) {
        parts.push(new Blob([lines]));
        lines = '';
      }
      if (pacer.mustRest()) await pacer.rest();
    }
    return new Blob([...parts, lines], { type: 'application/jsonl' });
  }

  /** Writes what waits; for the end of the page. */
  async flush(): Promise<void> {
    const [added, dropped, over] = [this.#added, this.#dropped, this.#over];
    if (added.length === 0 && dropped.length === 0 && over.length === 0) return;
    [this.#added, this.#dropped, this.#over] = [[], [], []];
    // What came and went between two writes need not be written at all.
    const kept = added.filter(({ id }) => this.#entries.has(id));
    await this.#try(() => this.#deps.store.write(kept, dropped, over));
  }

  #newestFirst(): LoggedCall[] {
    return Array.from(this.#entries.values(), ({ logged }) => logged).reverse();
  }

  #keep(logged: LoggedCall): void {
    this.#forget(logged.id);
    const size = sizeOf(logged);
    this.#entries.set(logged.id, { logged, size });
    const key = logged.call.rejoin?.key;
    if (key !== undefined) this.#byKey.set(key, logged.id);
    this.#size += size;
    const { logCalls, logBytes } = this.#deps.limits;
    for (const id of this.#entries.keys()) {
      if (this.#entries.size <= logCalls && this.#size <= logBytes) return;
      this.#forget(id);
      this.#dropped.push(id);
    }
  }

  #forget(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#size -= entry.size;
    this.#entries.delete(id);
    const key = entry.logged.call.rejoin?.key ?? '';
    if (this.#byKey.get(key) === id) this.#byKey.delete(key);
  }

  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    this.#deps.after(this.#resting ? restMs : 0, () => {
      this.#flushing = false;
      this.#rest();
      void this.flush();
    });
  }

  #rest(): void {
    if (this.#resting) return;
    this.#resting = true;
    this.#deps.after(restMs, () => {
      this.#resting = false;
    });
  }

  async #try(work: () => Promise<void>): Promise<void> {
    if (!this.#storeWorks) return;
    try {
      await work();
    } catch (thrown) {
      this.#storeFailed(thrown);
    }
  }

  #storeFailed(thrown: unknown): void {
    if (!this.#storeWorks) return;
    this.#storeWorks = false;
    this.#deps.onStorageFailure(`The call log cannot be stored: ${errorText(thrown)}`);
  }
}

function contains({ call, result, folder }: LoggedCall, words: readonly string[]): boolean {
  const texts = [
    call.tool,
    call.caller,
    folder,
    call.arguments,
    result.textResultForLlm,
    result.error ?? '',
    result.stdout,
    result.stderr,
  ].map((text) => text.slice(0, searchedChars).toLowerCase());
  return words.every((word) => texts.some((text) => text.includes(word)));
}
