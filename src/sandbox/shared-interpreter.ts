/** The one interpreter of an open folder: takes calls and inspections in turn, and replaces itself when it is lost. */

import type { Run, RunWatch } from '../call/run.ts';
import type { OrLost, PythonOutcome } from '../protocol/frame.ts';
import type { ToolCall } from '../spec/call.ts';
import { errorText, ToolError } from '../spec/error.ts';
import type { FolderChanges, FolderSnapshot } from '../spec/folder.ts';
import type { Inspection } from '../spec/inspection.ts';
import type { JsonText } from '../spec/json.ts';
import type { Limits } from '../spec/limits.ts';
import type { ToolResult } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import type { Interpreter, RunningCall } from './interpreter.ts';
import { lossError } from './loss-error.ts';
import { endedBy, toResult, type RunFacts } from './outcome.ts';
import { race } from './race.ts';
import { Turns } from './turns.ts';

/** A started interpreter that belongs to no folder yet. @throws {ToolError} */
export type TakeInterpreter = (signal: AbortSignal) => Promise<Interpreter>;

/** How long a cancelled handler that can end by itself may take to do so; milliseconds. */
const graceMs = 250;

/** Files that Python is given at once: it need not wait for the page between them, and calls get their turn. */
const inspectedInOneTurn = 16;

type Ended = OrLost<PythonOutcome> | 'cancelled' | 'timeout';

export class SharedInterpreter {
  #folder: FolderSnapshot;
  readonly #take: TakeInterpreter;
  readonly #limits: Limits;
  readonly #turns = new Turns();
  readonly #life = new AbortController();
  /** What the next turn gets; null: nothing yet. */
  #current: Promise<Interpreter> | null = null;
  #live: Interpreter | null = null;
  /** The current interpreter has run tool code in a call. */
  #used = false;
  #stateLost = false;
  /** Files whose tools were called in the current interpreter, and those of them that were imported anew since. */
  readonly #ran = new Set<string>();
  readonly #reloaded = new Set<string>();

  constructor(folder: FolderSnapshot, take: TakeInterpreter, limits: Limits) {
    this.#folder = folder;
    this.#take = take;
    this.#limits = limits;
  }

  /** Has an interpreter ready. @throws {ToolError} */
  async ready(): Promise<void> {
    await this.#interpreter();
  }

  /**
   * Imports files and reports on each, in order; an interpreter that does not survive one is replaced for the next.
   * @throws {ToolError}
   */
  async inspect(
    signal: AbortSignal,
    files: readonly string[],
    onReport: (report: Inspection | ToolError) => void,
  ): Promise<void> {
    let rest = files;
    while (rest.length > 0) {
      const some = rest.slice(0, inspectedInOneTurn);
      const ended = await this.#turns.take(signal, () => this.#inspectNow(signal, some, onReport));
      if (ended === null) throw new ToolError('aborted', 'The inspection was cancelled');
      rest = rest.slice(ended);
    }
  }

  readonly run: Run = async (signal, tool, call, watch) => {
    const result = await new Promise<ToolResult | null>((resolve) => {
      void this.#turns
        .take(signal, () => this.#runNow(signal, tool, call, watch, resolve))
        .then((taken) => {
          if (taken === null) resolve(null);
        });
    });
    return result ?? endedBy('cancelled', null, this.#facts(tool, '', 0));
  };

  /** The folder's files are these from now on; what was loaded of the changed ones goes between two calls. */
  update(folder: FolderSnapshot, changes: FolderChanges): void {
    this.#folder = folder;
    void this.#turns.take(this.#life.signal, () => this.#updateNow(folder, changes));
  }

  /** Lets everything that was asked of it end, then ends the interpreter. */
  retire(): void {
    void this.#turns.take(this.#life.signal, () => {
      this.dispose();
      return Promise.resolve();
    });
  }

  /** Ends the interpreter and whatever runs in it. */
  dispose(): void {
    this.#life.abort();
    this.#live?.dispose();
  }

