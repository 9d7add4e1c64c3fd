/**
 * Additional interpreters ("helpers") for `stateless` calls. Each helper serves one session; sessions take
 * turns in getting one.
 */

import type { InterpreterView } from '../spec/interpreter.ts';
import type { Limits } from '../spec/limits.ts';
import type { FolderPython } from './interpreter.ts';
import { type CallJob, InterpreterSlot } from './interpreter-slot.ts';

export interface HelpersDeps {
  readonly limits: Limits;
  /** The highest number of helpers at once. */
  readonly max: number;
  /** Whether the allocator has an interpreter that no session needs. */
  hasRoom(): boolean;
  /** @throws {ToolError} */
  obtain(signal: AbortSignal): Promise<FolderPython>;
  writeOff(python: FolderPython): void;
  /** Returns the next queued stateless call: of this session, or fairly chosen among all sessions if null. */
  next(sessionId: string | null): CallJob | null;
  hasNext(): boolean;
  onChange(): void;
}

interface Helper {
  readonly slot: InterpreterSlot;
  /**
   * The session whose calls it runs; null before the first call. Helpers are not shared, so that no session
   * sees what another one's calls left behind.
   */
  sessionId: string | null;
  idleSince: number;
}

/** Pause in milliseconds after a failed start. Meanwhile the calls run in their sessions' own interpreters. */
const afterFailureMs = 30_000;

export class Helpers {
  readonly #deps: HelpersDeps;
  readonly #life = new AbortController();
  readonly #helpers = new Set<Helper>();
  #obtaining = false;
  #pausedUntil = 0;

  constructor(deps: HelpersDeps) {
    this.#deps = deps;
  }

  get isIdle(): boolean {
    for (const { slot } of this.#helpers) if (!slot.free) return false;
    return !this.#obtaining;
  }

  /** Gives queued calls to idle helpers, and starts another helper if there is room for one. */
  serve(): void {
    if (this.#life.signal.aborted) return;
    for (const helper of this.#helpers) {
      if (!helper.slot.python.alive) this.#drop(helper);
      else if (helper.slot.open && helper.slot.free) this.#assign(helper);
    }
    const now = performance.now();
    if (this.#obtaining || now < this.#pausedUntil || !this.#deps.hasNext()) return;
    // A helper that is idle at this point has no queued calls of its session, so another session may have its place.
    if (!this.#mayGrow) this.reclaim(now);
    if (this.#mayGrow) void this.#grow();
  }

  /** Ends the helper that has been idle longest, if it has been idle since `before`. @returns whether one was ended */
  reclaim(before: number): boolean {
    let found: Helper | null = null;
    for (const helper of this.#helpers) {
      if (!helper.slot.free || helper.idleSince > before) continue;
      if (found === null || helper.idleSince < found.idleSince) found = helper;
    }
    if (found === null) return false;
    found.slot.dispose();
    this.#drop(found);
    return true;
  }

  /** Ends each helper after its current call, because files have changed. Helpers hold no state worth updating. */
  retire(): void {
    for (const { slot } of this.#helpers) slot.retire();
  }

  endSession(sessionId: string): void {
    for (const helper of this.#helpers) {
      if (helper.sessionId !== sessionId) continue;
      helper.slot.dispose();
      this.#drop(helper);
    }
  }

  dispose(): void {
    this.#life.abort();
    for (const { slot } of this.#helpers) slot.dispose();
  }

  views(): InterpreterView[] {
    return Array.from(this.#helpers, ({ slot: { python, free, open, busyWith } }) => ({
      name: python.name,
      role: 'helper',
      sessionId: '',
      state: free ? 'ready' : open ? 'busy' : 'ending',
      busyWith,
      waiting: 0,
      stateLost: false,
    }));
  }

  get #mayGrow(): boolean {
    return this.#helpers.size < this.#deps.max && this.#deps.hasRoom();
  }

  #assign(helper: Helper): void {
    const job = this.#deps.next(helper.sessionId);
    if (job === null) return;
    helper.sessionId = job.call.sessionId;
    void helper.slot.run(job, { overlaps: false }).then(() => {
      helper.idleSince = performance.now();
    });
  }

  async #grow(): Promise<void> {
    this.#obtaining = true;
    try {
      const python = await this.#deps.obtain(this.#life.signal);
      if (this.#life.signal.aborted) python.dispose();
      else this.#add(python);
    } catch {
      // Without the pause, another start would fail again at once, endlessly.
      this.#pausedUntil = performance.now() + afterFailureMs;
    }
    this.#obtaining = false;
    this.serve();
    this.#deps.onChange();
  }

  #add(python: FolderPython): void {
    const slot = new InterpreterSlot(python, {
      limits: this.#deps.limits,
      // Helpers keep no state between calls, so none can be lost.
      stateLost: () => false,
      isStopped: () => this.#life.signal.aborted,
      onChange: () => {
        this.serve();
        this.#deps.onChange();
      },
    });
    this.#helpers.add({ slot, sessionId: null, idleSince: performance.now() });
  }

  #drop(helper: Helper): void {
    if (this.#helpers.delete(helper)) this.#deps.writeOff(helper.slot.python);
  }
}
