/** The record of one run of a plan: its events, and the state that derives from them. */

import type { JsonText } from '../../runtime/spec/json.ts';
import type { Asker, Plan } from '../../runtime/spec/plan.ts';
import { addAmounts } from '../session/usage.ts';

/** The usage of a run or a task. */
export interface RunUsage {
  /** Calls to tools. */
  readonly calls: number;
  readonly tokens: number;
  /** US dollars; null if unknown. */
  readonly cost: number | null;
}

export const noUsage: RunUsage = { calls: 0, tokens: 0, cost: null };

/** Something that a check has found wrong. */
export interface CheckFailure {
  /** Equal for equal failures. */
  readonly key: string;
  readonly text: string;
}

/**
 * How a task ended. `stopped`: it was interrupted, by the user, a budget or a fault outside of it,
 * such as a model that does not answer; it continues in its session when the run is resumed.
 */
export type TaskEnd = 'done' | 'failed' | 'stopped';

/** How a run ended. `stuck`: a task failed for good, so that the goal cannot be reached. */
export type RunEnd = 'done' | 'stuck' | 'stopped';

type CreatedFact = Extract<RunFact, { type: 'created' }>;

/** An event without number and time, which the log adds. */
export type RunFact =
  | {
      readonly type: 'created';
      readonly plan: Plan;
      /** The session in which the plan was made; empty if there is none. */
      readonly session: string;
      /** Name and id of the tools folder. */
      readonly folder: string;
      readonly folderId: string;
      /** Names of the tools that tasks inherit; null for all. */
      readonly inherited: readonly string[] | null;
      /** Whether a caller other than the user has asked for the run, so that it waits for the user's approval. */
      readonly waits?: boolean;
      /** The extension that has asked for a run that waits; absent if a page has. Earlier versions stored only its name. */
      readonly extension?: Exclude<Asker, 'page'> | string;
      /** JSON of the recorded run that is played; absent if models answer. */
      readonly replays?: JsonText;
    }
  /** A page carries out the run, from here on. */
  | { readonly type: 'resumed' }
  | { readonly type: 'paused' }
  /** An attempt at a task. Its work is in the session. */
  | {
      readonly type: 'task-began';
      readonly task: string;
      readonly attempt: number;
      readonly session: string;
      /** Absent if it is not known, as in runs of earlier versions. */
      readonly model?: string;
    }
  /** The sub-agent has handed over an output, which is not checked yet. */
  | {
      readonly type: 'task-finished';
      readonly task: string;
      readonly attempt: number;
      readonly output: JsonText;
    }
  | {
      readonly type: 'attempt-failed';
      readonly task: string;
      readonly attempt: number;
      readonly reason: string;
      /** The usage of the check; absent in records of earlier versions. */
      readonly usage?: RunUsage;
    }
  | {
      readonly type: 'task-ended';
      readonly task: string;
      readonly end: TaskEnd;
      /** Why it is not done, or what its check has found. */
      readonly reason: string;
      /** Usage of all attempts and checks of the task. */
      readonly usage: RunUsage;
    }
  /** The failures that the check found before the task began, which do not count. */
  | {
      readonly type: 'earlier-failures';
      readonly task: string;
      readonly failures: readonly CheckFailure[];
    }
  /** The usage of a check that has passed. */
  | { readonly type: 'checked'; readonly task: string; readonly usage: RunUsage }
  /** A message of the user to a task, or to all that are not done. */
  | { readonly type: 'steered'; readonly task: string | null; readonly text: string }
  /** A sub-agent, without tools, thinks about how the plan should change. */
  | { readonly type: 'revision-began'; readonly session: string; readonly reason: string }
  | { readonly type: 'revision-failed'; readonly reason: string; readonly usage: RunUsage }
  /** The plan was changed. Tasks that are done, and still in the plan, stay done. */
  | {
      readonly type: 'revised';
      readonly by: 'user' | 'model';
      readonly reason: string;
      readonly plan: Plan;
      readonly usage: RunUsage;
    }
  /** Tasks are carried out again. */
  | { readonly type: 'again'; readonly tasks: readonly string[] }
  | { readonly type: 'ended'; readonly end: RunEnd; readonly reason: string };

export type RunEvent = RunFact & {
  /** Counts from 0. */
  readonly n: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
};

/** `blocked`: a task that it depends on has failed. */
export type TaskPhase = 'waiting' | 'running' | 'checking' | 'blocked' | TaskEnd;

export interface TaskState {
  readonly phase: TaskPhase;
  /** The current or last attempt, from 1; 0 before the first. */
  readonly attempt: number;
  /** Session of the current or last attempt; empty before the first. */
  readonly session: string;
  /** The model of the current or last attempt; absent if it is not known. */
  readonly model?: string;
  /** JSON text; null until the task has handed one over. */
  readonly output: JsonText | null;
  /** Why each failed attempt failed. */
  readonly failures: readonly string[];
  /**
   * The check's failures before the task began, which do not count; null if the check was not made
   * then and still may be.
   */
  readonly earlierFailures: readonly CheckFailure[] | null;
  readonly reason: string;
  /**
   * Milliseconds for which the task was worked on until the last event, since it last started from
   * the beginning.
   */
  readonly activeMs: number;
  readonly usage: RunUsage;
  /** The part of the usage that the current session does not know: of earlier sessions, and of checks. */
  readonly otherUsage: RunUsage;
  /** Milliseconds since the epoch; null before the task begins or ends. */
  readonly beganAt: number | null;
  readonly endedAt: number | null;
}

export interface RunState extends Omit<CreatedFact, 'type' | 'waits' | 'extension' | 'replays'> {
  readonly id: string;
  readonly phase: 'running' | 'paused' | RunEnd;
  readonly reason: string;
  readonly tasks: ReadonlyMap<string, TaskState>;
  readonly usage: RunUsage;
  /** The part of the usage that belongs to no task of the plan: of revisions, and of tasks that were removed. */
  readonly otherUsage: RunUsage;
  /** Messages of the user, oldest first. */
  readonly messages: readonly { readonly task: string | null; readonly text: string }[];
  /** Changes of the plan, oldest first. */
  readonly revisions: readonly Revision[];
  /** Number of times that a model was asked to change the plan. */
  readonly revisionsBegun: number;
  /** Whether a model is changing the plan. */
  readonly isRevising: boolean;
  /** Whether the run waits for the user's approval, and has not begun. */
  readonly isWaiting: boolean;
  /** The page or extension that has asked for the run; null if the user has started it, or allowed it since. */
  readonly askedBy: Asker | null;
  /** JSON of the recorded run that is played; null if models answer. */
  readonly replays: JsonText | null;
  /** Milliseconds for which the run was neither paused nor ended, until `activeSince`. */
  readonly activeMs: number;
  /** Milliseconds since the epoch; null while it is paused or has ended. */
  readonly activeSince: number | null;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly events: number;
}

export interface Revision {
  readonly at: number;
  readonly by: 'user' | 'model';
  readonly reason: string;
  readonly before: Plan;
  readonly after: Plan;
}

/** Returns the minutes of a budget, which may have a fraction: `0.5 minutes`, `1 minute`. */
export function minutesText(minutes: number): string {
  return `${minutes.toLocaleString('en')} ${minutes === 1 ? 'minute' : 'minutes'}`;
}

export function addUsage(one: RunUsage, other: RunUsage): RunUsage {
  return {
    calls: one.calls + other.calls,
    tokens: one.tokens + other.tokens,
    cost: addAmounts(one.cost, other.cost),
  };
}
