/** The dependencies of the virtual API; the app passes them in. */

import type { ExtensionView } from '../extensions/extensions.ts';
import type { PlanRuns } from '../runner/plan-runs.ts';
import type { checkPlan, ReadPlan } from '../runner/read-plan.ts';
import type { RunState } from '../runner/run-record.ts';
import type { SavedTests } from '../saved-tests/saved-tests.ts';
import type { LoggedCall, ToolCall } from '../spec/call.ts';
import type { Limits } from '../spec/limits.ts';
import type { Plan } from '../spec/plan.ts';
import type { Problem } from '../spec/problem.ts';
import type { Stream, ToolResult } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';

export interface Listing {
  readonly state: 'none' | 'scanning' | 'ready';
  readonly folder: string | null;
  /** Changes whenever a tool or a problem changes. */
  readonly revision: string;
  readonly tools: readonly RegisteredTool[];
  readonly problems: readonly Problem[];
}

/** Plans and their runs. */
export interface ApiPlans {
  readonly runs: PlanRuns;
  /** Checks a plan, as it is written in JSON. @param session in which it was made; empty for none @throws {ToolError} */
  check(value: unknown, session: string): Promise<ReturnType<typeof checkPlan>>;
  /** Reads a plan from JSON or YAML. @throws {ToolError} */
  read(text: string, session: string): Promise<ReadPlan>;
  /** Stores a run, which waits for the user's approval unless the policy allows it. @throws {ToolError} */
  request(plan: Plan, session: string): Promise<RunState>;
}

export type Selected = 'selected' | 'not-selected' | 'unknown-session';

export interface ApiDeps {
  listing(): Listing;
  tool(name: string): RegisteredTool | undefined;
  /** Waits until no scan is running; rejects when aborted. */
  settled(signal: AbortSignal): Promise<void>;
  selected(session: string, tool: string): Selected;
  invoke(
    signal: AbortSignal,
    call: ToolCall,
    onStream: (stream: Stream) => void,
  ): Promise<ToolResult>;
  /** Whether so many calls run or wait that the next one would be refused. */
  isFull(): boolean;
  /** True for a running call of any caller. */
  isRunning(id: string): boolean;
  /** Cancels a running call of any caller; returns false if it is not running. */
  cancel(id: string): boolean;
  /** Finds a call in the log, after the log has been read. */
  loggedCall(id: string): Promise<LoggedCall | undefined>;
  /** Finds the latest call in the log with this key. */
  keyedCall(key: string): Promise<LoggedCall | undefined>;
  readonly limits: Pick<Limits, 'valueChars' | 'outputChars'>;
  newId(): string;
  /** The extensions of the open folder. */
  extensions(): Promise<readonly ExtensionView[]>;
  /** Loads the code of plans on first use. */
  plans(): Promise<ApiPlans>;
  readonly tests: Pick<SavedTests, 'view' | 'refresh' | 'select' | 'run'>;
  /** Runs `then` after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, then: () => void): () => void;
}

/** The part of `Request` that the API uses. A large body need not be copied into a real `Request` and out again. */
export interface ApiRequest {
  readonly method: string;
  readonly headers: Headers;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  arrayBuffer(): Promise<ArrayBuffer>;
}
