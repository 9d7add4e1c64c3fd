/**
 * Counts all interpreters of a folder, assigns them in order of request, and keeps one spare ready: an interpreter with the
 * folder's files, for whoever asks next.
 */

import { ToolError } from '../spec/error.ts';
import type { InterpreterView } from '../spec/interpreter.ts';
import type { FolderPython } from './interpreter.ts';

export interface ForSpare {
  /** Whether no caller is waiting for the interpreter. */
  readonly spare: boolean;
}

export interface InterpreterAllocatorDeps {
  /**
   * Starts an interpreter with the folder's files. @throws {ToolError}
   */
  start(signal: AbortSignal, options: ForSpare): Promise<FolderPython>;
  /**
   * Copies files that have changed since the interpreter got them.
   * @throws {ToolError}; the interpreter must not be used afterwards
   */
  bringUpToDate(signal: AbortSignal, python: FolderPython): Promise<void>;
  readonly capacity: Capacity;
  /** Ends an interpreter that is not needed now. @returns false if there is none */
  reclaim(): boolean;
  /** Whether the folder's files are being imported, which the user is waiting for. */
  readonly isScanning: () => boolean;
  /** Number of interpreters that run calls. */
  readonly busy: () => number;
  onChange(): void;
}

/** Milliseconds before the first spare is started: the scan and its list, which the user waits for, come first. */
const spareMs = 100;
/** Milliseconds before each later spare is started: the call that took the previous one comes first. */
const nextSpareMs = 25;
/** Milliseconds between two checks whether a core is free, and the longest delay in total. */
const busyMs = 50;
const longestBusyMs = 5_000;

interface Waiting {
  readonly resolve: (python: FolderPython) => void;
  readonly reject: (thrown: unknown) => void;
}

export class InterpreterAllocator {
  readonly #deps: InterpreterAllocatorDeps;
  readonly #life = new AbortController();
  /** All interpreters that the limit of interpreters counts. */
  readonly #counted = new Set<FolderPython>();
  readonly #waiting: Waiting[] = [];
  #spare: FolderPython | null = null;
  #starting = 0;
  #spareTimer: ReturnType<typeof setTimeout> | undefined;
  /** Whether another spare may be started; not after a failed start, until the next request. */
  #spareWanted = true;
  /** Whether a spare has been started before. */
  #hadSpare = false;
  /** Whether no spare is started until {@link wake} or the next request. */
  #isResting = false;

  constructor(deps: InterpreterAllocatorDeps) {
    this.#deps = deps;
  }

