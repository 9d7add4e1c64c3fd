/** Carries out one run of an evaluation: its trials, a few at a time, within its limits. */

import { wait } from '../../runtime/async/wait.ts';
import { ToolError, errorWithHint } from '../../runtime/spec/error.ts';
import {
  defaultMinutes,
  defaultParallel,
  defaultSteps,
  messagesOf,
} from '../../runtime/spec/evaluation.ts';
import { EventLog, isStorage } from '../runner/event-log.ts';
import {
  applyEvalEvent,
  noEvalUsage,
  addEvalUsage,
  evalUsageOf,
  type EvalFact,
  type EvalLog,
  type EvalLimits,
  type EvalState,
  type EvalUsage,
  type Trial,
} from './eval-record.ts';
import { judgeTrial, wrongExpectation } from './judge-trial.ts';
import type { Trials, TrialSession } from './trial-sessions.ts';

export interface EvalRunDeps {
  readonly log: EvalLog;
  readonly trials: Trials;
  readonly after: (ms: number, then: () => void) => () => void;
  readonly now: () => number;
  readonly report: (thrown: unknown) => void;
}

/** Longest answer that is kept in the record; characters. */
const maxAnswerChars = 2_000;

export class EvalRun {
  readonly #deps: EvalRunDeps;
  readonly #stop = new AbortController();
  /** The usage of each running trial so far. */
  readonly #live = new Map<string, EvalUsage>();
  #reason = 'You stopped the run.';
  /** Why the record could not be stored; empty if it could. */
  fault = '';
  /** Resolves when the run has ended. Never rejects. */
  readonly ended: Promise<void>;

