/** What waits for an interpreter, and then runs in it. */

import type { OpenHost } from '../call/call-host.ts';
import type { RunWatch } from '../spec/dispatch.ts';
import type { ToolCall } from '../spec/call.ts';
import type { ToolError } from '../spec/error.ts';
import type { ToolResult } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import type { FolderPython } from './interpreter.ts';

/** A call. */
export interface CallJob {
  readonly kind: 'call';
  /** Ends it as `cancelled`. */
  readonly signal: AbortSignal;
  readonly tool: RegisteredTool;
  readonly call: ToolCall;
  readonly watch: RunWatch;
  /** Asked as the call starts. */
  readonly openHost: OpenHost;
  /** Only the first result counts. */
  tell(result: ToolResult): void;
}

/** Anything else: it has the interpreter for itself, unless it may run beside calls. */
export interface WorkJob {
  readonly kind: 'work';
  readonly signal: AbortSignal;
  /** What the person is told that the interpreter is busy with. */
  readonly what: string;
  /** It need not wait for the calls that run or are queued: no code of a tool runs for it. */
  readonly beside?: boolean;
  /**
   * @param isAlone nothing else runs in the interpreter
   * @returns whether the interpreter can be used on; never rejects
   */
  run(python: FolderPython, isAlone: () => boolean): Promise<boolean>;
  /** It will not run. */
  refuse(error: ToolError): void;
}

export type Job = CallJob | WorkJob;
