/** What stands behind a running call on this side of the sandbox, and answers what it asks. */

import type { Ask, AskAnswer } from '../protocol/ask.ts';
import type { ToolCall } from '../spec/call.ts';
import type { RegisteredTool } from '../spec/tool.ts';

/** The call's time, which stands still while the person is asked. */
export interface CallClock {
  pause(): void;
  resume(): void;
  /** Something has happened that is no update of the tool's own. */
  progress(): void;
}

export interface CallHost {
  /** What the tool may reach now, for `context.sandbox`. */
  readonly network: readonly string[];
  /** Never rejects: a refusal is an answer. */
  answer(n: number, ask: Ask): Promise<AskAnswer>;
  /** The call has ended: what it still waits for is given up. */
  end(): void;
}

export type OpenHost = (tool: RegisteredTool, call: ToolCall, clock: CallClock) => CallHost;