  constructor(deps: EvalRunDeps) {
    this.#deps = deps;
    this.ended = this.#drive().catch((thrown: unknown) => {
      this.fault = errorWithHint(thrown);
      if (!(thrown instanceof ToolError)) deps.report(thrown);
    });
  }

  /** All that the run has used until now. */
  get usage(): EvalUsage {
    return [...this.#live.values()].reduce(addEvalUsage, evalUsageOf(this.#deps.log.state));
  }

  stop(reason = 'You stopped the run.'): void {
    if (this.#stop.signal.aborted) return;
    this.#reason = reason;
    this.#stop.abort(new Stopped(reason));
  }

  async #drive(): Promise<void> {
    const { log, trials } = this.#deps;
    // Trials that were running when the page was closed wait again, without their sessions.
    for (const { key, phase, session } of log.state.trials.values())
      if (phase === 'running')
        await log.append({ type: 'trial-dropped', trial: key, usage: await trials.drop(session) });
    const left = [...log.state.trials.values()].filter(({ phase }) => phase === 'waiting');
    // @mutant evaluations: wrong expressions are found before a model is asked => left.length > 0 -> false
    //   [src/agent/evals/eval-runs.test.ts]
    if (left.length > 0) await this.#checkExpectations();
    const next = async (): Promise<void> => {
      for (;;) {
        const trial = left.shift();
        if (trial === undefined || this.#stop.signal.aborted) return;
        await this.#try(trial);
      }
    };
    const workers = Math.min(log.state.evaluation.parallel ?? defaultParallel, left.length);
    const ends = await Promise.allSettled(Array.from({ length: workers }, next));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    const isDone = [...log.state.trials.values()].every(
      ({ phase }) => phase !== 'waiting' && phase !== 'running',
    );
    await log.append({
      type: 'ended',
      end: isDone ? 'done' : 'stopped',
      reason: isDone ? '' : this.#reason,
    });
  }

  /** Stops the run if an expression is not valid Python. If Python does not start, the trials report that. */
  async #checkExpectations(): Promise<void> {
    const { log, trials } = this.#deps;
    const { signal } = this.#stop;
    const wrong = await wrongExpectation(log.state.evaluation, (...asked) =>
      wait(signal, trials.compare(signal, ...asked)),
    ).catch(() => '');
    if (wrong !== '') this.stop(wrong);
  }

  /** Carries out a trial. Rejects only if the record cannot be stored. */
  async #try(trial: Trial): Promise<void> {
    const { log, trials, after, now } = this.#deps;
    const { evaluation } = log.state;
    const { key } = trial;
    const stop = new AbortController();
    const signal = AbortSignal.any([this.#stop.signal, stop.signal]);
    const began = now();
    const minutes = evaluation.minutes ?? defaultMinutes;
    const cancel = after(minutes * 60_000, () => {
      stop.abort(new Failed(`The trial took longer than ${minutes} minutes.`));
    });
    let requests = 0;
    /** The usage of the judge, which no session counts. */
    let judgeUsage = noEvalUsage;
    let session: TrialSession | null = null;
    const currentUsage = (): EvalUsage =>
      addEvalUsage({ ...noEvalUsage, ...session?.usage, requests }, judgeUsage);
    const onUsage = (): void => {
      this.#live.set(key, currentUsage());
      this.#stopIfUsedUp();
    };
    const onRequest = (): void => {
      signal.throwIfAborted();
      const max = evaluation.steps ?? defaultSteps;
      // @mutant evaluations: requests of a trial => >= max -> < 0 [src/agent/evals/eval-runs.test.ts]
      if (requests >= max) stop.abort(new Failed(`The model needed more than ${max} requests.`));
      this.#stopBeforeRequest();
      signal.throwIfAborted();
      requests += 1;
      onUsage();
    };
    let ended: Pick<Extract<EvalFact, { type: 'trial-ended' }>, 'end' | 'reasons'>;
    try {
      const opened = await trials.begin(trial, onRequest, onUsage);
      session = opened;
      await log.append({ type: 'trial-began', trial: key, session: opened.session });
      await this.#work(signal, trial, opened);
      const reasons = await judgeTrial(
        evaluation.prompts[trial.prompt]?.expect,
        opened.calls,
        opened.answer,
        {
          compare: (...asked) => wait(signal, trials.compare(signal, ...asked)),
          ask: async (statement) => {
            this.#stopBeforeRequest();
            signal.throwIfAborted();
            judgeUsage = addEvalUsage(judgeUsage, { ...noEvalUsage, requests: 1 });
            onUsage();
            const asked = trials.ask(signal, trial, opened, statement);
            const found = await wait(signal, asked);
            judgeUsage = addEvalUsage(judgeUsage, { ...found.usage, calls: 0, requests: 0 });
            onUsage();
            return found.fault;
          },
        },
      );
      ended = { end: reasons.length === 0 ? 'passed' : 'failed', reasons };
    } catch (caught) {
      // Once the trial has been stopped, any error that it throws is a consequence of that.
      const thrown: unknown = signal.aborted ? signal.reason : caught;
      if (isStorage(thrown)) throw thrown;
      // A stopped trial waits again.
      if (thrown instanceof Stopped) {
        session?.close();
        this.#live.delete(key);
        if (session !== null) {
          const used = currentUsage();
          await trials.drop(session.session);
          await log.append({ type: 'trial-dropped', trial: key, usage: used });
        }
        return;
      }
      const end = thrown instanceof Failed ? 'failed' : 'error';
      ended = { end, reasons: [{ text: errorWithHint(thrown).slice(0, 2_000), judged: false }] };
    } finally {
      cancel();
    }
    session?.close();
    this.#live.delete(key);
    await log.append({
      type: 'trial-ended',
      trial: key,
      ...ended,
      usage: currentUsage(),
      ms: now() - began,
      answer: (session?.answer ?? '').slice(0, maxAnswerChars),
    });
    this.#stopIfUsedUp();
  }

  async #work(signal: AbortSignal, trial: Trial, session: TrialSession): Promise<void> {
    const prompt = this.#deps.log.state.evaluation.prompts[trial.prompt];
    for (const message of prompt === undefined ? [] : messagesOf(prompt)) {
      const worked = await session.work(signal, message);
      signal.throwIfAborted();
      if (worked.end === 'failed' || worked.end === 'interrupted') throw new Error(worked.reason);
    }
  }

  /** Stops the run if it has used more than its limits. */
  #stopIfUsedUp(): void {
    const over = usedUp(this.#deps.log.state.limits, this.usage);
    if (over !== null) this.stop(over);
  }

  /** Stops the run if it may send no further request. */
  #stopBeforeRequest(): void {
    const { limits } = this.#deps.log.state;
    const { usage } = this;
    const over = usedUp(limits, { ...usage, requests: usage.requests + 1 });
    if (over !== null) this.stop(over);
  }
}

/** Thrown in all trials when the run is stopped. */
class Stopped extends Error {}

/** Thrown when the model did not do what was expected. */
class Failed extends Error {}

function usedUp(limits: EvalLimits, { requests, tokens, cost }: EvalUsage): string | null {
  const limitReachedText = (amount: string): string => `The limit of ${amount} is reached.`;
  if (requests > limits.requests)
    return limitReachedText(`${limits.requests.toLocaleString('en')} requests`);
  if (tokens > limits.tokens)
    return limitReachedText(`${limits.tokens.toLocaleString('en')} tokens`);
  if (limits.cost !== null && cost !== null && cost > limits.cost)
    return limitReachedText(`$${limits.cost}`);
  return null;
}

/** The log of a run. @param events begin with `created` @throws {TypeError} if they do not */
export function evalLog(
  id: string,
  events: ConstructorParameters<typeof EventLog<EvalFact, EvalState>>[1],
  deps: ConstructorParameters<typeof EventLog<EvalFact, EvalState>>[3],
): EvalLog {
  return new EventLog<EvalFact, EvalState>(id, events, applyEvalEvent, deps);
}
