/** All runs of plans of this browser: those that were stored, and those that this page carries out. */

import { createObservers } from '../hooks/observe.ts';
import { errorText, ToolError } from '../spec/error.ts';
import { isRecord } from '../spec/guards.ts';
import type { Plan } from '../spec/plan.ts';
import { PlanRun, type PlanRunDeps } from './plan-run.ts';
import { RunLog, type RunStore } from './run-log.ts';
import { withDependents, type RunEvent, type RunFact, type RunState } from './run-record.ts';

export interface PlanRunsDeps extends Pick<PlanRunDeps, 'after' | 'report'> {
  readonly store: RunStore;
  /** What a run needs besides its log. */
  readonly parts: (log: RunLog) => Omit<PlanRunDeps, 'log' | 'after' | 'report'>;
  /** Takes the right to carry out a run; null if another page has it. @returns release */
  readonly hold: (run: string) => Promise<(() => void) | null>;
  readonly isPlan: (value: unknown) => boolean;
  readonly now: () => number;
  readonly newId: () => string;
  readonly onStorageFailure: (thrown: unknown) => void;
}

interface Known {
  readonly log: RunLog;
  /** Null while this page does not carry it out. */
  active: { readonly run: PlanRun; readonly release: () => void } | null;
}

export class PlanRuns {
  readonly #deps: PlanRunsDeps;
  readonly #runs = new Map<string, Known>();
  readonly #observers;
  /** Resolves when the stored runs are loaded. Never rejects. */
  readonly loaded: Promise<void>;

