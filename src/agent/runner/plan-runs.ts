/** All runs of plans of this browser: those that were stored, and those that this page carries out. */

import { errorText, ToolError } from '../../runtime/spec/error.ts';
import type { Plan } from '../../runtime/spec/plan.ts';
import { readEvents } from './event-log.ts';
import { KnownRuns } from './known-runs.ts';
import { PlanRun, type PlanRunDeps } from './plan-run.ts';
import { RunLog, type RunLogDeps, type RunStore } from './run-log.ts';
import { noUsage, type RunEvent, type RunFact, type RunState } from './run-record.ts';
import type { RunAgents } from './sub-agents.ts';
import { isResumable, userStopped, withDependents } from './run-tasks.ts';

export interface PlanRunsDeps extends Pick<PlanRunDeps, 'after' | 'report' | 'now'> {
  readonly store: RunStore;
  readonly agentsOf: (log: RunLog) => RunAgents;
  /** Takes the right to carry out a run; null if another page has it. @returns release */
  readonly hold: (run: string) => Promise<(() => void) | null>;
  readonly isPlan: (value: unknown) => boolean;
  readonly newId: () => string;
  /** Notifies other pages that a run has changed. */
  readonly announce: (run: string) => void;
  /** Calls the listener when another page has changed a run. */
  readonly observeOthers: (listener: (run: string) => void) => void;
  /** Deletes the session of a sub-agent. */
  readonly removeSession: (session: string) => void;
  readonly onStorageFailure: (thrown: unknown) => void;
}

/** Longest message of the user to sub-agents; characters. */
const maxMessageChars = 50_000;

/** Calls its listeners with every change of a run. */
export class PlanRuns extends KnownRuns<RunLog, PlanRun, RunState> {
  readonly #deps: PlanRunsDeps;
  /** Runs of which another page has stored something, while it is read. */
  readonly #reading = new Map<string, { again: boolean }>();
  /** Resolves when the stored runs are loaded. Never rejects. */
  readonly loaded: Promise<void>;

