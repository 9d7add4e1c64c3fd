/** The dependencies of the virtual API; the app passes them in. */

import type { CallLog } from '../../runtime/call/call-log.ts';
import type { CallPath } from '../../runtime/call/call-path.ts';
import type { ExtensionView } from '../../agent/extensions/extensions.ts';
import type { PlanRuns } from '../../agent/runner/plan-runs.ts';
import type { checkPlan, ReadPlan } from '../../agent/runner/read-plan.ts';
import type { RunState } from '../../agent/runner/run-record.ts';
import type { SavedTests } from '../../agent/saved-tests/saved-tests.ts';
import type { Questions } from '../../runtime/grants/questions.ts';
import type { Limits } from '../../runtime/spec/limits.ts';
import type { Plan } from '../../runtime/spec/plan.ts';
import type { Problem } from '../../runtime/spec/folder.ts';
import type { ApiFolder } from '../../runtime/protocol/service.ts';
import type { SessionHead } from '../../runtime/spec/session.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';

export interface Listing {
  readonly state: 'none' | 'scanning' | 'ready';
  readonly folder: string | null;
  /** Empty if no folder is open. */
  readonly folderId: string;
  /** Changes whenever a tool or a problem changes. */
  readonly revision: string;
  readonly tools: readonly RegisteredTool[];
  readonly problems: readonly Problem[];
}

export interface ApiPlans {
  readonly runs: PlanRuns;
  /** Checks a plan that is not text. @param session in which it was made; empty for none @throws {ToolError} */
  check(value: unknown, session: string): ReturnType<typeof checkPlan>;
  /** Reads a plan from JSON or YAML, with its problems by line. @throws {ToolError} */
  read(text: string, session: string): Promise<ReadPlan>;
  /** Stores a run, which waits for the user's approval unless the policy allows it. @throws {ToolError} */
  request(plan: Plan, session: string): Promise<RunState>;
}

/** A session whose calls may run until it is released; or why there is none. */
export type OpenedSession =
  | { readonly at: 'open'; readonly release: () => void }
  | { readonly at: 'unknown' }
  /** The session belongs to a folder that is not open here. */
  | { readonly at: 'other-folder'; readonly folder: string };

/** The pages of other origins that the user has allowed to call tools. */
export interface ApiSites {
  isAllowed(origin: string): boolean;
  /** Asks the user, unless the origin is allowed already. Resolves with whether it is allowed then. */
  ask(signal: AbortSignal, origin: string): Promise<boolean>;
}

export interface ApiDeps {
  listing(): Listing;
  tool(name: string): RegisteredTool | undefined;
  /** Waits until no scan is running; rejects when aborted. */
  settled(signal: AbortSignal): Promise<void>;
  /** Calls the listener after every change of the listing; the returned function stops that. */
  observeListing(then: () => void): () => void;
  readonly questions: Pick<Questions, 'list' | 'answer' | 'observe' | 'claim'>;
  openSession(id: string): Promise<OpenedSession>;
  /** Whether an open session may use the tool. */
  isSelected(session: string, tool: string): boolean;
  /** The stored sessions, those of sub-agents included; changed last first. */
  sessionHeads(): Promise<readonly SessionHead[]>;
  isOpen(session: string): boolean;
  readonly sites: ApiSites;
  readonly path: Pick<CallPath, 'call' | 'isFull' | 'running' | 'cancel'>;
  /** The call log, after it has been read. */
  log(): Promise<Pick<CallLog, 'get' | 'keyed' | 'recent'>>;
  readonly limits: Pick<Limits, 'valueChars' | 'outputChars'>;
  newId(): string;
  extensions(): Promise<readonly ExtensionView[]>;
  /** Loads the code of plans on first use. */
  plans(): Promise<ApiPlans>;
  readonly tests: Pick<SavedTests, 'view' | 'refresh' | 'select' | 'run'>;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `then` after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, then: () => void): () => void;
}

/** The part of `Request` that the API uses. A large body need not be copied into a real `Request` and out again. */
export interface ApiRequest {
  readonly method: string;
  /** Absent if the address has none. */
  readonly query?: URLSearchParams;
  /** The folders that pages host, the one that was used last first; absent if the answer does not need them. */
  readonly folders?: readonly ApiFolder[];
  readonly headers: Headers;
  readonly signal: AbortSignal;
  arrayBuffer(): Promise<ArrayBuffer>;
}
