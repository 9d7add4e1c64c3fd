/** State of the pages of plans and their runs. */

import { createSubscriber } from 'svelte/reactivity';
import { whenReady } from '../../../runtime/async/late-value.ts';
import type { Plans } from '../../../agent/runner/plans.ts';
import type { PolicyControl } from '../../app.ts';
import type { FolderRun, RecordedRun } from '../../../agent/runner/recorded-run.ts';
import type { RunState } from '../../../agent/runner/run-record.ts';
import { runPage, runReport } from '../../../agent/runner/run-report.ts';
import type { Plan } from '../../../runtime/spec/plan.ts';
import { FollowedRuns } from '../parts/followed-runs.svelte.ts';
import type { Memory } from '../shell/preferences.svelte.ts';
import { PlanDraft } from './plan-draft.svelte.ts';
import { pageNotifier } from './notifier.ts';
import { RunNotices } from './run-notices.svelte.ts';

export const examplePlan = `goal: Compare the weather of two cities
parallel: 2
tasks:
  - id: first
    instructions: Find today's temperature in Oslo.
    output: { type: object, required: [celsius], properties: { celsius: { type: number } } }
  - id: second
    instructions: Find today's temperature in Rome.
    output: { type: object, required: [celsius], properties: { celsius: { type: number } } }
  - id: compare
    title: Compare
    depends_on: [first, second]
    instructions: Say which city is warmer, and by how many degrees.
    retries: 2
    check: { judge: The answer names the warmer city and the difference in degrees. }
`;

export class PlansState extends FollowedRuns<RunState, Plans['runs']> {
  readonly draft: PlanDraft;
  readonly notices: RunNotices;
  readonly control: Plans;
  /** The files of recorded runs are read one after the other. */
  readonly #followRecordings: () => void;
  /** Id of the run whose page lists the questions of its sub-agents; empty for none. */
  questionsListed = $state('');
  /** Aborts the writing of a plan by a model. */
  #writing = $state.raw<AbortController | null>(null);

  constructor(control: Plans, policy: Promise<PolicyControl>, memory: Memory | null) {
    super(control.runs);
    this.control = control;
    this.draft = new PlanDraft(control, memory);
    this.#followRecordings = createSubscriber((update) => control.observeRecordings(update));
    this.notices = new RunNotices(control.runs, pageNotifier(window));
    whenReady(policy, ({ questions }) =>
      questions.observe((list) => this.notices.followQuestions(list)),
    );
  }

  /** The recorded runs of the open folder. Not cached: they change with the folder, too, which the caller follows. */
  get samples(): readonly FolderRun[] {
    this.#followRecordings();
    return this.control.recordings();
  }

  get isWriting(): boolean {
    return this.#writing !== null;
  }

  /** Returns another draft, for the plan of a run. */
  draftOf(text: string): PlanDraft {
    return new PlanDraft(this.control, null, text);
  }

  /** Starts a run. @returns the id of the run; null if it was not started */
  start(plan: Plan, session: string): Promise<string | null> {
    return this.try(async () => (await this.control.start(plan, session)).id);
  }

  /** Lets a model write the plan, which the user then edits. */
  async propose(wish: string, session: string): Promise<void> {
    if (this.#writing !== null) return;
    const stop = new AbortController();
    this.#writing = stop;
    await this.try(async () => {
      try {
        this.draft.replace(await this.control.propose(stop.signal, wish, session));
      } catch (thrown) {
        if (!stop.signal.aborted) throw thrown;
      }
    });
    this.#writing = null;
  }

  stopWriting(): void {
    this.#writing?.abort();
  }

  resume(id: string): void {
    void this.try(() => this.control.runs.resume(id));
  }

  stop(id: string): void {
    void this.try(() => this.control.runs.stop(id));
  }

  again(id: string, task: string): void {
    void this.try(() => this.control.runs.again(id, task));
  }

  remove(id: string): void {
    void this.try(() => this.control.runs.remove(id));
  }

  /** Changes the plan of a run that has ended, and continues it. @returns whether it was changed */
  async revise(id: string, plan: Plan): Promise<boolean> {
    const { runs } = this.control;
    const done = await this.try(async () => {
      await runs.revise(id, plan);
      await runs.resume(id);
      return true;
    });
    return done ?? false;
  }

  /**
   * Sends a message to sub-agents.
   * @param task null for all
   * @returns whether the message is recorded for the tasks that are not done
   */
  async steer(id: string, task: string | null, text: string): Promise<boolean> {
    // Steering fails if the message is too long, or another tab has taken over the session.
    const sent = await this.try(() => {
      this.control.runs.steer(id, task, text);
      return true;
    });
    return sent ?? false;
  }

  /** Plays a recorded run. @returns the id of the run; null if it was not started */
  play(recorded: RecordedRun): Promise<string | null> {
    return this.try(async () => (await this.control.play(recorded)).id);
  }

  /** Reads a recorded run from a file. @returns null if there is none */
  recordingIn(file: Blob): Promise<RecordedRun | null> {
    return this.try(() => this.control.recordingIn(file));
  }

  /** The run as a recording. @returns JSON; null if it cannot be recorded */
  recording(id: string): Promise<string | null> {
    return this.try(() => this.control.record(id));
  }

  /** The report of a run. @returns null if it could not be written */
  async report(run: RunState, form: 'markdown' | 'html'): Promise<string | null> {
    return this.try(async () => {
      const evidence = await this.control.evidence(run);
      return form === 'html' ? runPage(run, evidence) : runReport(run, evidence);
    });
  }

  /** The whole record, as JSON. */
  record(id: string): string {
    return JSON.stringify({ id, events: this.control.runs.events(id) }, null, 2);
  }

  listQuestionsOf(run: string): void {
    this.questionsListed = run;
  }
}
