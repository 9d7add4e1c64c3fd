/** Jobs that wait for an interpreter and then run in it: calls and other work. */

import type { OpenHost } from '../protocol/ask.ts';
import type { RunWatch, ToolCall } from '../spec/call.ts';
import type { ToolError } from '../spec/error.ts';
import type { ToolResult } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import type { FolderPython } from './interpreter.ts';

export interface CallJob {
  readonly kind: 'call';
  /** Ends the call as `cancelled`. */
  readonly signal: AbortSignal;
  readonly tool: RegisteredTool;
  readonly call: ToolCall;
  readonly watch: RunWatch;
  readonly openHost: OpenHost;
  /** Ends the job with a result. Only the first one counts. */
  settle(result: ToolResult): void;
}

/** Any other work. It has the interpreter to itself unless `beside` is true. */
export interface WorkJob {
  readonly kind: 'work';
  readonly signal: AbortSignal;
  /** Shown as the work that the interpreter is busy with. */
  readonly what: string;
  /** Whether the work may start while calls run or wait, because it runs no tool code. */
  readonly beside?: boolean;
  /** The file whose code the work runs, which may leave Python state. */
  readonly file?: string;
  /**
   * @param isAlone whether nothing else runs in the interpreter
   * @returns whether the interpreter can still be used; never rejects
   */
  run(python: FolderPython, isAlone: () => boolean): Promise<boolean>;
  /** Called instead of `run` if the work will not run. */
  refuse(error: ToolError): void;
}

export type Job = CallJob | WorkJob;