  /**
   * Describes the spare and the starting interpreters.
   * @param reported how many starting interpreters other views already show
   */
  views(reported: number): InterpreterView[] {
    const free = {
      role: 'spare',
      sessionId: '',
      busyWith: [],
      waiting: 0,
      stateLost: false,
    } as const;
    const starting = { ...free, name: '', state: 'starting' } as const;
    const rest = Math.max(0, this.#starting - reported);
    return [
      ...(this.#spare === null
        ? []
        : [{ ...free, name: this.#spare.name, state: 'ready' } as const]),
      ...Array.from({ length: rest }, () => starting),
    ];
  }

  /** Resolves with an interpreter, in order of request. Waits while all are in use. @throws {ToolError} */
  obtain(signal: AbortSignal): Promise<FolderPython> {
    return new Promise((resolve, reject) => {
      const either = AbortSignal.any([signal, this.#life.signal]);
      const giveUp = (): void => {
        const at = this.#waiting.indexOf(waiting);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(new ToolError('aborted', 'Waiting for Python was cancelled'));
      };
      const waiting: Waiting = {
        resolve: (python) => {
          either.removeEventListener('abort', giveUp);
          resolve(python);
        },
        reject: (thrown) => {
          either.removeEventListener('abort', giveUp);
          reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
        },
      };
      if (either.aborted) {
        giveUp();
        return;
      }
      either.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(waiting);
      this.#spareWanted = true;
      this.#isResting = false;
      this.serve();
    });
  }

  /** Ends the spare, to free its memory, and starts none until {@link wake} or the next request. */
  rest(): void {
    this.#isResting = true;
    clearTimeout(this.#spareTimer);
    this.#spareTimer = undefined;
    this.#spare?.dispose();
  }

  /** Ends a {@link rest}. */
  wake(): void {
    if (!this.#isResting) return;
    this.#isResting = false;
    this.serve();
  }

  get isWaitedFor(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether an interpreter is available without taking one from a session or helper. */
  get hasRoom(): boolean {
    return this.#waiting.length === 0 && (this.#spare !== null || !this.#isFull);
  }

  /** Stops counting an interpreter, although it may still be running its last calls. */
  writeOff(python: FolderPython): void {
    if (this.#counted.delete(python)) this.serve();
  }

  /** Assigns and starts interpreters as far as possible. Call it whenever one may have become idle. */
  serve(): void {
    if (this.#life.signal.aborted) return;
    while (this.#spare !== null && this.#waiting.length > 0) {
      const spare = this.#spare;
      this.#spare = null;
      // The spare died together with the interpreter that it was to replace, but its `ended` has
      // not resolved yet.
      if (!spare.alive) spare.dispose();
      else this.#waiting.shift()?.resolve(spare);
    }
    while (this.#waiting.length > this.#starting) {
      if (this.#starting >= this.#deps.capacity.starts) break;
      if (this.#isFull && !this.#deps.reclaim()) break;
      // A reclaimed interpreter may still count for a moment.
      if (this.#isFull) break;
      void this.#start({ spare: false });
    }
    this.#scheduleSpare();
    this.#deps.onChange();
  }

  /** Updates the spare after files have changed. Until that is done it is not assigned, and counts as starting. */
  update(): void {
    void this.#prepareSpare((spare) => this.#deps.bringUpToDate(this.#life.signal, spare));
  }

  dispose(): void {
    this.#life.abort();
    clearTimeout(this.#spareTimer);
    for (const python of this.#counted) python.dispose();
    this.#spare = null;
  }

  get #isFull(): boolean {
    return this.#counted.size + this.#starting >= this.#deps.capacity.max;
  }

  get #wantsSpare(): boolean {
    return (
      this.#deps.capacity.keepsSpare &&
      !this.#isResting &&
      this.#spareWanted &&
      this.#spare === null &&
      // Calls are waiting for all interpreters that are starting.
      this.#starting <= this.#waiting.length &&
      // The user waits for the first interpreter, so no spare starts beside it.
      (this.#counted.size > 0 || this.#hadSpare) &&
      !this.#isFull
    );
  }

  /** Whether another start would take processor time from running calls, or from other starts. */
  get #isBusy(): boolean {
    return this.#deps.busy() + this.#starting >= this.#deps.capacity.cores;
  }

  #scheduleSpare(): void {
    if (this.#spareTimer !== undefined || !this.#wantsSpare) return;
    const ms = this.#hadSpare ? nextSpareMs : spareMs;
    this.#startSpareIn(ms, performance.now() + longestBusyMs);
  }

  #startSpareIn(ms: number, latest: number): void {
    this.#spareTimer = setTimeout(() => {
      this.#spareTimer = undefined;
      if (!this.#wantsSpare) return;
      if (this.#deps.isScanning()) this.#startSpareIn(busyMs, performance.now() + longestBusyMs);
      else if (this.#isBusy && performance.now() < latest) this.#startSpareIn(busyMs, latest);
      else void this.#start({ spare: true });
    }, ms);
  }

  async #start({ spare }: ForSpare): Promise<void> {
    const { signal } = this.#life;
    this.#starting += 1;
    this.#deps.onChange();
    let python: FolderPython | null = null;
    let failed: { thrown: unknown } | null = null;
    try {
      python = await this.#deps.start(signal, { spare });
    } catch (thrown) {
      failed = { thrown };
    }
    this.#starting -= 1;
    if (python !== null) {
      if (spare) this.#hadSpare = true;
      this.#forgetAtEnd(python);
      this.#keepSpare(python);
    } else if (failed !== null) {
      // A failed spare is not started again until the next request, which prevents an endless loop. Callers
      // that began to wait meanwhile get a start of their own.
      this.#spareWanted = false;
      if (!spare) this.#waiting.shift()?.reject(failed.thrown);
    }
    this.serve();
  }

  /** Withholds the spare until it is prepared. Ends it if that fails. */
  async #prepareSpare(prepare: (spare: FolderPython) => Promise<void>): Promise<void> {
    const spare = this.#spare;
    if (spare === null) return;
    this.#spare = null;
    this.#counted.delete(spare);
    this.#starting += 1;
    this.#deps.onChange();
    const isPrepared = await prepare(spare).then(
      () => true,
      () => false,
    );
    this.#starting -= 1;
    if (isPrepared) this.#keepSpare(spare);
    else spare.dispose();
    this.serve();
  }

  /** Stores an interpreter as the spare, or ends it if there is a spare already, or none is wanted. */
  #keepSpare(python: FolderPython): void {
    if (this.#life.signal.aborted || !python.alive || this.#spare?.alive || this.#isResting) {
      python.dispose();
      return;
    }
    this.#counted.add(python);
    this.#spare = python;
  }

  #forgetAtEnd(python: FolderPython): void {
    void python.ended.then(({ reason }) => {
      if (this.#spare === python) this.#spare = null;
      this.#counted.delete(python);
      // If the browser's process has died, the spare may have died with it without notice.
      if (reason === 'crashed')
        void this.#prepareSpare((spare) => spare.respond(this.#life.signal));
      this.serve();
    });
  }
}

export interface Device {
  /** Gigabytes, rounded down and capped by the browser; absent if the browser does not report it. */
  readonly deviceMemory?: number;
  readonly hardwareConcurrency?: number;
}

export interface Capacity {
  readonly cores: number;
  /** The highest number of interpreters at once: those of sessions, helpers, the spare and starting ones. */
  readonly max: number;
  /** The highest number of starts at once. A start keeps a core busy, and running calls come first. */
  readonly starts: number;
  /** The highest number of helpers for `stateless` calls at once. */
  readonly helpers: number;
  /** Whether an interpreter is kept ready for the next session. */
  readonly keepsSpare: boolean;
}

/** Interpreters per gigabyte of memory. One takes about 100 MB, and up to 500 MB at its limit. */
const perGigabyte = 2;
/** Gigabytes and cores to assume if the browser does not report them. */
const assumed = { memory: 4, cores: 2 };
const least = 3;

/** @param options.sparing for a page that needs its memory for other things: the fewest interpreters that work, and no spare */
export function capacityOf(
  { deviceMemory, hardwareConcurrency }: Device,
  { sparing = false } = {},
): Capacity {
  const memory = deviceMemory ?? assumed.memory;
  const cores = Math.max(1, hardwareConcurrency ?? assumed.cores);
  // An idle interpreter costs only memory, but more than a few busy ones per core slow each other down.
  const wished = Math.min(Math.floor(memory * perGigabyte), 8 + 2 * cores);
  const max = sparing ? least : Math.max(least, wished);
  return {
    cores,
    max,
    starts: Math.max(1, Math.floor(cores / 2)),
    helpers: Math.max(1, Math.min(cores - 1, max - 2)),
    keepsSpare: !sparing,
  };
}
