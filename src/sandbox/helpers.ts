/** Further interpreters for `stateless` calls of a session: each serves one session, and they fall to the sessions in turn. */

import type { InterpreterView } from '../spec/interpreter.ts';
import type { Limits } from '../spec/limits.ts';
import type { FolderPython } from './interpreter.ts';
import type { CallJob } from './jobs.ts';
import { InterpreterSlot } from './interpreter-slot.ts';

export interface HelpersDeps {
  readonly limits: Limits;
  /** Helpers at once. */
  readonly most: number;
  /** One could be had that nobody else needs. */
  hasRoom(): boolean;
  /** @throws {ToolError} */
  obtain(signal: AbortSignal): Promise<FolderPython>;
  writeOff(python: FolderPython): void;
  /** The next stateless call that waits: of this session, or where it is null, fairly taken from all. */
  next(sessionId: string | null): CallJob | null;
  hasNext(): boolean;
  onChange(): void;
}

interface Helper {
  readonly slot: InterpreterSlot;
  /** Whose calls it runs: what they leave behind is not for other sessions to meet. Null before the first. */
  sessionId: string | null;
  idleSince: number;
}

/** How long none is started after one could not be; milliseconds. The calls have their sessions' own interpreters. */
const afterFailureMs = 30_000;

export class Helpers {
  readonly #deps: HelpersDeps;
  readonly #life = new AbortController();
  readonly #helpers = new Set<Helper>();
  #obtaining = false;
  #noneBefore = 0;

  constructor(deps: HelpersDeps) {
    this.#deps = deps;
  }

  get isIdle(): boolean {
    for (const { slot } of this.#helpers) if (!slot.free) return false;
    return !this.#obtaining;
  }

  /** Takes calls that wait, as far as there are interpreters for them. */
  go(): void {
    if (this.#life.signal.aborted) return;
    for (const helper of this.#helpers) {
      if (!helper.slot.python.alive) this.#drop(helper);
      else if (helper.slot.open && helper.slot.free) this.#give(helper);
    }
    const now = performance.now();
    if (this.#obtaining || now < this.#noneBefore || !this.#deps.hasNext()) return;
    // One that is idle now has done what there was of its own session: it makes room for another one's.
    if (!this.#mayGrow) this.reclaim(now);
    if (this.#mayGrow) void this.#grow();
  }

  /** Ends the one that has been idle for longest, if there is one idle since before. */
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

  /** Files have changed: helpers keep nothing that is worth changing. They end with the calls that run in them. */
  retire(): void {
    for (const { slot } of this.#helpers) slot.retire();
  }

  /** The session is over, and whatever runs for it. */
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
    return this.#helpers.size < this.#deps.most && this.#deps.hasRoom();
  }

  #give(helper: Helper): void {
    const job = this.#deps.next(helper.sessionId);
    if (job === null) return;
    helper.sessionId = job.call.sessionId;
    void helper.slot.run(job, false).then(() => {
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
      // It would fail again, at once and for ever.
      this.#noneBefore = performance.now() + afterFailureMs;
    }
    this.#obtaining = false;
    this.go();
    this.#deps.onChange();
  }

  #add(python: FolderPython): void {
    const slot = new InterpreterSlot(python, {
      limits: this.#deps.limits,
      // They keep nothing between calls, so there is nothing to lose.
      stateLost: () => false,
      isStopped: () => this.#life.signal.aborted,
      onChange: () => {
        this.go();
        this.#deps.onChange();
      },
    });
    this.#helpers.add({ slot, sessionId: null, idleSince: performance.now() });
  }

  #drop(helper: Helper): void {
    if (this.#helpers.delete(helper)) this.#deps.writeOff(helper.slot.python);
  }
}
