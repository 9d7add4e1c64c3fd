/** Types of plans: a goal and the tasks that sub-agents carry out for it. The published schema is plan.schema.json. */

import type { Json, JsonObject, JsonText } from './json.ts';

/** `inherit`: the tools of the session in which the plan was made, or all if there is none. */
export type PlanTools = 'inherit' | 'all' | readonly string[];

/** The check of a task's result. */
export type PlanCheck =
  /** A call to a tool, and what is expected of its result, as in saved tests. */
  | ({
      readonly call: string;
      readonly arguments?: JsonObject;
      readonly expect?: JsonObject;
    } & RepeatableCheck)
  /** A Python expression over `result` that must be true. */
  | { readonly expression: string }
  /** A statement about the result, which a model judges. */
  | { readonly judge: string }
  /** The name or id of a saved test, or a file of tests. */
  | ({ readonly test: string } & RepeatableCheck);

/** A check that can be made before its task has begun. */
interface RepeatableCheck {
  /** Failures that the check has before the task begins do not count. */
  readonly ignore_earlier_failures?: boolean;
}

/** Limits; absent ones do not apply. */
export interface PlanBudget {
  readonly calls?: number;
  readonly tokens?: number;
  /** US dollars. */
  readonly cost?: number;
  readonly minutes?: number;
}

export interface PlanTask {
  readonly id: string;
  readonly title?: string;
  readonly instructions: string;
  /** Ids of the tasks that must be done before. */
  readonly depends_on?: readonly string[];
  readonly tools?: PlanTools;
  /** Whether the sub-agent may write programs; as in the plan if absent. */
  readonly programs?: boolean;
  /** `provider/model`. */
  readonly model?: string;
  /**
   * Inputs by name: a value, `{"task": id}` for the output of an earlier task, or `{"file": path}`
   * for a workspace file.
   */
  readonly inputs?: Readonly<Record<string, Json>>;
  /** JSON Schema of the output. */
  readonly output?: JsonObject;
  /** Number of times that the task is tried again after its check has failed. */
  readonly retries?: number;
  readonly check?: PlanCheck;
  readonly budget?: PlanBudget;
}

export interface Plan {
  readonly goal: string;
  /** Instructions for all tasks. */
  readonly instructions?: string;
  readonly tools?: PlanTools;
  /** Whether sub-agents may write programs that call their tools; false by default. */
  readonly programs?: boolean;
  readonly model?: string;
  /** Maximum number of tasks that run at the same time. */
  readonly parallel?: number;
  readonly budget?: PlanBudget;
  /** Number of times that a model may change the plan when it is stuck; 0 by default. */
  readonly revisions?: number;
  readonly tasks: readonly PlanTask[];
}

/** The origin of a run that the user must allow: a page of this site, or an extension, whose name may be any text. */
export type Asker = 'page' | { readonly extension: string; readonly file: string };

/** @param stored the extension that a record names; earlier versions stored only its name, empty for a page */
export function askerOf(stored: Exclude<Asker, 'page'> | string): Asker {
  if (typeof stored !== 'string') return stored;
  return stored === '' ? 'page' : { extension: stored, file: '' };
}

/** A model that a plan would use. */
export interface PlanModel {
  readonly name: string;
  /** Source of the model, such as the extension that answers for it; empty if the plan names it. */
  readonly from: string;
}

/** The needs of a plan, as the user sees them before it runs. */
export interface PlanNeeds {
  readonly models: readonly PlanModel[];
  /** Names of the tools that sub-agents may call. */
  readonly tools: readonly string[];
  /** Paths of the workspace files that are inputs of tasks. */
  readonly files: readonly string[];
  /** Names of the saved tests that check results. */
  readonly tests: readonly string[];
  /** Calls that checks make, without a decision of a model. */
  readonly calls: readonly { readonly tool: string; readonly arguments: JsonText }[];
}
