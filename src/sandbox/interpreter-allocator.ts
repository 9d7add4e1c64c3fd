/** All interpreters of one folder, counted: gives them out in order of arrival, and keeps one warm ahead of its need. */

import { ToolError } from '../spec/error.ts';
import type { InterpreterView } from '../spec/interpreter.ts';
import type { FolderPython } from './interpreter.ts';

export interface InterpreterAllocatorDeps {
  /** A new interpreter with the folder's files. `spare`: nobody waits for it. @throws {ToolError} */
  start(signal: AbortSignal, spare: boolean): Promise<FolderPython>;
  /** Hands over the files that have changed since it was given them. @throws {ToolError} and is of no use any more */
  keepUp(signal: AbortSignal, python: FolderPython): Promise<void>;
  readonly capacity: Capacity;
  /** Ends one that nobody needs now. @returns false where there is none */
  reclaim(): boolean;
  /** The folder's files are being imported, which somebody waits for. */
  readonly isScanning: () => boolean;
  /** A start would take the processor from calls under way. */
  readonly isBusy: () => boolean;
  onChange(): void;
}

/** How long a spare is put off: at first, so that what the folder was opened for comes first; milliseconds. */
const firstSpareMs = 2_500;
/** After one was taken: the call that took it comes first; milliseconds. */
const nextSpareMs = 100;
/** How much longer where all cores are at work: between two looks, and at most; milliseconds. */
const busyMs = 250;
const longestBusyMs = 5_000;

interface Waiting {
  readonly resolve: (python: FolderPython) => void;
  readonly reject: (thrown: unknown) => void;
}

export class InterpreterAllocator {
  readonly #deps: InterpreterAllocatorDeps;
  readonly #life = new AbortController();
  readonly #counted = new Set<FolderPython>();
  readonly #waiting: Waiting[] = [];
  #spare: FolderPython | null = null;
  #starting = 0;
  #spareTimer: ReturnType<typeof setTimeout> | undefined;
  #spareWanted = true;
  /** There was one that nobody waited for. */
  #hadSpare = false;

  constructor(deps: InterpreterAllocatorDeps) {
    this.#deps = deps;
  }

  /** The spare, and interpreters that are being started, but for so many that are told of elsewhere. */
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

