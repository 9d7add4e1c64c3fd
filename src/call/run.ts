/** What the call path needs of interpreters, whichever way they are kept. */

import type { CallAnswer, ToolCall } from '../spec/call.ts';
import type { Stream, ToolResult } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';

export interface RunWatch {
  /** The call's turn has come. */
  onStart(): void;
  /** The person was asked, and answered. */
  onAnswer(answer: CallAnswer): void;
  onStream(stream: Stream): void;
}

/**
 * Runs a call in its session's interpreter: waits for its turn, ends at the tool's timeout or when the signal
 * aborts. Never rejects; every ending is a result.
 */
export type Run = (
  signal: AbortSignal,
  tool: RegisteredTool,
  call: ToolCall,
  watch: RunWatch,
) => Promise<ToolResult>;
