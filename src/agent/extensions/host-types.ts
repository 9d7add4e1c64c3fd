/** Types of the sessions, extensions and runs that extensions see. */

import type { PageSession } from '../turn/page-session.ts';
import type { Providers } from '../providers/model-providers.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type { SessionHead } from '../../runtime/spec/session.ts';

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
  opened(id: string): HostSession | undefined;
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
