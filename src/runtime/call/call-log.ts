/** The log of ended calls: in memory, limited in size, and written to a store in the background. */

import { Observable } from '../hooks/observe.ts';
import type { LoggedCall, RunMark, ToolCall } from '../spec/call.ts';
import { errorText } from '../spec/error.ts';
import type { Limits } from '../spec/limits.ts';
import type { Beginning } from './call-path.ts';
import {
  RunningCalls,
  type BegunStore,
  type OpenPages,
  shortenCall,
  sizeOf,
} from './stored-calls.ts';

export interface CallStore extends BegunStore {
  /** Passes each stored call to a callback, oldest first, so that the page is not blocked while a long log loads. */
  load(onCall: (logged: LoggedCall) => void): Promise<void>;
  /**
   * Writes everything or nothing. Starts at once, because the page may be about to close.
   * @param ended ids of calls that no longer count as running
   */
  write(
    added: readonly LoggedCall[],
    dropped: readonly string[],
    ended: readonly string[],
  ): Promise<void>;
  clear(): Promise<void>;
}

export interface CallLogDeps {
  readonly store: CallStore;
  readonly limits: Pick<Limits, 'logCalls' | 'logBytes'>;
  /** Null if open pages cannot be told apart. */
  readonly pages: OpenPages | null;
  /** Called once if the store fails. The log continues in memory. */
  onStorageFailure(message: string): void;
  /** Runs `then` in `ms` milliseconds. */
  after(ms: number, then: () => void): void;
  /** Receives errors thrown by listeners. */
  report(thrown: unknown): void;
}

/**
 * Milliseconds in which further calls are collected into one write. The first call is written at once, since
 * its page may close soon.
 */
const restMs = 250;
/** Limit of pinned runs, so that they leave room for others. */
export const maxPinned = 100;
const nameChars = 100;

interface Entry {
  readonly logged: LoggedCall;
  readonly size: number;
}

/** Calls its listeners whenever an entry is added or the log is loaded or cleared. */
export class CallLog extends Observable<undefined> {
  readonly #deps: CallLogDeps;
  /** The log's entries by id, oldest first. */
  #entries = new Map<string, Entry>();
  /** Ids of calls with an Idempotency-Key, by key. */
  #byKey = new Map<string, string>();
  #loaded: Promise<void> = Promise.resolve();
  #size = 0;
  /** What the next write stores: entries, and the ids of dropped entries and of calls that no longer run. */
  #added: LoggedCall[] = [];
  #dropped: string[] = [];
  #endedIds: string[] = [];
  readonly #running: RunningCalls;
  /** Whether a write is scheduled. */
  #flushing = false;
  /** Whether the last write is so recent that the next one waits for further calls. */
  #resting = false;
  #storeWorks = true;

