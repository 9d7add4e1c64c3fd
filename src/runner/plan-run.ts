/** Carries out one run of a plan: starts tasks when they are ready, checks their outputs, tries again, and ends once. */

import { errorText, ToolError } from '../spec/error.ts';
import type { Json, JsonText } from '../spec/json.ts';
import type { PlanBudget, PlanTask } from '../spec/plan.ts';
import type { RunLog } from './run-log.ts';
import { plusUsage, readyTasks, type RunUsage, type TaskState } from './run-record.ts';
import { briefing, reminder, retryMessage } from './task-messages.ts';

/** How a piece of work of a sub-agent ended. `idle`: its turn is over, and it has not finished its task. */
export type WorkEnd =
  | { readonly end: 'finished'; readonly output: JsonText }
  | { readonly end: 'idle' }
  | { readonly end: 'failed'; readonly reason: string };

/** A session that works on one task. */
export interface SubAgent {
  readonly session: string;
  readonly usage: RunUsage;
  /** Whether this message has been sent to it before. */
  hasReceived(message: string): boolean;
  /**
   * Sends a message and waits until nothing runs any more. With null it goes on where it was interrupted.
   * @throws the signal's reason
   */
  work(signal: AbortSignal, message: string | null): Promise<WorkEnd>;
  /** Holds it before its next step, or lets it go on. */
  setPaused(paused: boolean): void;
  /** Sends a message of the user while it works. */
  steer(text: string): void;
  /** Calls the listener when its usage may have changed. @returns dispose */
  observe(listener: () => void): () => void;
  close(): void;
}

export interface PlanRunDeps {
  readonly log: RunLog;
  /** Creates the session of a task. */
  readonly begin: (task: PlanTask) => Promise<SubAgent>;
  /** Opens the session of an earlier attempt; null if it was never stored. */
  readonly reopen: (task: PlanTask, session: string) => Promise<SubAgent | null>;
  /** The inputs of a task, with the contents of files. Rejects if one cannot be read. */
  readonly inputs: (task: PlanTask) => Promise<ReadonlyMap<string, Json>>;
  /** @returns why the output is not accepted; null if it is. Rejects if that cannot be found out. */
  readonly check: (
    signal: AbortSignal,
    task: PlanTask,
    agent: SubAgent,
    output: JsonText,
  ) => Promise<string | null>;
  /** @returns cancel */
  readonly after: (ms: number, then: () => void) => () => void;
  readonly report: (thrown: unknown) => void;
}

/** How often a sub-agent that stops without finishing is reminded, in each attempt. */
const mostReminders = 2;
const defaultRetries = 1;
const defaultParallel = 3;

interface Running {
  agent: SubAgent | null;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

export class PlanRun {
  readonly #deps: PlanRunDeps;
  readonly #stop = new AbortController();
  readonly #running = new Map<string, Running>();
  #wake: () => void = () => undefined;
  /** Why the run was stopped. */
  #reason = 'The user stopped the run.';
  /** Resolves when the run has ended, and nothing of it runs any more. Never rejects. */
  readonly ended: Promise<void>;

  /** Begins, or goes on. */
  constructor(deps: PlanRunDeps) {
    this.#deps = deps;
    this.ended = this.#drive().catch(deps.report);
  }

