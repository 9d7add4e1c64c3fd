/** Carries out one task of a run with a sub-agent: work, reminders, checks and further attempts, to one end. */

import { wait } from '../../runtime/async/wait.ts';
import { ToolError, errorWithHint } from '../../runtime/spec/error.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type { PlanBudget, PlanTask } from '../../runtime/spec/plan.ts';
import { Allowance, type AllowanceDeps } from './allowance.ts';
import { expressionIn, TaskEndError } from './task-checks.ts';
import { isStorage } from './event-log.ts';
import type { RunLog } from './run-log.ts';
import { countText } from '../../runtime/spec/count-text.ts';
import {
  minutesText,
  noUsage,
  addUsage,
  type RunUsage,
  type TaskEnd,
  type TaskState,
} from './run-record.ts';
import { ignoresEarlierFailures, retriesOf } from './run-tasks.ts';
import type { SubAgents } from './sub-agents.ts';
import { maxRepeats, noProgress, type SubAgent, type WorkEnd } from './sub-agent.ts';
import { firstTaskMessage, reminder, retryMessage, userNote } from './task-messages.ts';

export interface TaskRunDeps extends AllowanceDeps {
  readonly log: RunLog;
  readonly agents: Pick<SubAgents, 'begin' | 'reopen' | 'inputs' | 'check' | 'failuresBefore'>;
  readonly report: (thrown: unknown) => void;
}

/** Number of times in each attempt that a sub-agent that stops without finishing is reminded. */
const maxReminders = 2;

/** The outcome of a task, before it is stored. */
interface Ending {
  readonly end: TaskEnd;
  readonly reason: string;
}

export class TaskRun {
  readonly task: PlanTask;
  readonly #deps: TaskRunDeps;
  /** Aborts with the reason for which the task ends. */
  readonly #stop = new AbortController();
  /** The working time that is left; null without a limit. */
  readonly #minutes: Allowance | null;
  /** Null while no session is open. */
  #agent: SubAgent | null = null;
  #onUsage: () => void;
  /** Ends the wait of {@link #waitWhilePaused}. */
  #proceed: () => void = () => undefined;
  /** Whether the sub-agent answers a message now. */
  #isWorking = false;
  /** The user's messages that the sub-agent has received, as places in the record's list of messages. */
  readonly #told = new Set<number>();

  /** @param onUsage called when what the task uses may have changed */
  constructor(task: PlanTask, onUsage: () => void, deps: TaskRunDeps) {
    this.task = task;
    this.#deps = deps;
    this.#onUsage = onUsage;
    const minutes = task.budget?.minutes;
    this.#minutes =
      minutes === undefined
        ? null
        : new Allowance(
            minutes * 60_000 - this.#state.activeMs,
            () => this.#fail(usedUp(minutesText(minutes))),
            deps,
          );
  }

  /** The usage of the task until now, in all of its attempts. */
  get usage(): RunUsage {
    const { usage, otherUsage } = this.#state;
    return this.#agent === null ? usage : addUsage(otherUsage, this.#agent.usage);
  }

  /** Carries the task out. Rejects only if its end cannot be stored. */
  async run(): Promise<void> {
    const { log } = this.#deps;
    const { end, reason } = await this.#ending();
    this.#minutes?.hold();
    const { usage } = this;
    this.#agent?.close();
    this.#agent = null;
    await log.append({ type: 'task-ended', task: this.task.id, end, reason, usage });
  }

  /** Ends the task as soon as possible; it may go on later. */
  stop(reason: string): void {
    this.#stop.abort(new TaskEndError('stopped', reason));
  }

  /** Holds the sub-agent before its next step, or lets it continue, by the state of the run. */
  followPause(): void {
    const isPaused = this.#deps.log.state.phase === 'paused';
    this.#agent?.setPaused(isPaused);
    if (isPaused) this.#minutes?.hold();
    else {
      this.#minutes?.go();
      this.#proceed();
    }
  }

  /**
   * Gives the sub-agent the messages of the user that it has not received. If it does not work, it
   * gets them along with the next message of the runner.
   * @returns whether the sub-agent works
   */
  steer(): boolean {
    if (this.#agent === null || !this.#isWorking || this.#stop.signal.aborted) return false;
    for (const text of this.#takeUnsent()) this.#agent.steer(text);
    return true;
  }

  /** The user's messages for the task that its sub-agent has not received, and which the caller sends to it. */
  #takeUnsent(): readonly string[] {
    return this.#messages.flatMap(([place, text]) => {
      if (this.#told.has(place)) return [];
      this.#told.add(place);
      return [text];
    });
  }