  constructor(deps: CallLogDeps) {
    super((thrown) => deps.report(thrown));
    this.#deps = deps;
    const { store, pages } = deps;
    this.#running = new RunningCalls({
      store,
      pages,
      forget: (ids) => store.write([], [], ids),
      after: (ms, then) => deps.after(ms, then),
      onFailure: (thrown) => this.#storeFailed(thrown),
    });
  }

  get count(): number {
    return this.#entries.size;
  }

  /** Approximate size of all entries. */
  get bytes(): number {
    return this.#size;
  }

  /** Loads calls of earlier visits, and those that other pages have logged since. */
  load(): Promise<void> {
    return (this.#loaded = this.#loaded.then(() => this.#load()));
  }

  /** Resolves when the latest {@link load} has finished. */
  get loaded(): Promise<void> {
    return this.#loaded;
  }

  async #load(): Promise<void> {
    const stored: LoggedCall[] = [];
    await this.#try(() => this.#deps.store.load((logged) => stored.push(logged)));
    // Pages store calls in batches, which may overlap in time.
    stored.sort((a, b) => a.at - b.at);
    const since = this.#entries;
    this.#entries = new Map();
    this.#byKey = new Map();
    this.#size = 0;
    for (const logged of stored) this.#store(logged);
    for (const { logged } of since.values()) this.#store(logged);
    await this.#try(async () => {
      for (const crashed of await this.#running.crashed()) {
        // The call may have ended and been logged just before its page closed.
        if (!this.#entries.has(crashed.id)) this.add(crashed);
        this.#endedIds.push(crashed.id);
      }
    });
    if (this.#endedIds.length > 0) this.#flushSoon();
    if (this.#dropped.length > 0) this.#flushSoon();
    this.emit(undefined);
  }

  /** Adds an ended call, and writes it later. */
  add(ended: LoggedCall): void {
    const logged = shortenCall(ended);
    if (this.#running.end(ended.id)) this.#endedIds.push(ended.id);
    this.#store(logged);
    this.#added.push(logged);
    this.#flushSoon();
    this.emit(undefined);
  }

  /** Starts the entry of a call. @param code the open folder and the tool's file; they may be others when the call ends */
  beginEntry(
    call: ToolCall,
    at: number,
    code: Pick<LoggedCall, 'folder' | 'folderId' | 'fileHash'>,
  ): Beginning {
    const begun = { ...code, id: call.id, at, call };
    return {
      // The call is logged as crashed if the page closes before it ends.
      accepted: this.#storeWorks ? this.#running.begin(begun) : null,
      approving: (approval) => this.#running.approving(call.id, approval),
      end: (result, endedAt, args) => {
        const asRun = args === call.arguments ? call : { ...call, arguments: args };
        this.add({ ...begun, call: asRun, at: endedAt, result, cut: false });
      },
    };
  }

  get(id: string): LoggedCall | undefined {
    return this.#entries.get(id)?.logged;
  }

  /** Names or pins a run. @returns false if there are too many pinned runs, or no such run */
  mark(id: string, { name, pinned, at }: RunMark): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    const { mark, ...logged } = entry.logged;
    if (pinned && mark?.pinned !== true && this.pinned().length >= maxPinned) return false;
    const marked = {
      ...logged,
      mark: { name: name.trim().slice(0, nameChars).toWellFormed(), pinned, at },
    };
    this.#entries.set(id, { ...entry, logged: marked });
    this.#added.push(marked);
    this.#flushSoon();
    this.emit(undefined);
    return true;
  }

  /** Returns the pinned runs, newest first. */
  pinned(): LoggedCall[] {
    return this.#newestFirst().filter(isPinned);
  }

  /** Returns the latest call made with this Idempotency-Key. */
  keyed(key: string): LoggedCall | undefined {
    return this.get(this.#byKey.get(key) ?? '');
  }

  /** Returns the latest calls, newest first. */
  recent(max: number): LoggedCall[] {
    return this.#newestFirst().slice(0, Math.max(0, max));
  }

  /** Deletes all runs except the pinned ones, or all if only pinned ones are left. */
  async clear(): Promise<void> {
    const pinned = this.pinned().reverse();
    const kept = pinned.length < this.#entries.size ? pinned : [];
    this.#entries.clear();
    this.#byKey.clear();
    this.#size = 0;
    this.#dropped = [];
    for (const logged of kept) this.#store(logged);
    this.#added = kept;
    this.emit(undefined);
    await this.#try(() => this.#deps.store.clear());
    await this.flush();
  }

  /** Writes pending entries. Called when the page closes. */
  async flush(): Promise<void> {
    const added = this.#added;
    const dropped = this.#dropped;
    const ended = this.#endedIds;
    if (added.length === 0 && dropped.length === 0 && ended.length === 0) return;
    this.#added = [];
    this.#dropped = [];
    this.#endedIds = [];
    // Entries that were dropped between two writes need not be written, and an entry that was
    // changed several times is written once.
    const kept = new Set(added.map(({ id }) => this.get(id)).filter((one) => one !== undefined));
    await this.#try(() => this.#deps.store.write([...kept], dropped, ended));
  }

  #newestFirst(): LoggedCall[] {
    return Array.from(this.#entries.values(), ({ logged }) => logged).reverse();
  }

  #store(logged: LoggedCall): void {
    // Another page may have marked the call since.
    if ((this.get(logged.id)?.mark?.at ?? 0) > (logged.mark?.at ?? 0)) return;
    this.#forget(logged.id);
    const size = sizeOf(logged);
    this.#entries.set(logged.id, { logged, size });
    const key = logged.call.rejoin?.key;
    if (key !== undefined) this.#byKey.set(key, logged.id);
    this.#size += size;
    this.#dropOldest((one) => !isPinned(one));
    this.#dropOldest(() => true);
  }

  /** Drops the oldest of some entries until the log is within its limits. */
  #dropOldest(mayDrop: (logged: LoggedCall) => boolean): void {
    const { logCalls, logBytes } = this.#deps.limits;
    for (const [id, { logged }] of this.#entries) {
      // @mutant the log is bounded => without if (this.#entries.size <= logCalls && this.#size <= logBytes)
      if (this.#entries.size <= logCalls && this.#size <= logBytes) return;
      if (!mayDrop(logged)) continue;
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

function isPinned({ mark }: LoggedCall): boolean {
  return mark?.pinned === true;
}