  /** An interpreter for whoever comes first; waits while all are taken. @throws {ToolError} */
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
      this.serve();
    });
  }

  /** Somebody waits for an interpreter. */
  get isWaitedFor(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether one could be had without taking it from anybody. */
  get hasRoom(): boolean {
    return this.#waiting.length === 0 && (this.#spare !== null || !this.#isFull);
  }

  /** It does not count any more, though it may still be waited for. */
  writeOff(python: FolderPython): void {
    if (this.#counted.delete(python)) this.serve();
  }

  /** Gives out and starts what can be; to be told when something has become idle. */
  serve(): void {
    if (this.#life.signal.aborted) return;
    while (this.#spare !== null && this.#waiting.length > 0) {
      const spare = this.#spare;
      this.#spare = null;
      // Lost together with the one that it was to replace, but not told of yet.
      if (!spare.alive) spare.dispose();
      else this.#waiting.shift()?.resolve(spare);
    }
    while (this.#waiting.length > this.#starting) {
      if (this.#starting >= this.#deps.capacity.starts) break;
      if (this.#isFull && !this.#deps.reclaim()) break;
      // What was reclaimed is written off a moment later.
      if (this.#isFull) break;
      void this.#start(false);
    }
    this.#arrangeSpare();
    this.#deps.onChange();
  }

  /** Files have changed: the spare is given them, as one that starts; till then it is given to nobody. */
  update(): void {
    const spare = this.#spare;
    if (spare === null) return;
    this.#spare = null;
    this.#counted.delete(spare);
    void this.#bringUp(spare);
  }

  dispose(): void {
    this.#life.abort();
    clearTimeout(this.#spareTimer);
    for (const python of this.#counted) python.dispose();
    this.#spare = null;
  }

  get #isFull(): boolean {
    return this.#counted.size + this.#starting >= this.#deps.capacity.most;
  }

  get #wantsSpare(): boolean {
    return (
      this.#spareWanted &&
      this.#spare === null &&
      this.#starting === 0 &&
      this.#waiting.length === 0 &&
      this.#counted.size > 0 &&
      !this.#isFull
    );
  }

  #arrangeSpare(): void {
    if (this.#spareTimer !== undefined || !this.#wantsSpare) return;
    this.#spareIn(this.#hadSpare ? nextSpareMs : firstSpareMs, performance.now() + longestBusyMs);
  }

  #spareIn(ms: number, latest: number): void {
    this.#spareTimer = setTimeout(() => {
      this.#spareTimer = undefined;
      if (!this.#wantsSpare) return;
      const { isScanning, isBusy } = this.#deps;
      if (isScanning()) this.#spareIn(busyMs, performance.now() + longestBusyMs);
      else if (isBusy() && performance.now() < latest) this.#spareIn(busyMs, latest);
      else void this.#start(true);
    }, ms);
  }

  async #start(spare: boolean): Promise<void> {
    const { signal } = this.#life;
    this.#starting += 1;
    this.#deps.onChange();
    let python: FolderPython | null = null;
    let failed: { thrown: unknown } | null = null;
    try {
      python = await this.#deps.start(signal, spare);
    } catch (thrown) {
      failed = { thrown };
    }
    this.#starting -= 1;
    if (python !== null) {
      this.#hadSpare ||= spare;
      this.#forgetAtEnd(python);
      this.#keep(python);
    } else if (failed !== null) {
      // For a spare alone nobody tries again, or it would never end; who has come to wait meanwhile has a start of their own.
      this.#spareWanted = false;
      if (!spare) this.#waiting.shift()?.reject(failed.thrown);
    }
    this.serve();
  }

  async #bringUp(spare: FolderPython): Promise<void> {
    this.#starting += 1;
    this.#deps.onChange();
    const keepsUp = await this.#deps.keepUp(this.#life.signal, spare).then(
      () => true,
      () => false,
    );
    this.#starting -= 1;
    if (keepsUp) this.#keep(spare);
    else spare.dispose();
    this.serve();
  }

  /** For whoever comes first; where nobody waits any more, one is enough. */
  #keep(python: FolderPython): void {
    if (this.#life.signal.aborted || !python.alive || this.#spare?.alive) {
      python.dispose();
      return;
    }
    this.#counted.add(python);
    this.#spare = python;
  }

  #forgetAtEnd(python: FolderPython): void {
    void python.ended.then(() => {
      if (this.#spare === python) this.#spare = null;
      this.#counted.delete(python);
      this.serve();
    });
  }
}

export interface Device {
  /** Gigabytes, rounded down and capped by the browser; absent where it does not tell. */
  readonly deviceMemory?: number;
  readonly hardwareConcurrency?: number;
}

export interface Capacity {
  readonly cores: number;
  /** Interpreters at once: those of sessions, helpers, the spare, and those that start. */
  readonly most: number;
  /** Starts at once; a start keeps a core busy, and running calls come first. */
  readonly starts: number;
  /** Interpreters that work on `stateless` calls at once, beside those of the sessions. */
  readonly helpers: number;
}

/** Interpreters to a gigabyte: one takes about 100 MB, five times that at its limit. */
const perGigabyte = 2;
/** Where the browser does not tell; gigabytes and cores. */
const assumed = { memory: 4, cores: 2 };
const least = 3;

export function capacityOf({ deviceMemory, hardwareConcurrency }: Device): Capacity {
  const memory = deviceMemory ?? assumed.memory;
  const cores = Math.max(1, hardwareConcurrency ?? assumed.cores);
  // An idle interpreter costs memory alone; but more of them at work than a few to a core only wait for each other.
  const most = Math.max(least, Math.min(Math.floor(memory * perGigabyte), 8 + 2 * cores));
  return {
    cores,
    most,
    starts: Math.max(1, Math.floor(cores / 2)),
    helpers: Math.max(1, Math.min(cores - 1, most - 2)),
  };
}