  /** Finds out from its session which of the user's messages the sub-agent has received. */
  #recall(agent: SubAgent): void {
    this.#told.clear();
    const before = new Map<string, number>();
    for (const [place, text] of this.#messages) {
      const nth = (before.get(text) ?? 0) + 1;
      before.set(text, nth);
      const received = agent.timesReceived(text) + agent.timesReceived(userNote(text));
      if (received >= nth) this.#told.add(place);
    }
  }

  /** The user's messages for the task or for all, each with its place in the record's list. */
  get #messages(): readonly (readonly [number, string])[] {
    return this.#deps.log.state.messages.flatMap(({ task, text }, place) =>
      task === null || task === this.task.id ? [[place, text] as const] : [],
    );
  }

  #fail(reason: string): void {
    this.#stop.abort(new TaskEndError('failed', reason));
  }

  async #ending(): Promise<Ending> {
    const { signal } = this.#stop;
    try {
      return { end: 'done', reason: await this.#attempts(signal) };
    } catch (caught) {
      const thrown: unknown = signal.aborted ? signal.reason : caught;
      if (thrown instanceof TaskEndError) return { end: thrown.end, reason: thrown.message };
      if (!(thrown instanceof ToolError)) this.#deps.report(thrown);
      // A sub-agent that has begun continues later, and does not repeat what it has done.
      const isLater = this.#state.session !== '' || isStorage(thrown);
      const end = isLater ? 'stopped' : 'failed';
      return { end, reason: errorWithHint(thrown) };
    }
  }

  /** @returns what the check has found @throws {TaskEndError} */
  async #attempts(signal: AbortSignal): Promise<string> {
    const { log, agents } = this.#deps;
    const { id } = this.task;
    let message = await this.#openAgent(signal);
    const agent = this.#agent;
    if (agent === null) throw new TaskEndError('stopped', 'The session could not be opened.');
    const unobserve = agent.observe(() => this.#checkLimits(agent));
    try {
      for (;;) {
        signal.throwIfAborted();
        const known = this.#state;
        const output = known.output ?? (await this.#work(signal, agent, message));
        if (known.phase !== 'checking')
          await log.append({ type: 'task-finished', task: id, attempt: known.attempt, output });
        const checking = this.task.check && agents.check(signal, this.task, agent, output);
        const found = await (checking && wait(signal, checking));
        if (found === undefined) return '';
        if (found.fault === null) {
          await this.#count(found.usage);
          return found.words || 'The check has passed.';
        }
        message = await this.#failAttempt(agent, found.fault, found.usage);
      }
    } finally {
      unobserve();
    }
  }

  /** Opens or begins the session. @returns the message to send; null to continue without one */
  async #openAgent(signal: AbortSignal): Promise<string | null> {
    const { log, agents } = this.#deps;
    const { session, failures, phase } = this.#state;
    if (session !== '') {
      const agent = await this.#take(signal, agents.reopen(this.task, session));
      if (agent !== null) {
        this.#recall(agent);
        if (phase === 'checking') return null;
        // The sub-agent was interrupted before its first message.
        if (!agent.hasBegun) {
          await this.#noteEarlierFailures(signal, agent);
          return this.#briefing();
        }
        // The page may have ended after a check had failed, and before the next attempt began.
        const { attempt } = this.#state;
        const fault = failures.at(-1);
        if (fault === undefined) return null;
        const message = retryMessage(fault);
        if (failures.length >= attempt) return this.#nextAttempt(agent, fault);
        const wanted = failures.filter((one) => one === fault).length;
        return agent.timesReceived(message) < wanted ? message : null;
      }
    }
    const first = await wait(signal, this.#briefing());
    const agent = await this.#take(signal, agents.begin(this.task));
    if (agent === null) throw new TaskEndError('stopped', 'The session could not be created.');
    const attempt = Math.max(1, failures.length + 1);
    await log.append({ type: 'task-began', task: this.task.id, attempt, ...workerOf(agent) });
    await this.#noteEarlierFailures(signal, agent);
    const fault = failures.at(-1);
    return fault === undefined ? first : `${first}\n\n${retryMessage(fault)}`;
  }

  /**
   * Runs the check before the task has changed anything, if the failures that it finds then do not count. An expression
   * that is not valid ends the task before a model is asked.
   */
  async #noteEarlierFailures(signal: AbortSignal, agent: SubAgent): Promise<void> {
    const { log, agents } = this.#deps;
    const { check } = this.task;
    const isNoted = ignoresEarlierFailures(check);
    if (check === undefined || (!isNoted && expressionIn(check) === null)) return;
    if (this.#state.earlierFailures !== null) return;
    await this.#waitWhilePaused(signal);
    const failures = await wait(signal, agents.failuresBefore(signal, this.task, agent));
    if (isNoted) await log.append({ type: 'earlier-failures', task: this.task.id, failures });
  }

  /** Waits for a session. A session that comes too late is closed. */
  async #take(signal: AbortSignal, coming: Promise<SubAgent | null>): Promise<SubAgent | null> {
    try {
      this.#agent = await wait(signal, coming);
    } catch (thrown) {
      void coming.then(
        (agent) => agent?.close(),
        () => undefined,
      );
      throw thrown;
    }
    this.followPause();
    return this.#agent;
  }

  async #briefing(): Promise<string> {
    const { log, agents } = this.#deps;
    const { plan, tasks } = log.state;
    const outputs = new Map(
      (this.task.depends_on ?? []).flatMap((id) => {
        const output = tasks.get(id)?.output ?? null;
        return output === null ? [] : [[id, output] as const];
      }),
    );
    return firstTaskMessage(plan, this.task, await agents.inputs(this.task), outputs);
  }

  /** @returns the output that the sub-agent hands over @throws {TaskEndError} */
  async #work(signal: AbortSignal, agent: SubAgent, message: string | null): Promise<JsonText> {
    let worked = await this.#workOnce(signal, agent, message);
    for (let n = 0; worked.end === 'idle' && n < maxReminders; n += 1)
      worked = await this.#workOnce(signal, agent, reminder);
    this.#checkLimits(agent);
    signal.throwIfAborted();
    if (worked.end === 'finished') return worked.output;
    if (worked.end === 'interrupted') throw new TaskEndError('stopped', worked.reason);
    throw new TaskEndError(
      'failed',
      worked.end === 'failed'
        ? worked.reason
        : `The model stopped without calling finish, also after ${maxReminders} reminders.`,
    );
  }

  /** Sends a message, with what the user has said in the meantime, and waits for the end of the work. */
  async #workOnce(signal: AbortSignal, agent: SubAgent, message: string | null): Promise<WorkEnd> {
    await this.#waitWhilePaused(signal);
    this.#isWorking = true;
    try {
      return await agent.work(signal, message, this.#takeUnsent().map(userNote));
    } finally {
      this.#isWorking = false;
      // A sub-agent that had already finished has not received the user's messages.
      if (message === null) this.#recall(agent);
    }
  }

  /** @returns the message for the next attempt @throws {TaskEndError} if there is none */
  async #failAttempt(agent: SubAgent, fault: string, usage: RunUsage): Promise<string> {
    const { id } = this.task;
    const { attempt } = this.#state;
    await this.#deps.log.append({
      type: 'attempt-failed',
      task: id,
      attempt,
      reason: fault,
      usage,
    });
    return this.#nextAttempt(agent, fault);
  }

  async #nextAttempt(agent: SubAgent, fault: string): Promise<string> {
    const { id } = this.task;
    const { attempt, failures } = this.#state;
    if (failures.at(-2) === fault)
      throw new TaskEndError('failed', `The check failed twice for the same reason: ${fault}`);
    if (attempt > retriesOf(this.task)) throw new TaskEndError('failed', fault);
    await this.#deps.log.append({
      type: 'task-began',
      task: id,
      attempt: attempt + 1,
      ...workerOf(agent),
    });
    this.#onUsage();
    return retryMessage(fault);
  }

  /** Counts the usage of a check that has passed. */
  async #count(usage: RunUsage): Promise<void> {
    if (usage.calls + usage.tokens + (usage.cost ?? 0) === 0) return;
    await this.#deps.log.append({ type: 'checked', task: this.task.id, usage });
  }

  /** Ends the task if the sub-agent has used more than its budget, or repeats itself. */
  #checkLimits(agent: SubAgent): void {
    if (this.#stop.signal.aborted) return;
    const over = findExceededLimit(this.task.budget, this.usage);
    if (over !== null) this.#fail(usedUp(over));
    else if (agent.repeats >= maxRepeats) this.#fail(noProgress);
    this.#onUsage();
  }

  async #waitWhilePaused(signal: AbortSignal): Promise<void> {
    while (this.#deps.log.state.phase === 'paused')
      await wait(
        signal,
        new Promise<void>((resolve) => {
          this.#proceed = resolve;
        }),
      );
  }

  get #state(): TaskState {
    const task = this.#deps.log.state.tasks.get(this.task.id);
    if (task === undefined) throw new Error(`The plan has no task ${this.task.id}.`);
    return task;
  }
}

function usedUp(limit: string): string {
  return `The task’s budget of ${limit} is used up.`;
}

/** The limit that is exceeded, such as `100 calls`; null if none is. */
export function findExceededLimit(
  budget: PlanBudget | undefined,
  used: RunUsage = noUsage,
): string | null {
  if (budget === undefined) return null;
  const { calls, tokens, cost } = budget;
  if (calls !== undefined && used.calls > calls) return countText(calls, 'call');
  if (tokens !== undefined && used.tokens > tokens) return countText(tokens, 'token');
  if (cost !== undefined && used.cost !== null && used.cost > cost) return `$${cost}`;
  return null;
}

/** The session and the model of a sub-agent, as the record has them. */
function workerOf({ session, model }: SubAgent): Pick<TaskState, 'session' | 'model'> {
  return { session, ...(model !== undefined && { model }) };
}