  /** @returns how many of the files are done with; the others are still to be inspected */
  async #inspectNow(
    signal: AbortSignal,
    files: readonly string[],
    onReport: (report: Inspection | ToolError) => void,
  ): Promise<number> {
    const interpreter = this.#live ?? (await this.#started(signal));
    let ended = 0;
    try {
      await interpreter.inspect(signal, files, this.#limits, (inspection) => {
        ended += 1;
        onReport(inspection);
      });
    } catch (thrown) {
      this.#replace(interpreter);
      if (signal.aborted || !(thrown instanceof ToolError)) throw thrown;
      // The first that has not answered is the one that was being imported.
      ended += 1;
      onReport(thrown);
    }
    return ended;
  }

  async #updateNow(folder: FolderSnapshot, changes: FolderChanges): Promise<true> {
    // One that starts meanwhile may have been given the files of before.
    const interpreter = await this.#current?.catch(() => null);
    if (!interpreter) return true;
    try {
      const dropped = await interpreter.updateFiles(
        this.#life.signal,
        folder,
        changes,
        this.#limits,
      );
      for (const file of this.#ran) if (dropped.has(file)) this.#reloaded.add(file);
    } catch {
      this.#replace(interpreter);
    }
    return true;
  }

  /** Tells the caller as soon as the call has ended for it; settles when the next turn may begin. */
  async #runNow(
    signal: AbortSignal,
    tool: RegisteredTool,
    call: ToolCall,
    watch: RunWatch,
    tell: (result: ToolResult) => void,
  ): Promise<true> {
    let interpreter: Interpreter;
    try {
      interpreter = this.#live ?? (await this.#started(signal));
    } catch (thrown) {
      tell(
        endedBy(
          this.#isStopped(signal) ? 'cancelled' : 'crashed',
          null,
          this.#facts(tool, '', 0),
          errorText(thrown),
        ),
      );
      return true;
    }
    watch.onStart();
    this.#used = true;
    this.#ran.add(tool.source.file);
    const from = performance.now();
    const running = interpreter.call(tool, call, contextOf(call), this.#limits, (stream) => {
      watch.onStream(stream);
    });
    const ended = await firstOf(signal, running, tool.timeout_s * 1000);
    const facts = this.#facts(tool, interpreter.name, from);
    if (typeof ended === 'string') {
      tell(endedBy(ended, await running.streamed(), facts, limitText(ended, tool)));
      if (!(await endsByItself(tool, running))) this.#replace(interpreter);
    } else if (ended.ok) {
      tell(toResult(ended.value, facts));
    } else {
      const ending = this.#isStopped(signal) ? 'cancelled' : 'crashed';
      tell(endedBy(ending, ended.streamed ?? null, facts, lossError(ended.loss).message));
      this.#replace(interpreter);
    }
    return true;
  }

  /** Somebody has ended the call, or this interpreter with all its calls. */
  #isStopped(signal: AbortSignal): boolean {
    return signal.aborted || this.#life.signal.aborted;
  }

  #facts(tool: RegisteredTool, interpreter: string, from: number): RunFacts {
    const durationMs = from === 0 ? 0 : performance.now() - from;
    const stateLost = this.#stateLost || this.#reloaded.has(tool.source.file);
    return { tool: tool.name, durationMs, interpreter, stateLost };
  }

  /** Waits for the interpreter no longer than is wanted. */
  #started(signal: AbortSignal): Promise<Interpreter> {
    return race(signal, this.#interpreter(), this.#life.signal, Infinity, 'Waiting for Python');
  }

  #interpreter(): Promise<Interpreter> {
    this.#current ??= this.#start();
    return this.#current;
  }

  async #start(): Promise<Interpreter> {
    const { signal } = this.#life;
    let interpreter: Interpreter | null = null;
    try {
      const mine = (interpreter = await this.#take(signal));
      await mine.openFolder(signal, this.#folder, this.#limits);
      signal.throwIfAborted();
      this.#live = mine;
      void mine.ended.then(() => {
        this.#replace(mine);
      });
      return mine;
    } catch (thrown) {
      interpreter?.dispose();
      // The next one who asks tries again.
      this.#current = null;
      throw thrown;
    }
  }

  /** Ends this interpreter, and starts another unless that has happened already. */
  #replace(interpreter: Interpreter): void {
    interpreter.dispose();
    if (this.#live !== interpreter) return;
    this.#live = null;
    this.#current = null;
    if (this.#used) this.#stateLost = true;
    this.#used = false;
    this.#ran.clear();
    if (!this.#life.signal.aborted) this.#interpreter().catch(() => undefined);
  }
}

function contextOf(call: ToolCall): JsonText {
  return JSON.stringify({
    session_id: call.sessionId,
    session_key: call.sessionKey,
    turn_id: call.turnId,
    call_id: call.id,
    agent_id: call.agentId,
    sandbox: { network: [], workspace: null, packages: [] },
  });
}

function firstOf(signal: AbortSignal, running: RunningCall, timeoutMs: number): Promise<Ended> {
  return new Promise((resolve) => {
    const onAbort = (): void => {
      settle('cancelled');
    };
    const timer = setTimeout(() => {
      settle('timeout');
    }, timeoutMs);
    const settle = (ended: Ended): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve(ended);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    void running.outcome.then(settle);
  });
}

/** A plain function hears nothing while it runs: only the others get their grace. */
async function endsByItself(tool: RegisteredTool, running: RunningCall): Promise<boolean> {
  if (tool.handler.kind === 'function') return false;
  running.cancel();
  const late = new Promise<null>((resolve) => {
    setTimeout(resolve, graceMs, null);
  });
  const outcome = await Promise.race([running.outcome, late]);
  return outcome?.ok === true;
}

function limitText(ending: 'cancelled' | 'timeout', tool: RegisteredTool): string {
  return ending === 'timeout' ? `Its limit is ${tool.timeout_s} s.` : '';
}
