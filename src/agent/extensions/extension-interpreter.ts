/**
 * The interpreter of one extension: runs its tools and its other functions, apart from the tools of sessions. Its tools
 * overlap only where they are safe together; its other functions (hooks, commands and so on) overlap with everything.
 */

import { type CallHost, type OpenHost, refusal } from '../../runtime/protocol/ask.ts';
import { endingText, failure } from '../../runtime/call/results.ts';
import { PowerDenied } from './access.ts';
import type { ExtensionPython, OnAction } from './call-loader.ts';
import type { Dispatch, ToolCall } from '../../runtime/spec/call.ts';
import { errorText } from '../../runtime/spec/error.ts';
import type { FolderSnapshot } from '../../runtime/spec/folder.ts';
import type { Inspection, RegisteredTool } from '../../runtime/spec/tool.ts';
import type { Limits } from '../../runtime/spec/limits.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import { checkArguments } from '../../runtime/sandbox/arguments-before-call.ts';
import { InterpreterSlot } from '../../runtime/sandbox/interpreter-slot.ts';
import type { PristinePython } from '../../runtime/sandbox/interpreter.ts';
import { lossError } from '../../runtime/protocol/frame.ts';

export interface ExtensionInterpreterDeps {
  readonly openHost: OpenHost;
  readonly limits: Limits;
  readonly onAction: OnAction;
}

/** @param python gets the folder's files, and is disposed of if that fails @throws {ToolError} */
export async function openExtensionInterpreter(
  signal: AbortSignal,
  python: PristinePython,
  folder: FolderSnapshot,
  file: string,
  { openHost, limits: usual, onAction }: ExtensionInterpreterDeps,
): Promise<ExtensionPython> {
  // A function that the extension starts with `run_async` may wait as long as it likes without output. All its other
  // functions have short deadlines, which their callers set; its tools have their own timeouts.
  const limits = { ...usual, idleMs: Infinity };
  try {
    await python.openFolder(signal, folder, limits);
  } catch (thrown) {
    python.dispose();
    throw thrown;
  }
  const never = (): boolean => false;
  // No queue waits for this slot, and no other interpreter replaces this one, so that nobody needs the changes of the slot
  // and no result has to report lost state.
  const slot = new InterpreterSlot(python, {
    limits,
    stateLost: never,
    isStopped: never,
    onChange: () => undefined,
  });
  const withActions: OpenHost = (tool, call, clock): CallHost => {
    const host = openHost(tool, call, clock);
    return {
      network: host.network,
      answer: async (n, ask) => {
        if (ask.ask !== 'app') return host.answer(n, ask);
        try {
          const value = await onAction(call, ask.action, clock);
          return value === undefined ? { answer: 'done' } : { answer: 'value', value };
        } catch (thrown) {
          const error = thrown instanceof PowerDenied ? 'PermissionError' : 'RuntimeError';
          return refusal(error, errorText(thrown));
        }
      },
      end: () => host.end(),
    };
  };
  const turns = new CallTurns();
  const dispatch: Dispatch = {
    run: async (callSignal, tool, call, watch) => {
      // The loader’s own functions run the extension’s hooks, which may overlap with any call.
      const end = tool.name.startsWith('@')
        ? () => undefined
        : await turns.take(callSignal, await mayOverlap(callSignal, python, tool, call));
      if (end === null) return failure('cancelled', endingText('cancelled', tool.name));
      const result = await new Promise<ToolResult>((settle) => {
        const job = { kind: 'call', signal: callSignal, tool, call, watch } as const;
        // The slot does not decide what overlaps: `turns` has let this call begin.
        void slot.run({ ...job, openHost: withActions, settle }, { overlaps: true });
      });
      end();
      return result;
    },
    check: (callSignal, tool, call) =>
      checkArguments(callSignal, tool, call, {
        limits,
        stateLost: never,
        // A check is never taken to be alone: if it takes too long, it is left out, and the interpreter stays.
        runBeside: (check) => check(python, never),
      }),
    needsApproval: (callSignal, tool, call) =>
      python.needsApproval(callSignal, tool, call.arguments),
  };
  return {
    ...dispatch,
    inspect: async (inspectSignal) => {
      const reports: Inspection[] = [];
      await python.inspect(inspectSignal, [file], limits, (inspection) => reports.push(inspection));
      const [report] = reports;
      if (report === undefined) throw lossError({ reason: 'protocol', detail: 'did not answer' });
      return report;
    },
    ended: python.ended.then((loss) => lossError(loss).message),
    dispose: () => slot.dispose(),
  };
}

/**
 * Returns whether the call may overlap with others. Only an asynchronous handler can, as for the folder's
 * tools.
 */
async function mayOverlap(
  signal: AbortSignal,
  python: Pick<PristinePython, 'mayOverlap'>,
  tool: RegisteredTool,
  call: ToolCall,
): Promise<boolean> {
  const { handler, concurrency_safe: safe } = tool;
  if (handler.kind !== 'async' && handler.kind !== 'async-generator') return false;
  return safe === 'callable' ? python.mayOverlap(signal, tool, call.arguments) : safe;
}

/** A call that waits for its turn. */
interface Waiting {
  readonly shares: boolean;
  /** Begins the turn, with the function that ends it. */
  readonly start: (end: () => void) => void;
}

/** Runs calls in order: consecutive calls that allow it at the same time, every other call alone. */
export class CallTurns {
  #waiting: readonly Waiting[] = [];
  #running = 0;
  #isAlone = false;

  /**
   * Waits for the turn of a call.
   * @param shares whether the call may run at the same time as other calls that share
   * @returns a function that ends the turn; null if the signal aborted before it began
   */
  take(signal: AbortSignal, shares: boolean): Promise<(() => void) | null> {
    if (signal.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const abort = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        resolve(null);
        this.#startSome();
      };
      const waiting: Waiting = {
        shares,
        start: (end) => {
          signal.removeEventListener('abort', abort);
          resolve(end);
        },
      };
      signal.addEventListener('abort', abort);
      this.#waiting = [...this.#waiting, waiting];
      this.#startSome();
    });
  }

  #startSome(): void {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      // @mutant tools of an extension that are not safe together run alone => without || (!next.shares &&
      //   this.#running > 0)
      if (this.#isAlone || (!next.shares && this.#running > 0)) return;
      this.#waiting = this.#waiting.slice(1);
      this.#running += 1;
      this.#isAlone = !next.shares;
      let ended = false;
      next.start(() => {
        if (ended) return;
        ended = true;
        this.#running -= 1;
        this.#isAlone = false;
        this.#startSome();
      });
    }
  }
}