  constructor(deps: PlanRunsDeps) {
    this.#deps = deps;
    this.#observers = createObservers<RunState>(deps.report);
    this.loaded = this.#load().catch((thrown: unknown) => {
      deps.onStorageFailure(`Could not read the runs of plans: ${errorText(thrown)}`);
    });
  }

  /** Newest first. */
  list(): readonly RunState[] {
    return [...this.#runs.values()]
      .map(({ log }) => log.state)
      .sort((a, b) => b.createdAt - a.createdAt);
  }

  get(id: string): RunState | null {
    return this.#runs.get(id)?.log.state ?? null;
  }

  /** The record, oldest event first; empty if there is no such run. */
  events(id: string): readonly RunEvent[] {
    return this.#runs.get(id)?.log.events ?? [];
  }

  /** Whether this page carries the run out now. */
  isActive(id: string): boolean {
    return (this.#runs.get(id)?.active ?? null) !== null;
  }

  /** Calls the listener after every change of a run. @returns dispose */
  observe(listener: (run: RunState) => void): () => void {
    return this.#observers.observe(listener);
  }

  /** Resolves when a run that this page carries out has ended. */
  async settled(id: string): Promise<void> {
    await this.#runs.get(id)?.active?.run.ended;
  }

  /** Stores a run and begins it. @throws {ToolError} `storage` */
  async start(
    plan: Plan,
    about: Omit<Extract<RunFact, { readonly type: 'created' }>, 'type' | 'plan'>,
  ): Promise<RunState> {
    const { store, now, newId } = this.#deps;
    const id = newId();
    const log = await RunLog.begin(
      id,
      { type: 'created', plan, ...about },
      store,
      now,
      this.#changed,
    );
    this.#runs.set(id, { log, active: null });
    await this.#activate(id);
    return log.state;
  }

  pause(id: string): void {
    this.#runs.get(id)?.active?.run.pause();
  }

  /**
   * Goes on after a pause, a stop, a reload or a crash.
   * @throws {ToolError} `not-found`; `bad-input` if another tab carries the run out, or it has ended
   */
  async resume(id: string): Promise<void> {
    const { log, active } = this.#known(id);
    if (active !== null) {
      active.run.resume();
      return;
    }
    if (log.state.phase === 'done')
      throw new ToolError('bad-input', 'The run is done.', 'Run one of its tasks again instead.');
    await this.#activate(id, () => log.append({ type: 'resumed' }));
  }

  /**
   * Stops a run; what is done stays done. Resolves when nothing of it runs any more.
   * @throws {ToolError} `not-found`; `bad-input` if another tab carries the run out
   */
  async stop(id: string): Promise<void> {
    const { log, active } = this.#known(id);
    if (active !== null) {
      active.run.stop();
      await active.run.ended;
      return;
    }
    if (log.state.phase !== 'running' && log.state.phase !== 'paused') return;
    const release = await this.#hold(id);
    try {
      await log.append({ type: 'ended', end: 'stopped', reason: 'The user stopped the run.' });
    } finally {
      release();
    }
  }

  /** Carries a task out again, and all that depend on it. @throws {ToolError} */
  async again(id: string, task: string): Promise<void> {
    const { log, active } = this.#known(id);
    if (active !== null)
      throw new ToolError('bad-input', 'The run has not ended.', 'Stop it, or wait for its end.');
    const tasks = withDependents(log.state, task);
    await this.#activate(id, () => log.append({ type: 'again', tasks }));
  }

  /** Sends a message to the sub-agent of a running task. @returns false if none works on it */
  steer(id: string, task: string, text: string): boolean {
    return this.#runs.get(id)?.active?.run.steer(task, text) ?? false;
  }

  /** Stops a run and deletes its record. Sessions of its sub-agents stay. */
  async remove(id: string): Promise<void> {
    const { active, log } = this.#known(id);
    active?.run.stop();
    await active?.run.ended;
    this.#runs.delete(id);
    await this.#deps.store.remove(id);
    this.#observers.emit(log.state);
  }

  #known(id: string): Known {
    const known = this.#runs.get(id);
    if (known === undefined) throw new ToolError('not-found', 'There is no such run.');
    return known;
  }

  async #hold(id: string): Promise<() => void> {
    const release = await this.#deps.hold(id);
    if (release !== null) return release;
    throw new ToolError('bad-input', 'Another tab carries this run out.', 'Go on in that tab.');
  }

  /** @param before what is stored first, once no other page carries the run out */
  async #activate(id: string, before?: () => Promise<void>): Promise<void> {
    const { parts, after, report } = this.#deps;
    const known = this.#known(id);
    const release = await this.#hold(id);
    if (known.active !== null) {
      release();
      return;
    }
    try {
      await before?.();
    } catch (thrown) {
      release();
      throw thrown;
    }
    const run = new PlanRun({ ...parts(known.log), log: known.log, after, report });
    known.active = { run, release };
    void run.ended.then(() => {
      known.active = null;
      release();
      this.#changed(known.log.state);
    });
    this.#changed(known.log.state);
  }

  readonly #changed = (state: RunState): void => {
    this.#observers.emit(state);
  };

  async #load(): Promise<void> {
    const { store, now, report, isPlan } = this.#deps;
    for (const [id, values] of await store.load()) {
      if (this.#runs.has(id)) continue;
      try {
        const log = new RunLog(id, readEvents(values, isPlan), store, now, this.#changed);
        this.#runs.set(id, { log, active: null });
        this.#changed(log.state);
      } catch (thrown) {
        // One damaged run does not hide the others.
        report(new Error(`The stored run ${id} is damaged: ${errorText(thrown)}`));
      }
    }
  }
}

/** The events until the first that is damaged. */
function readEvents(
  values: readonly unknown[],
  isPlan: (value: unknown) => boolean,
): readonly RunEvent[] {
  const events: RunEvent[] = [];
  for (const value of values) {
    let event: unknown;
    try {
      event = typeof value === 'string' ? JSON.parse(value) : null;
    } catch {
      break;
    }
    if (!isRecord(event) || event.n !== events.length || typeof event.at !== 'number') break;
    if ((events.length === 0) !== (event.type === 'created')) break;
    if (event.type === 'created' && !isPlan(event.plan)) break;
    events.push(event as unknown as RunEvent);
  }
  return events;
}
