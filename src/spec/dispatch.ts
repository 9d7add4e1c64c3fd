/** Where a tool comes from, and how the tools of an origin are run. */

import type { ToolCall } from './call.ts';
import type { Stream, ToolResult } from './result.ts';
import type { RegisteredTool } from './tool.ts';

/** `built-in`: offered to models by the app itself; no list of tools shows it. */
export type Origin = 'folder' | 'extension' | 'built-in';

/** Hears of a call while it runs. */
export interface RunWatch {
  /** The call has left the queue. */
  onStart(): void;
  onStream(stream: Stream): void;
}

/** Runs a call to its end, at the tool's timeout or when the signal aborts at the latest. Never rejects. */
export type Run = (
  signal: AbortSignal,
  tool: RegisteredTool,
  call: ToolCall,
  watch: RunWatch,
) => Promise<ToolResult>;

/** How the tools of one origin are run. Only the call path uses it. */
export interface Dispatch {
  readonly run: Run;
  /**
   * Checks a call's arguments against the tool's signature and schema, as {@link run} does before anything else.
   * @returns the failure that the run would end with; null where it would begin, or where that cannot be told. Never rejects.
   */
  check(signal: AbortSignal, tool: RegisteredTool, call: ToolCall): Promise<ToolResult | null>;
  /** Asks a `requires_approval` that is a callable about this call. @throws {ToolError} */
  needsApproval(signal: AbortSignal, tool: RegisteredTool, call: ToolCall): Promise<boolean>;
}

/** A tool that can be called. */
export interface KnownTool {
  readonly tool: RegisteredTool;
  readonly origin: Origin;
  readonly dispatch: Dispatch;
}
