/** Answers the questions of a running call, on the page's side of the sandbox. */

import type { Ask, AskAnswer } from '../protocol/ask.ts';
import type { ToolCall } from '../spec/call.ts';
import type { RegisteredTool } from '../spec/tool.ts';

/** The time limits of a call, which pause while the user is asked. */
export interface CallClock {
  pause(): void;
  resume(): void;
  /** Records progress that is not an update from the tool. */
  progress(): void;
}

export interface CallHost {
  /** Origins that the tool may currently reach, for `context.sandbox`. */
  readonly network: readonly string[];
  /** Answers a question of the call. Never rejects: a refusal is an answer too. */
  answer(n: number, ask: Ask): Promise<AskAnswer>;
  /** Gives up pending questions because the call has ended. */
  end(): void;
}

export type OpenHost = (tool: RegisteredTool, call: ToolCall, clock: CallClock) => CallHost;