  constructor(deps: PlanRunsDeps) {
    super(deps.report);
    this.#deps = deps;
    this.loaded = this.#load().catch((thrown: unknown) => {
      deps.onStorageFailure(`Could not read the runs of plans: ${errorText(thrown)}`);
    });
    deps.observeOthers((id) => void this.#follow(id));
  }

  get(id: string): RunState | null {
    return this.runs.get(id)?.log.state ?? null;
  }

  /** The record, oldest event first; empty if there is no such run. */
  events(id: string): readonly RunEvent[] {
    return this.runs.get(id)?.log.events ?? [];
  }

  /** Resolves when a run that this page carries out has ended. */
  async settled(id: string): Promise<void> {
    await this.runs.get(id)?.active?.ended;
  }

  /** Stores a run and begins it, unless it waits for the user's approval. @throws {ToolError} `storage` */
  async start(
    plan: Plan,
    about: Omit<Extract<RunFact, { readonly type: 'created' }>, 'type' | 'plan'>,
  ): Promise<RunState> {
    const id = this.#deps.newId();
    const log = await RunLog.begin(id, { type: 'created', plan, ...about }, this.#logDeps);
    this.runs.set(id, { log, active: null, fault: '' });
    if (about.waits === true) this.#changed(log.state);
    else await this.#activate(id);
    return log.state;
  }

  pause(id: string): void {
    this.runs.get(id)?.active?.pause();
  }

  /**
   * Continues a run after a pause, a stop, a reload or a crash.
   * @throws {ToolError} `not-found`; `bad-input` if another tab carries the run out, or none of its
   * tasks can continue
   */
  async resume(id: string): Promise<void> {
    const { log, active } = this.expectRun(id);
    if (active !== null && !active.isStopping) {
      active.resume();
      return;
    }
    await active?.ended;
    await this.#activate(id, () => {
      if (isResumable(log.state)) return log.append({ type: 'resumed' });
      throw log.state.phase === 'done'
        ? new ToolError('bad-input', 'The run is done.', 'Run one of its tasks again instead.')
        : new ToolError(
            'bad-input',
            'No task of this run can continue.',
            'Change the plan, or run the failed task again.',
          );
    });
  }

  /**
   * Stops a run; what is done stays done. Resolves when none of its work is running.
   * @param reason the reason to record if no page carries the run out
   * @throws {ToolError} `not-found`; `bad-input` if another tab carries the run out
   */
  async stop(id: string, reason = userStopped): Promise<void> {
    const { log, active } = this.expectRun(id);
    if (active !== null) {
      active.stop();
      await active.ended;
      return;
    }
    if (!isOpen(log.state)) return;
    const release = await this.#hold(id);
    try {
      // Another page may have ended the run.
      if (!isOpen(log.state)) return;
      await log.append({ type: 'ended', end: 'stopped', reason });
    } finally {
      release();
    }
  }

  /** Carries a task out again, and all that depend on it. @throws {ToolError} */
  async again(id: string, task: string): Promise<void> {
    const { log, active } = this.expectRun(id);
    if (active !== null)
      throw new ToolError('bad-input', 'The run has not ended.', 'Stop it, or wait for its end.');
    await this.#activate(id, () =>
      log.append({ type: 'again', tasks: withDependents(log.state, task) }),
    );
  }

  /**
   * Changes the plan of a run that no page carries out. Tasks that are done stay done; `resume`
   * continues with the rest.
   * @throws {ToolError}
   */
  async revise(id: string, plan: Plan): Promise<void> {
    const { log, active } = this.expectRun(id);
    if (active !== null)
      throw new ToolError('bad-input', 'The run has not ended.', 'Stop it, or wait for its end.');
    const release = await this.#hold(id);
    try {
      await log.append({ type: 'revised', by: 'user', reason: '', plan, usage: noUsage });
    } finally {
      release();
    }
  }

  /**
   * Sends a message to the sub-agent of a task, or to all. Sub-agents that do not work now get it
   * when they next work.
   * @param task null for all
   * @returns to how many sub-agents it was sent
   * @throws {ToolError} if the message is too long, or this page does not carry the run out
   */
  steer(id: string, task: string | null, text: string): number {
    const active = this.runs.get(id)?.active ?? null;
    if (active === null)
      throw new ToolError('bad-input', 'This page does not control the run.', 'Resume it first.');
    if (text.length > maxMessageChars)
      throw new ToolError('limit', `The message has more than ${maxMessageChars} characters.`);
    return active.steer(task, text);
  }

  /** Stops a run and deletes its record, and the sessions of its sub-agents. @throws {ToolError} */
  async remove(id: string): Promise<void> {
    const { active, log } = this.expectRun(id);
    active?.stop();
    await active?.ended;
    const release = await this.#hold(id);
    try {
      await this.#deps.store.remove(id);
      this.runs.delete(id);
    } finally {
      release();
    }
    const { events } = log;
    const sessions = events.flatMap((event) =>
      'session' in event && event.type !== 'created' ? [event.session] : [],
    );
    for (const session of new Set(sessions)) if (session !== '') this.#deps.removeSession(session);
    this.#deps.announce(id);
    this.emit(log.state);
  }

  /** Takes the right to change a run, whose log then has everything that is stored. */
  async #hold(id: string): Promise<() => void> {
    const release = await this.#deps.hold(id);
    if (release === null)
      throw new ToolError('bad-input', 'Another tab controls this run.', 'Continue in that tab.');
    try {
      await this.#catchUp(id);
      return release;
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  get #logDeps(): RunLogDeps {
    const { store, now, announce } = this.#deps;
    return { store, now, onChange: this.#changed, onStored: announce };
  }

  /** Reads what another page has stored of a run. */
  async #catchUp(id: string): Promise<void> {
    const { store, isPlan } = this.#deps;
    const known = this.runs.get(id);
    const from = known?.log.events.length ?? 0;
    const events = eventsOf(await store.read(id, from), isPlan, from);
    if (known !== undefined) known.log.extend(events);
    else if (events.length > 0 && !this.runs.has(id)) this.#add(id, events);
  }

  /** Follows a run that another page carries out. Never rejects. */
  async #follow(id: string): Promise<void> {
    await this.loaded;
    const reading = this.#reading.get(id);
    if (reading !== undefined) {
      reading.again = true;
      return;
    }
    const now = { again: false };
    this.#reading.set(id, now);
    try {
      do {
        now.again = false;
        if (this.isActive(id)) break;
        const known = this.runs.get(id);
        const exists = (await this.#deps.store.read(id, 0)).length > 0;
        if (known !== undefined && !exists) {
          this.runs.delete(id);
          this.#changed(known.log.state);
        } else if (!this.isActive(id)) await this.#catchUp(id);
      } while (this.#reading.get(id)?.again === true);
    } catch (thrown) {
      this.#deps.report(thrown);
    } finally {
      this.#reading.delete(id);
    }
  }

  #add(id: string, events: readonly RunEvent[]): void {
    const log = new RunLog(id, events, this.#logDeps);
    this.runs.set(id, { log, active: null, fault: '' });
    this.#changed(log.state);
  }

  /**
   * Starts to carry out a run.
   * @param before called first, once no other page carries the run out
   */
  async #activate(id: string, before?: () => Promise<void> | undefined): Promise<void> {
    const { agentsOf, after, now, report } = this.#deps;
    const known = this.expectRun(id);
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
    const run = new PlanRun({ agents: agentsOf(known.log), log: known.log, after, now, report });
    known.active = run;
    known.fault = '';
    void run.ended.then(() => {
      known.active = null;
      known.fault = run.fault;
      release();
      this.#changed(known.log.state);
    });
    this.#changed(known.log.state);
  }

  readonly #changed = (state: RunState): void => this.emit(state);

  async #load(): Promise<void> {
    const { store, report, isPlan } = this.#deps;
    for (const [id, values] of await store.load()) {
      if (this.runs.has(id)) continue;
      try {
        this.#add(id, eventsOf(values, isPlan));
      } catch (thrown) {
        // One damaged run does not hide the others.
        report(new Error(`The stored run ${id} is damaged: ${errorText(thrown)}`));
      }
    }
  }
}

function isOpen({ phase }: RunState): boolean {
  return phase === 'running' || phase === 'paused';
}

function eventsOf(
  values: readonly unknown[],
  isPlan: (value: unknown) => boolean,
  from = 0,
): readonly RunEvent[] {
  const events = readEvents(
    values,
    from,
    ({ type, plan }) => (type !== 'created' && type !== 'revised') || isPlan(plan),
  );
  return events as unknown as readonly RunEvent[];
}