  pause(): void {
    const { log } = this.#deps;
    if (log.state.phase !== 'running') return;
    void log.append({ type: 'paused' }).catch(this.#deps.report);
    for (const { agent } of this.#running.values()) agent?.setPaused(true);
  }

  resume(): void {
    const { log } = this.#deps;
    if (log.state.phase !== 'paused') return;
    void log.append({ type: 'resumed' }).catch(this.#deps.report);
    for (const { agent } of this.#running.values()) agent?.setPaused(false);
    this.#wake();
  }

  stop(): void {
    this.#stop.abort();
    this.#wake();
  }

  /** Sends a message to the sub-agent of a running task. @returns false if none works on it */
  steer(task: string, text: string): boolean {
    const agent = this.#running.get(task)?.agent ?? null;
    agent?.steer(text);
    return agent !== null;
  }

  async #drive(): Promise<void> {
    const { log, after } = this.#deps;
    const { plan } = log.state;
    const minutes = plan.budget?.minutes;
    const cancelDeadline =
      minutes === undefined
        ? undefined
        : after(minutes * 60_000, () => {
            this.#endEarly(`The budget of ${minutes} minutes is used up.`);
          });
    try {
      for (;;) {
        if (!this.#stop.signal.aborted && log.state.phase === 'running') this.#startReady();
        const mayGoOn = log.state.phase === 'paused' && !this.#stop.signal.aborted;
        if (this.#running.size === 0 && !mayGoOn) break;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      cancelDeadline?.();
    }
    await log.append({ type: 'ended', ...this.#outcome() });
  }

  #outcome(): { readonly end: 'done' | 'stuck' | 'stopped'; readonly reason: string } {
    const { tasks } = this.#deps.log.state;
    const all = [...tasks];
    if (all.every(([, { phase }]) => phase === 'done')) return { end: 'done', reason: '' };
    const failed = all.find(([, { phase }]) => phase === 'failed');
    if (this.#stop.signal.aborted) return { end: 'stopped', reason: this.#reason };
    const why = failed === undefined ? '' : `The task ${failed[0]} failed: ${failed[1].reason}`;
    return { end: 'stuck', reason: why };
  }

  #endEarly(reason: string): void {
    if (this.#stop.signal.aborted) return;
    this.#reason = reason;
    this.stop();
  }

  #startReady(): void {
    const { log } = this.#deps;
    const { plan, tasks } = log.state;
    const most = plan.parallel ?? defaultParallel;
    const begun = [...tasks].flatMap(([id, { phase }]) =>
      phase === 'running' || phase === 'checking' ? [id] : [],
    );
    for (const id of [...begun, ...readyTasks(log.state)]) {
      if (this.#running.size >= most) return;
      const task = plan.tasks.find((one) => one.id === id);
      if (task === undefined || this.#running.has(id)) continue;
      const stop = new AbortController();
      const running: Running = {
        ...{ agent: null, stop },
        // Later, so that the task is in the map when it begins.
        ended: Promise.resolve().then(() => this.#carryOut(task, running)),
      };
      this.#running.set(id, running);
    }
  }

  /** Carries out one task to its end. Never rejects. */
  async #carryOut(task: PlanTask, running: Running): Promise<void> {
    const { log, report } = this.#deps;
    const signal = AbortSignal.any([this.#stop.signal, running.stop.signal]);
    let end: 'done' | 'failed' | 'stopped' = 'failed';
    let reason: string;
    try {
      reason = await this.#attempts(signal, task, running);
      end = 'done';
    } catch (thrown) {
      reason = errorText(running.stop.signal.aborted ? running.stop.signal.reason : thrown);
      if (this.#stop.signal.aborted) {
        end = 'stopped';
        reason = this.#reason;
      } else if (!isExpected(thrown) && !signal.aborted) report(thrown);
    }
    const usage = running.agent?.usage;
    running.agent?.close();
    try {
      const known = log.state.tasks.get(task.id)?.usage;
      const total = usage ?? known ?? { calls: 0, tokens: 0, cost: null };
      await log.append({ type: 'task-ended', task: task.id, end, reason, usage: total });
    } catch (thrown) {
      // Storage has failed: what is done from here on could not be known after a reload.
      this.#endEarly(`The record of the run could not be stored: ${errorText(thrown)}`);
    } finally {
      this.#running.delete(task.id);
      this.#wake();
    }
  }

  /** @returns what the check has found @throws {TaskFailure} */
  async #attempts(signal: AbortSignal, task: PlanTask, running: Running): Promise<string> {
    const { log, check } = this.#deps;
    const { id } = task;
    let message = await this.#openAgent(task, running);
    const { agent } = running;
    if (agent === null) throw new TaskFailure('The session could not be opened.');
    const unobserve = agent.observe(() => {
      this.#checkBudgets(task, running);
    });
    try {
      for (;;) {
        signal.throwIfAborted();
        const known = this.#taskState(id);
        const output =
          known.phase === 'checking' && known.output !== null
            ? known.output
            : await this.#work(signal, agent, message);
        if (known.phase !== 'checking')
          await log.append({ type: 'task-finished', task: id, attempt: known.attempt, output });
        const fault = task.check === undefined ? null : await check(signal, task, agent, output);
        signal.throwIfAborted();
        if (fault === null) return task.check === undefined ? '' : 'The check has passed.';
        message = await this.#failAttempt(task, agent, fault);
      }
    } finally {
      unobserve();
    }
  }

  /** Opens or begins the session. @returns the message to send; null to go on where it was interrupted */
  async #openAgent(task: PlanTask, running: Running): Promise<string | null> {
    const { log, begin, reopen } = this.#deps;
    const { attempt, session, failures, phase } = this.#taskState(task.id);
    running.agent = session === '' ? null : await reopen(task, session);
    if (running.agent !== null) {
      if (log.state.phase === 'paused') running.agent.setPaused(true);
      if (phase === 'checking') return null;
      const fault = failures[attempt - 2];
      const missing = attempt > 1 && fault !== undefined ? retryMessage(fault) : null;
      return missing !== null && !running.agent.hasReceived(missing) ? missing : null;
    }
    const first = await this.#briefing(task);
    running.agent = await begin(task);
    const next = Math.max(1, attempt);
    await log.append({
      ...{ type: 'task-began', task: task.id, attempt: next, session: running.agent.session },
    });
    return first;
  }

  async #briefing(task: PlanTask): Promise<string> {
    const { log, inputs } = this.#deps;
    const outputs = new Map(
      (task.depends_on ?? []).flatMap((id) => {
        const { output } = this.#taskState(id);
        return output === null ? [] : [[id, output] as const];
      }),
    );
    return briefing(log.state.plan, task, await inputs(task), outputs);
  }

  /** @returns the output that the sub-agent hands over @throws {TaskFailure} */
  async #work(signal: AbortSignal, agent: SubAgent, message: string | null): Promise<JsonText> {
    let worked = await agent.work(signal, message);
    for (let n = 0; worked.end === 'idle' && n < mostReminders; n += 1)
      worked = await agent.work(signal, reminder);
    signal.throwIfAborted();
    if (worked.end === 'finished') return worked.output;
    throw new TaskFailure(
      worked.end === 'failed'
        ? worked.reason
        : `The model stopped without calling finish, also after ${mostReminders} reminders.`,
    );
  }

  /** @returns the message for the next attempt @throws {TaskFailure} if there is none */
  async #failAttempt(task: PlanTask, agent: SubAgent, fault: string): Promise<string> {
    const { log } = this.#deps;
    const { attempt, failures } = this.#taskState(task.id);
    await log.append({ type: 'attempt-failed', task: task.id, attempt, reason: fault });
    if (failures.at(-1) === fault)
      throw new TaskFailure(`The check failed twice for the same reason: ${fault}`);
    if (attempt > (task.retries ?? defaultRetries)) throw new TaskFailure(fault);
    await log.append({
      ...{ type: 'task-began', task: task.id, attempt: attempt + 1, session: agent.session },
    });
    return retryMessage(fault);
  }

  #checkBudgets(task: PlanTask, running: Running): void {
    const { log } = this.#deps;
    const { plan, tasks } = log.state;
    const own = running.agent?.usage;
    if (own === undefined) return;
    const usedUp = exceeded(task.budget, own);
    if (usedUp !== null && !running.stop.signal.aborted)
      running.stop.abort(new TaskFailure(`The task’s budget of ${usedUp} is used up.`));
    let all: RunUsage = { calls: 0, tokens: 0, cost: null };
    for (const [id, { usage }] of tasks)
      all = plusUsage(all, this.#running.get(id)?.agent?.usage ?? usage);
    const total = exceeded(plan.budget, all);
    if (total !== null) this.#endEarly(`The budget of ${total} is used up.`);
  }

  #taskState(id: string): TaskState {
    const task = this.#deps.log.state.tasks.get(id);
    if (task === undefined) throw new Error(`The plan has no task ${id}.`);
    return task;
  }
}

/** An expected end of a task, whose message is for the user. */
class TaskFailure extends Error {}

function isExpected(thrown: unknown): boolean {
  return thrown instanceof TaskFailure || thrown instanceof ToolError;
}

/** The limit that is exceeded, such as `100 calls`; null if none is. */
function exceeded(budget: PlanBudget | undefined, used: RunUsage): string | null {
  if (budget === undefined) return null;
  const { calls, tokens, cost } = budget;
  if (calls !== undefined && used.calls > calls) return `${calls.toLocaleString('en')} calls`;
  if (tokens !== undefined && used.tokens > tokens) return `${tokens.toLocaleString('en')} tokens`;
  if (cost !== undefined && used.cost !== null && used.cost > cost) return `$${cost}`;
  return null;
}
