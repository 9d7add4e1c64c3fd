/** Further interpreters for `stateless` calls, which may run anywhere: they take what waits, session after session. */

import type { InterpreterView } from '../spec/interpreter.ts';
import type { Limits } from '../spec/limits.ts';
import type { FolderPython } from './folder-python.ts';
import type { CallJob } from './job.ts';
import { Seat } from './seat.ts';

export interface HelperHands {
  readonly limits: Limits;
  /** Helpers at once. */
  readonly most: number;
  /** One could be had that nobody else needs. */
  hasRoom(): boolean;
  /** @throws {ToolError} */
  obtain(signal: AbortSignal): Promise<FolderPython>;
  writeOff(python: FolderPython): void;
  /** The next stateless call that waits, fairly taken from the sessions. */
  next(): CallJob | null;
  hasNext(): boolean;
  onChange(): void;
}

interface Helper {
  readonly seat: Seat;
  idleSince: number;
}

export class Helpers {
  readonly #hands: HelperHands;
  readonly #life = new AbortController();
  readonly #helpers = new Set<Helper>();
  #obtaining = 0;

  constructor(hands: HelperHands) {
    this.#hands = hands;
  }

  get isIdle(): boolean {
    for (const { seat } of this.#helpers) if (!seat.free) return false;
    return this.#obtaining === 0;
  }

  /** Takes calls that wait, as far as there are interpreters for them. */
  go(): void {
    if (this.#life.signal.aborted) return;
    for (const helper of this.#helpers) {
      if (!helper.seat.open) this.#drop(helper);
      else if (helper.seat.free) this.#give(helper);
    }
    const { most } = this.#hands;
    const mayGrow = this.#obtaining === 0 && this.#helpers.size < most;
    if (mayGrow && this.#hands.hasNext() && this.#hands.hasRoom()) void this.#grow();
  }

  /** Ends the one that has been idle for longest, if there is one idle since before. */
  reclaim(before: number): boolean {
    let found: Helper | null = null;
    for (const helper of this.#helpers) {
      if (!helper.seat.free || helper.idleSince > before) continue;
      if (found === null || helper.idleSince < found.idleSince) found = helper;
    }
    if (found === null) return false;
    found.seat.dispose();
    this.#drop(found);
    return true;
  }

  /** Files have changed: helpers keep nothing that is worth changing. */
  retire(): void {
    for (const helper of this.#helpers) {
      helper.seat.retire();
      this.#drop(helper);
    }
  }

  dispose(): void {
    this.#life.abort();
    for (const { seat } of this.#helpers) seat.dispose();
  }

  views(): InterpreterView[] {
    return Array.from(this.#helpers, ({ seat: { python, free, busyWith } }) => ({
      name: python.name,
      role: 'helper',
      sessionId: '',
      state: free ? 'ready' : 'busy',
      busyWith,
      waiting: 0,
      stateLost: false,
    }));
  }

  #give(helper: Helper): void {
    const job = this.#hands.next();
    if (job === null) return;
    void helper.seat.run(job, false).then(() => {
      helper.idleSince = performance.now();
    });
  }

  async #grow(): Promise<void> {
    this.#obtaining += 1;
    try {
      const python = await this.#hands.obtain(this.#life.signal);
      if (this.#life.signal.aborted) python.dispose();
      else this.#add(python);
    } catch {
      // The calls go on waiting for their sessions' own interpreters.
    }
    this.#obtaining -= 1;
    this.go();
    this.#hands.onChange();
  }

  #add(python: FolderPython): void {
    const seat = new Seat(python, {
      limits: this.#hands.limits,
      // They keep nothing between calls, so there is nothing to lose.
      stateLost: () => false,
      isStopped: () => this.#life.signal.aborted,
      onChange: () => {
        this.go();
        this.#hands.onChange();
      },
    });
    this.#helpers.add({ seat, idleSince: performance.now() });
  }

  #drop(helper: Helper): void {
    if (this.#helpers.delete(helper)) this.#hands.writeOff(helper.seat.python);
  }
}
