/** Types of an origin, and of how the tools of an origin are run. */

import type { ToolCall } from './call.ts';
import type { Stream, ToolResult } from './result.ts';
import type { RegisteredTool } from './tool.ts';

/** `built-in`: offered to models by Cloche itself, and not shown in lists of tools. `mcp`: a server that the user has added. */
export type Origin = 'folder' | 'extension' | 'mcp' | 'built-in';

/** Receives the events of a running call. */
export interface RunWatch {
  /** The call has left the queue. */
  onStart(): void;
  onStream(stream: Stream): void;
}

/** Runs a call until it ends, the tool's timeout passes, or the signal aborts. Never rejects. */
export type Run = (
  signal: AbortSignal,
  tool: RegisteredTool,
  call: ToolCall,
  watch: RunWatch,
) => Promise<ToolResult>;

/** Runs the tools of one origin. Only the call path uses it. */
export interface Dispatch {
  readonly run: Run;
  /**
   * Checks a call's arguments against the tool's signature and schema, as {@link run} does first.
   * @returns the failure with which the run would end; null if the check passes or cannot be made. Never rejects.
   */
  check(signal: AbortSignal, tool: RegisteredTool, call: ToolCall): Promise<ToolResult | null>;
  /** Evaluates a callable `requires_approval` for this call. @throws {ToolError} */
  needsApproval(signal: AbortSignal, tool: RegisteredTool, call: ToolCall): Promise<boolean>;
}

/** A tool that can be called, with its origin. */
export interface KnownTool {
  readonly tool: RegisteredTool;
  readonly origin: Origin;
  readonly dispatch: Dispatch;
}
