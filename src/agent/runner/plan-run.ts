/** Carries out one run of a plan: starts tasks when they are ready, lets a model change the plan, and ends once. */

import { wait } from '../../runtime/async/wait.ts';
import { errorText, ToolError, errorWithHint } from '../../runtime/spec/error.ts';
import type { PlanTask, PlanBudget } from '../../runtime/spec/plan.ts';
import { Allowance } from './allowance.ts';
import { revisePlan, revisionTask } from './revise-plan.ts';
import {
  minutesText,
  noUsage,
  addUsage,
  type RunEnd,
  type RunUsage,
  type RunEvent,
  type RunState,
} from './run-record.ts';
import type { RunAgents } from './sub-agents.ts';
import { readyTasks, taskName, userStopped } from './run-tasks.ts';
import { findExceededLimit, TaskRun, type TaskRunDeps } from './task-run.ts';
import { defaultParallel, isOpen } from './work-time.ts';

export interface PlanRunDeps extends TaskRunDeps {
  readonly agents: RunAgents;
}

export class PlanRun {
  readonly #deps: PlanRunDeps;
  readonly #stop = new AbortController();
  readonly #running = new Map<string, TaskRun>();
  /** The working time that is left; null without a limit. */
  readonly #minutes: Allowance | null;
  /** Lets {@link #drive} look again at what can run. */
  #wake: () => void = () => undefined;
  /** Why the run was stopped. */
  #reason = userStopped;
  /** The usage of the revision in progress, which the record does not have yet. */
  #revisionUsage: RunUsage = noUsage;
  /** Why the record could not be stored; empty if it could. */
  fault = '';
  /** Resolves when the run has ended, and none of its work is running. Never rejects. */
  readonly ended: Promise<void>;

  /** Starts or continues the run. */
  constructor(deps: PlanRunDeps) {
    this.#deps = deps;
    const { plan, activeMs } = deps.log.state;
    const minutes = plan.budget?.minutes;
    this.#minutes =
      minutes === undefined
        ? null
        : new Allowance(
            minutes * 60_000 - activeMs,
            () => this.#endEarly(`The budget of ${minutesText(minutes)} is used up.`),
            deps,
          );
    this.ended = this.#drive().catch((thrown: unknown) => this.#storageFailed(thrown));
  }

  get isStopping(): boolean {
    return this.#stop.signal.aborted;
  }

