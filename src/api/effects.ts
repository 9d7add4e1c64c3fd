/** What the virtual API is given to answer with; the app hands it in. */

import type { LoggedCall, ToolCall } from '../spec/call.ts';
import type { Limits } from '../spec/limits.ts';
import type { Problem } from '../spec/problem.ts';
import type { ToolResult } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';

export interface Listing {
  readonly state: 'none' | 'scanning' | 'ready';
  readonly folder: string | null;
  /** Changes whenever a tool or a problem does. */
  readonly revision: string;
  readonly tools: readonly RegisteredTool[];
  readonly problems: readonly Problem[];
}

export type Selected = 'selected' | 'not-selected' | 'unknown-session';

export interface ApiEffects {
  listing(): Listing;
  tool(name: string): RegisteredTool | undefined;
  /** Waits for a scan in progress; rejects when aborted. */
  settled(signal: AbortSignal): Promise<void>;
  selected(session: string, tool: string): Selected;
  invoke(signal: AbortSignal, call: ToolCall): Promise<ToolResult>;
  /** A call of the log. */
  loggedCall(id: string): Promise<LoggedCall | undefined>;
  readonly limits: Pick<Limits, 'valueChars'>;
  newId(): string;
  /** Runs `then` in `ms` milliseconds, unless cancelled before. */
  after(ms: number, then: () => void): () => void;
}
