/**
 * The interface of sessions and the page for extensions, apart from hooks. Made by page-host.ts.
 */

import type { Origin } from './actions.ts';
import type { PageSession } from '../turn/page-session.ts';
import type { Providers } from '../providers/model-providers.ts';
import type { JsonObject, JsonText } from '../../runtime/spec/json.ts';
import type { SessionHead } from '../../runtime/spec/session.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import type { Checkpoints } from '../../runtime/workspace/checkpoints.ts';

/** A session as extensions use it. */
export interface HostSession extends Pick<
  PageSession,
  | 'id'
  | 'state'
  | 'live'
  | 'send'
  | 'rename'
  | 'show'
  | 'setStepMode'
  | 'useModel'
  | 'replaceMessages'
  | 'prompt'
> {
  readonly selected: readonly string[];
  readonly background: Pick<PageSession['background'], 'running' | 'start' | 'cancel'>;
}

export interface HostSessions {
  /** Undefined unless the session is open in this page. */
  conversation(id: string): HostSession | undefined;
  /** All sessions of this browser. */
  list(): readonly SessionHead[];
  /** Whether the session's folder is the open one. */
  hasFolderOf(head: SessionHead): boolean;
  /** Copies a session up to and including event `n`. @returns the id of the copy @throws {ToolError} */
  fork(id: string, n: number): Promise<string>;
  readonly providers: Pick<Providers, 'list' | 'sync'>;
}

/** An extension as others see it. */
export interface ListedExtension {
  readonly name: string;
  readonly version: string;
  readonly kind: string;
  readonly runtime: string;
  readonly file: string;
  readonly state: string;
  readonly registered: readonly {
    readonly kind: string;
    readonly name: string;
    readonly active: boolean;
  }[];
}

/** A run of a plan, as extensions see it. */
export interface PlanRunSummary {
  readonly id: string;
  readonly goal: string;
  /** `waiting`, `running`, `paused`, `interrupted`, `done`, `stuck` or `stopped`, as in the API. */
  readonly state: string;
  readonly reason: string;
  readonly tasks: readonly {
    readonly id: string;
    readonly state: string;
    readonly reason: string;
    /** JSON text; null until there is one. */
    readonly output: JsonText | null;
  }[];
}

export interface ExtensionHost {
  /** Name of the open folder. */
  folder(): string;
  tools(): readonly RegisteredTool[];
  /** Null until a session has been used in this page. */
  sessions(): HostSessions | null;
  extensions(): readonly ListedExtension[];
  /** Checkpoints of the workspace of the open folder. */
  readonly checkpoints: Pick<Checkpoints, 'save' | 'list' | 'restore'>;
  /**
   * Runs the message hooks of all extensions.
   * @returns what they add to the text @throws what a hook throws; {ToolError} if they run already
   */
  runMessageHooks(session: string, text: string): Promise<string>;
  /** Runs a tool like any other caller does. Never rejects. */
  call(signal: AbortSignal, tool: string, args: string, session: string): Promise<ToolResult>;
  /**
   * Stores a run of a plan, which waits for the user's approval unless the policy allows it.
   * @param plan an object, or text as JSON or YAML
   * @returns the id of the run @throws {ToolError} with the problems of the plan
   */
  runPlan(plan: JsonObject | string, session: string, from: Origin): Promise<string>;
  /** A run that an extension has asked for, and its tasks; null if there is none. */
  planRun(id: string): Promise<PlanRunSummary | null>;
  /** Shows a session. */
  show(session: string): void;
  /** Resolves when no turn runs in the session. @throws {ToolError} if it is not open; the signal's reason */
  idle(signal: AbortSignal, session: string): Promise<void>;
}
