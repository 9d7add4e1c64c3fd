/** What the page is given of plans; part of the types that the UI gets. */

import type { PlanSurroundings } from '../runner/plan-problems.ts';
import type { PlanRuns } from '../runner/plan-runs.ts';
import type { checkPlan, ReadPlan } from '../runner/read-plan.ts';
import type { FolderRun, RecordedRun } from '../runner/recorded-run.ts';
import type { RunState } from '../runner/run-record.ts';
import type { TaskEvidence } from '../runner/run-report.ts';
import type { TimelineTask } from '../runner/run-timeline.ts';
import type { PlanEdits } from '../protocol/yaml.ts';
import type { Plan } from '../spec/plan.ts';

/** Plans, and their runs by sub-agents. */
export interface PlansControl {
  readonly runs: PlanRuns;
  /** What a plan may refer to. @param session in which the plan is made; empty for none @throws {ToolError} */
  around(session: string): Promise<PlanSurroundings>;
  /** Reads a plan from JSON or YAML, with its problems by line. @throws {ToolError} */
  read(text: string, session: string): Promise<ReadPlan>;
  /** Checks a plan that is not text. @throws {ToolError} */
  check(value: unknown, session: string): Promise<ReturnType<typeof checkPlan>>;
  /** Stores a run and begins it. @throws {ToolError} */
  start(plan: Plan, session: string): Promise<RunState>;
  /**
   * Stores a run that a page or a program wants. It waits for the user's approval, unless the policy allows it.
   * @param extension name of the extension that wants it; empty for a page
   * @throws {ToolError} `not-supported` if the policy refuses it
   */
  request(plan: Plan, session: string, extension?: string): Promise<RunState>;
  /** Writes and changes plans as text. They reject if a text takes too long. */
  readonly edits: PlanEdits;
  /**
   * Lets a model write a plan, for a goal or from what was said in a session.
   * @param wish may be empty if there is a session
   * @returns the plan as YAML, perhaps with problems
   */
  propose(signal: AbortSignal, wish: string, session: string): Promise<string>;
  /** What ran when in a run. */
  timeline(run: RunState): Promise<readonly TimelineTask[]>;
  /** What the sessions of a run's tasks show, by task. */
  evidence(run: RunState): Promise<ReadonlyMap<string, TaskEvidence>>;
  /** The most interpreters that run at the same time. */
  readonly mostInterpreters: number;
  /** The recorded runs in the open folder. */
  recordings(): readonly FolderRun[];
  /** @throws {ToolError} `bad-input` */
  recordingIn(file: Blob): Promise<RecordedRun>;
  /** Starts a run whose models answer from a recording. @throws {ToolError} */
  play(recorded: RecordedRun): Promise<RunState>;
  /** A run as a recording, as JSON. @throws {ToolError} */
  record(id: string): Promise<string>;
}
