/** Announces that a run has ended or needs the user: in the page, and by a system notification if the user has enabled these. */

import type { Question } from '../../../runtime/grants/questions.ts';
import type { PlanRuns } from '../../../agent/runner/plan-runs.ts';
import type { RunState } from '../../../agent/runner/run-record.ts';
import { userStopped } from '../../../agent/runner/run-tasks.ts';
import type { Notifier, SystemNotices } from './notifier.ts';

export interface RunNotice {
  readonly run: string;
  readonly goal: string;
  readonly phase: RunState['phase'];
}

export class RunNotices {
  /** The run that has ended last, until it is dismissed. */
  last: RunNotice | null = $state.raw(null);
  system: SystemNotices = $state('unavailable');
  readonly #notifier: Notifier;
  /** The runs that this page carries out. */
  readonly #active = new Set<string>();
  /** The pending questions of sub-agents, by id. */
  #asked: ReadonlySet<number> = new Set();

  constructor(runs: Pick<PlanRuns, 'observe' | 'isActive'>, notifier: Notifier) {
    this.#notifier = notifier;
    this.system = notifier.system;
    runs.observe((run) => {
      if (runs.isActive(run.id)) this.#active.add(run.id);
      else if (this.#active.delete(run.id)) this.#tellEnd(run);
    });
  }

  dismiss(): void {
    this.last = null;
  }

  /** Asks the browser, since the user has asked for notifications. */
  async askSystem(): Promise<void> {
    await this.#notifier.askSystem();
    this.system = this.#notifier.system;
  }

  /** Call it with all pending questions: notifies the user of new ones that sub-agents have asked. */
  followQuestions(questions: readonly Question[]): void {
    const ofTasks = questions.flatMap(({ id, tool, task }) => (task ? [{ id, tool, task }] : []));
    const news = ofTasks.findLast(({ id }) => !this.#asked.has(id));
    this.#asked = new Set(ofTasks.map(({ id }) => id));
    if (news === undefined || this.#notifier.isInView) return;
    const { tool, task } = news;
    this.#tell(task.run, 'A task needs your answer', `${task.title}: ${tool}`);
  }

  #tellEnd({ id, plan, phase, reason }: RunState): void {
    if (phase === 'stopped' && reason === userStopped) return;
    const goal = plan.goal.slice(0, 200);
    this.last = { run: id, goal, phase };
    if (!this.#notifier.isInView) this.#tell(id, endWords(phase), goal);
  }

  #tell(run: string, words: string, body: string): void {
    this.#notifier.markTitle(words);
    if (this.system === 'on') this.#notifier.show(run, words, body.slice(0, 200));
  }
}

export function endWords(phase: RunState['phase']): string {
  return phase === 'done' ? 'The plan is done' : 'The plan needs your attention';
}
