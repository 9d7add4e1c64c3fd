/** All runs of evaluations of this browser: those that were stored, and those that this page carries out. */

import { parseEvent, readEvents, type EventLogDeps } from '../runner/event-log.ts';
import { KnownRuns } from '../runner/known-runs.ts';
import type { PlanRunsDeps } from '../runner/plan-runs.ts';
import { errorText, ToolError } from '../../runtime/spec/error.ts';
import {
  noEvalUsage,
  evalUsageOf,
  type EvalEvent,
  type EvalFact,
  type EvalLimits,
  type EvalLog,
  type EvalState,
  type EvalUsage,
} from './eval-record.ts';
import { EvalRun, evalLog, type EvalRunDeps } from './eval-run.ts';
import type { Trials, TrialSessions } from './trial-sessions.ts';

export interface EvalRunsDeps
  extends
    Pick<EvalRunDeps, 'after' | 'now' | 'report'>,
    Pick<
      PlanRunsDeps,
      'store' | 'hold' | 'newId' | 'announce' | 'observeOthers' | 'removeSession'
    > {
  /** Rejects if the run's folder is not open. */
  readonly openTrials: (log: EvalLog) => Promise<Trials & Pick<TrialSessions, 'close'>>;
  readonly isEvaluation: (value: unknown) => boolean;
}

export class EvalRuns extends KnownRuns<EvalLog, EvalRun, null> {
  readonly #deps: EvalRunsDeps;
  /** Runs whose stored record does not say what they are about. */
  readonly #damaged = new Set<string>();
  /** Resolves when the stored runs are loaded. Never rejects. */
  readonly loaded: Promise<void>;

  constructor(deps: EvalRunsDeps) {
    super(deps.report);
    this.#deps = deps;
    this.loaded = this.#load().catch(deps.report);
    deps.observeOthers((id) => void this.#follow(id).catch(deps.report));
  }

  /** Ids of stored runs whose record does not say what they are about; they can only be deleted. */
  damaged(): readonly string[] {
    return [...this.#damaged];
  }

  get(id: string): EvalState | undefined {
    return this.runs.get(id)?.log.state;
  }

  /** All that the run has used until now. */
  usage(id: string): EvalUsage {
    const known = this.runs.get(id);
    if (known === undefined) return noEvalUsage;
    return known.active?.usage ?? evalUsageOf(known.log.state);
  }

  /** Starts a run. @returns the run's id @throws {ToolError} */
  async start(fact: Extract<EvalFact, { type: 'created' }>): Promise<string> {
    const { newId, now, store, announce } = this.#deps;
    const id = newId();
    const first: EvalEvent = { ...fact, n: 0, at: now() };
    await store.append(id, 0, JSON.stringify(first));
    announce(id);
    this.#add(id, [first]);
    await this.#activate(id);
    return id;
  }

  /**
   * Continues with the trials that are left. Interrupted trials start again.
   * @throws {ToolError}
   */
  async resume(id: string, limits: EvalLimits): Promise<void> {
    await this.#activate(id, limits);
  }

  stop(id: string): void {
    this.runs.get(id)?.active?.stop();
  }

  /**
   * Stops a run and deletes its record, damaged or not, and the sessions of its trials.
   * @throws {ToolError} `not-found`; `bad-input` if another tab carries the run out
   */
  async remove(id: string): Promise<void> {
    const { store, hold, removeSession, announce } = this.#deps;
    const active = this.#damaged.has(id) ? null : this.expectRun(id).active;
    active?.stop();
    await active?.ended;
    const release = await hold(id);
    if (release === null)
      throw new ToolError('bad-input', 'Another tab controls this run.', 'Stop it in that tab.');
    let sessions: ReadonlySet<string>;
    try {
      // Another page may have begun trials that this one has not read.
      sessions = sessionsIn(await store.read(id, 0));
      await store.remove(id);
      this.#forget(id);
    } finally {
      release();
    }
    for (const session of sessions) removeSession(session);
    announce(id);
  }

  async #activate(id: string, limits?: EvalLimits): Promise<void> {
    const known = this.expectRun(id);
    const { hold, openTrials, after, now, report } = this.#deps;
    if (known.active !== null) return;
    const release = await hold(id);
    if (release === null)
      throw new ToolError('bad-input', 'Another tab controls this run.', 'Continue in that tab.');
    try {
      await this.#read(id);
      // Another page may have deleted the run.
      this.expectRun(id);
      const trials = await openTrials(known.log);
      if (limits !== undefined) await known.log.append({ type: 'resumed', limits });
      const run = new EvalRun({ trials, log: known.log, after, now, report });
      known.active = run;
      known.fault = '';
      void run.ended.then(() => {
        known.active = null;
        known.fault = run.fault;
        trials.close();
        release();
        this.#notify();
      });
      this.#notify();
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  get #logDeps(): EventLogDeps<EvalState> {
    const { store, now, announce } = this.#deps;
    return { store, now, onChange: () => this.#notify(), onStored: announce };
  }

  #add(id: string, events: readonly EvalEvent[]): void {
    this.runs.set(id, { log: evalLog(id, events, this.#logDeps), active: null, fault: '' });
    this.#notify();
  }

  #forget(id: string): void {
    this.runs.delete(id);
    this.#damaged.delete(id);
    this.#notify();
  }

  /** Reads what another page has stored. */
  async #read(id: string): Promise<void> {
    this.#take(id, await this.#deps.store.read(id, 0));
  }

  /** @param values all stored events of the run */
  #take(id: string, values: readonly unknown[]): void {
    const known = this.runs.get(id);
    if (values.length === 0) {
      this.#forget(id);
      return;
    }
    try {
      const events = readEvents(
        values,
        0,
        ({ type, evaluation }) => type !== 'created' || this.#deps.isEvaluation(evaluation),
      ) as unknown as readonly EvalEvent[];
      if (known !== undefined && events.length > 0) known.log.extend(events);
      else this.#add(id, events);
      this.#damaged.delete(id);
    } catch (thrown) {
      if (this.#damaged.has(id)) return;
      this.runs.delete(id);
      this.#damaged.add(id);
      this.#deps.report(new Error(`The stored run ${id} is damaged: ${errorText(thrown)}`));
      this.#notify();
    }
  }

  async #follow(id: string): Promise<void> {
    await this.loaded;
    if (!this.isActive(id)) await this.#read(id);
  }

  #notify(): void {
    this.emit(null);
  }

  async #load(): Promise<void> {
    for (const [id, values] of await this.#deps.store.load()) {
      if (!this.runs.has(id)) this.#take(id, values);
    }
  }
}

/** The sessions of all trials in a stored record, which may be damaged. */
function sessionsIn(values: readonly unknown[]): ReadonlySet<string> {
  const sessions = new Set<string>();
  for (const value of values) {
    const event = parseEvent(value);
    if (event?.type !== 'trial-began' || typeof event.session !== 'string') continue;
    if (event.session !== '') sessions.add(event.session);
  }
  return sessions;
}
