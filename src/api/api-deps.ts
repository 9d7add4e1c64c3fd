/** The dependencies of the virtual API; the app passes them in. */

import type { LoggedCall, ToolCall } from '../spec/call.ts';
import type { Limits } from '../spec/limits.ts';
import type { Problem } from '../spec/problem.ts';
import type { Stream, ToolResult } from '../spec/result.ts';
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

export interface ApiDeps {
  listing(): Listing;
  tool(name: string): RegisteredTool | undefined;
  /** Waits for a scan in progress; rejects when aborted. */
  settled(signal: AbortSignal): Promise<void>;
  selected(session: string, tool: string): Selected;
  invoke(
    signal: AbortSignal,
    call: ToolCall,
    onStream: (stream: Stream) => void,
  ): Promise<ToolResult>;
  /** Of anybody's calls. */
  isRunning(id: string): boolean;
  /** Ends a call of anybody's; false where it does not run. */
  cancel(id: string): boolean;
  /** A call of the log, once that is read. */
  loggedCall(id: string): Promise<LoggedCall | undefined>;
  /** The latest call of the log that was made under a key. */
  keyedCall(key: string): Promise<LoggedCall | undefined>;
  readonly limits: Pick<Limits, 'valueChars' | 'outputChars'>;
  newId(): string;
  /** Runs `then` in `ms` milliseconds, unless cancelled before. */
  after(ms: number, then: () => void): () => void;
}
