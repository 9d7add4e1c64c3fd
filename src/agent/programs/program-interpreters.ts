/**
 * The interpreters of programs. They have the packages of the open folder, but none of its files and settings: with the
 * files, a program could call a tool's function past its approval.
 */

import { InterpreterSlot } from '../../runtime/sandbox/interpreter-slot.ts';
import type { PristinePython } from '../../runtime/sandbox/interpreter.ts';
import { Semaphore, wait } from '../../runtime/async/wait.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import { runPython } from '../../runtime/spec/tool.ts';
import type { FolderSnapshot } from '../../runtime/spec/folder.ts';
import type { Limits } from '../../runtime/spec/limits.ts';
import type { InterpreterView } from '../../runtime/spec/interpreter.ts';
import type { ProgramOwner } from './nested-calls.ts';
import { programLimits } from './program-limits.ts';

export interface ProgramInterpretersDeps {
  /** Starts an interpreter with the packages of the open folder. @throws {ToolError} */
  readonly take: (signal: AbortSignal) => Promise<PristinePython>;
  /** The interpreters of the open folder, which are others once it is opened again; null if none is open. */
  readonly current: () => object | null;
  readonly after: (ms: number, then: () => void) => () => void;
  readonly limits: Limits;
  /** Called when an interpreter starts, ends, or begins or ends a program. */
  readonly onChange: () => void;
}

interface Kept {
  readonly session: string;
  readonly slot: InterpreterSlot;
  /** The folder's interpreters at the start. */
  readonly of: object;
  busy: boolean;
  cancelIdle: () => void;
}

const noFiles: FolderSnapshot = {
  id: 'programs',
  name: 'program',
  files: [],
  folders: [],
  problems: [],
};

export class ProgramInterpreters {
  readonly #deps: ProgramInterpretersDeps;
  /** The interpreters by their keys, the last used one last. */
  readonly #kept = new Map<string, Kept>();
  readonly #turns = new Semaphore(programLimits.atOnce, programLimits.waiting);
  /** The ends of the last programs, by key. */
  readonly #last = new Map<string, Promise<void>>();

  constructor(deps: ProgramInterpretersDeps) {
    this.#deps = deps;
  }

  /**
   * Runs work in the interpreter of this owner, once those before it are over.
   * @param isUsable whether the interpreter of an earlier program can be used again
   * @throws {ToolError} if no interpreter starts, or the signal aborts before
   */
  async use<T>(
    signal: AbortSignal,
    owner: Pick<ProgramOwner, 'key' | 'session'>,
    isUsable: (slot: InterpreterSlot) => Promise<boolean>,
    work: (slot: InterpreterSlot) => Promise<T>,
  ): Promise<T> {
    const { key } = owner;
    const before = this.#last.get(key) ?? Promise.resolve();
    // A program that is cancelled while it waits does not wait for the one before it, and later ones still do.
    const result = wait(signal, before).then(() => this.#inTurn(signal, owner, isUsable, work));
    const end = Promise.allSettled([before, result]).then(() => undefined);
    this.#last.set(key, end);
    try {
      return await result;
    } finally {
      if (this.#last.get(key) === end) this.#last.delete(key);
    }
  }

  list(): readonly InterpreterView[] {
    return [...this.#kept.values()].map(({ slot, session, busy }) => ({
      name: slot.python.name,
      role: 'program',
      sessionId: session,
      state: busy ? 'busy' : 'ready',
      busyWith: busy ? [runPython] : [],
      waiting: 0,
      stateLost: false,
    }));
  }

  /** Ends the interpreters that no program uses. */
  endIdle(): void {
    for (const [key, { busy }] of [...this.#kept]) if (!busy) this.#end(key);
  }

  async #inTurn<T>(
    signal: AbortSignal,
    owner: Pick<ProgramOwner, 'key' | 'session'>,
    isUsable: (slot: InterpreterSlot) => Promise<boolean>,
    work: (slot: InterpreterSlot) => Promise<T>,
  ): Promise<T> {
    const { key } = owner;
    const giveBack = await this.#turns.take(signal);
    if (giveBack === null) throw new ToolError('limit', 'Too many programs wait to run.');
    try {
      const kept = await this.#obtain(signal, owner, isUsable);
      kept.busy = true;
      this.#deps.onChange();
      kept.cancelIdle();
      try {
        return await work(kept.slot);
      } finally {
        kept.busy = false;
        if (kept.slot.canStart) this.#endWhenIdle(key, kept);
        else this.#end(key);
        this.#deps.onChange();
      }
    } finally {
      giveBack();
    }
  }

  async #obtain(
    signal: AbortSignal,
    { key, session }: Pick<ProgramOwner, 'key' | 'session'>,
    isUsable: (slot: InterpreterSlot) => Promise<boolean>,
  ): Promise<Kept> {
    const of = this.#deps.current();
    if (of === null) throw new ToolError('no-folder', 'No tools folder is open');
    const known = this.#kept.get(key);
    if (known?.of === of && known.slot.canStart) {
      known.busy = true;
      this.#kept.delete(key);
      this.#kept.set(key, known);
      if (await isUsable(known.slot)) return known;
    }
    this.#end(key);
    for (const [other, { busy }] of [...this.#kept])
      if (!busy && this.#kept.size >= programLimits.atOnce) this.#end(other);
    const slot = await this.#start(signal);
    const kept = { slot, session, of, busy: true, cancelIdle: () => undefined };
    this.#kept.set(key, kept);
    return kept;
  }

  async #start(signal: AbortSignal): Promise<InterpreterSlot> {
    const python = await this.#deps.take(signal);
    // A program may wait for its calls as long as it may run, without any output.
    const limits = { ...this.#deps.limits, idleMs: Infinity };
    try {
      await python.openFolder(signal, noFiles, limits);
    } catch (thrown) {
      python.dispose();
      throw thrown;
    }
    // No queue waits for this slot, and the results of programs do not report lost state.
    const never = (): boolean => false;
    return new InterpreterSlot(python, {
      limits,
      stateLost: never,
      isStopped: never,
      onChange: () => undefined,
    });
  }

  #endWhenIdle(key: string, kept: Kept): void {
    kept.cancelIdle = this.#deps.after(programLimits.idleMs, () => {
      if (this.#kept.get(key) === kept && !kept.busy) this.#end(key);
    });
  }

  #end(key: string): void {
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    kept?.cancelIdle();
    kept?.slot.dispose();
    if (kept !== undefined) this.#deps.onChange();
  }
}