  pause(): void {
    if (this.#deps.log.state.phase === 'running') this.#setPhase('paused');
  }

  resume(): void {
    if (this.#deps.log.state.phase === 'paused') this.#setPhase('resumed');
  }

  stop(): void {
    this.#endEarly(userStopped);
  }

  /**
   * Records a message of the user, and sends it to the sub-agents that work now. Other sub-agents
   * get it when they next work.
   * @param task null for all
   * @returns the number of sub-agents to which it was sent
   */
  steer(task: string | null, text: string): number {
    void this.#deps.log
      .append({ type: 'steered', task, text })
      .catch((thrown: unknown) => this.#storageFailed(thrown));
    const meant = [...this.#running].filter(([id]) => task === null || id === task);
    return meant.filter(([, running]) => running.steer()).length;
  }

  #setPhase(type: 'paused' | 'resumed'): void {
    void this.#deps.log.append({ type }).catch((thrown: unknown) => this.#storageFailed(thrown));
    this.#followPause();
    this.#wake();
  }

  #followPause(): void {
    if (this.#deps.log.state.phase === 'paused') this.#minutes?.hold();
    else this.#minutes?.go();
    for (const running of this.#running.values()) running.followPause();
  }

  async #drive(): Promise<void> {
    const { log } = this.#deps;
    this.#followPause();
    try {
      for (;;) {
        const { phase } = log.state;
        if (!this.isStopping && phase === 'running') this.#startReady();
        if (this.#running.size === 0) {
          const isHeld = phase === 'paused' && !this.isStopping;
          if (!isHeld && !(await this.#revise())) break;
          if (!isHeld) continue;
        }
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      this.#minutes?.hold();
    }
    await log.append({ type: 'ended', ...this.#outcome() });
  }

  #outcome(): { readonly end: RunEnd; readonly reason: string } {
    const { state } = this.#deps.log;
    const all = [...state.tasks];
    if (all.every(([, { phase }]) => phase === 'done')) return { end: 'done', reason: '' };
    if (this.isStopping) return { end: 'stopped', reason: this.#reason };
    const failed = all.find(([, { phase }]) => phase === 'failed');
    if (failed !== undefined)
      return {
        end: 'stuck',
        reason: `The task ${taskName(state, failed[0])} failed: ${failed[1].reason}`,
      };
    const held = all.find(([, { phase }]) => phase === 'stopped');
    if (held === undefined) return { end: 'stuck', reason: '' };
    const name = taskName(state, held[0]);
    return { end: 'stuck', reason: `The task ${name} was interrupted: ${held[1].reason}` };
  }

  #endEarly(reason: string): void {
    if (this.isStopping) return;
    this.#reason = reason;
    this.#stop.abort();
    for (const running of this.#running.values()) running.stop(reason);
    this.#wake();
  }

  /** Stops the run, because what it does from here on would be unknown after a reload. */
  #storageFailed(thrown: unknown): void {
    this.fault = errorWithHint(thrown);
    if (!(thrown instanceof ToolError)) this.#deps.report(thrown);
    this.#endEarly(this.fault);
  }

  #startReady(): void {
    const { log } = this.#deps;
    const { plan, tasks } = log.state;
    const max = plan.parallel ?? defaultParallel;
    const begun = [...tasks].flatMap(([id, task]) => (isOpen(task) ? [id] : []));
    const byId = new Map(plan.tasks.map((task) => [task.id, task]));
    for (const id of [...begun, ...readyTasks(log.state)]) {
      if (this.#running.size >= max) return;
      const task = byId.get(id);
      if (task !== undefined && !this.#running.has(id)) void this.#carryOut(task);
    }
  }

  /** Carries out a task. Never rejects. */
  async #carryOut(task: PlanTask): Promise<void> {
    const running = new TaskRun(task, () => this.#checkBudget(), this.#deps);
    this.#running.set(task.id, running);
    try {
      await running.run();
    } catch (thrown) {
      this.#storageFailed(thrown);
    } finally {
      this.#running.delete(task.id);
      this.#wake();
    }
  }

  /** Lets a model change the plan, if it allows that, and is stuck. @returns whether it was changed */
  async #revise(): Promise<boolean> {
    const { log, agents } = this.#deps;
    const { plan, revisionsBegun, tasks } = log.state;
    const hasFailed = Array.from(tasks.values()).some(({ phase }) => phase === 'failed');
    if (this.isStopping || !hasFailed || revisionsBegun >= (plan.revisions ?? 0)) return false;
    const { signal } = this.#stop;
    const task = revisionTask(log.state);
    const before = log.state;
    let outcome: Awaited<ReturnType<typeof revisePlan>>;
    try {
      const agent = await wait(signal, agents.begin(task));
      const unobserve = agent.observe(() => {
        this.#revisionUsage = agent.usage;
        this.#checkBudget();
      });
      try {
        await log.append({ type: 'revision-began', session: agent.session, reason: '' });
        outcome = await revisePlan(signal, agent, task.instructions, before, () =>
          agents.references(),
        );
      } finally {
        this.#revisionUsage = agent.usage;
        unobserve();
        agent.close();
      }
    } catch (thrown) {
      outcome = signal.aborted ? this.#reason : errorText(thrown);
    }
    const usage = this.#revisionUsage;
    this.#revisionUsage = noUsage;
    if (typeof outcome === 'string')
      await log.append({ type: 'revision-failed', reason: outcome, usage });
    else await log.append({ type: 'revised', by: 'model', ...outcome, usage });
    return typeof outcome !== 'string';
  }

  #checkBudget(): void {
    const { plan, tasks, otherUsage, replays } = this.#deps.log.state;
    const ofAll = Array.from(tasks, ([id, { usage }]) => this.#running.get(id)?.usage ?? usage);
    const parts = [...ofAll, otherUsage, this.#revisionUsage];
    const all = parts.reduce(addUsage);
    const limit = plan.budget?.cost;
    const isUnknown = replays === null && parts.some((one) => one.tokens > 0 && one.cost === null);
    if (limit !== undefined && isUnknown)
      this.#endEarly(`A part of the cost is unknown, so the budget of $${limit} cannot be kept.`);
    const over = findExceededLimit(plan.budget, all);
    if (over !== null) this.#endEarly(`The budget of ${over} is used up.`);
    const limits = sharedLimits(this.#deps.log.state);
    if (Object.keys(limits).length === 0) return;
    const { calls, tokens, cost } = addUsage(
      revisionUsage(this.#deps.log.events),
      this.#revisionUsage,
    );
    const ofTasks: RunUsage = {
      calls: all.calls - calls,
      tokens: all.tokens - tokens,
      cost: all.cost === null ? null : all.cost - (cost ?? 0),
    };
    const together = findExceededLimit(limits, ofTasks);
    if (together !== null) this.#endEarly(`The tasks’ shared budget of ${together} is used up.`);
  }
}

const shared = ['calls', 'tokens', 'cost'] as const;

/**
 * The sum of each limit over all tasks, when the user last decided about the plan. A limit that a task lacked then is
 * left out. Empty if no model has changed the plan since then.
 */
function sharedLimits({ revisions }: Pick<RunState, 'revisions'>): PlanBudget {
  const lastOfUser = revisions.findLastIndex(({ by }) => by === 'user');
  const first = revisions[lastOfUser + 1];
  if (first === undefined) return {};
  const budgets = first.before.tasks.map(({ budget }) => budget ?? {});
  const sums = shared.flatMap((limit) => {
    const all = budgets.flatMap((budget) => budget[limit] ?? []);
    return all.length < budgets.length ? [] : [[limit, all.reduce((sum, one) => sum + one, 0)]];
  });
  return Object.fromEntries(sums) as PlanBudget;
}

/** Returns what models have used to change the plan, which counts for no task. */
function revisionUsage(events: readonly RunEvent[]): RunUsage {
  return events.reduce(
    (sum, event) =>
      event.type === 'revised' || event.type === 'revision-failed'
        ? addUsage(sum, event.usage)
        : sum,
    noUsage,
  );
}
