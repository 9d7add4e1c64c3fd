/** Runs of plans with sub-agents that tests script, and a page that can be killed. */

import type { Plan, PlanTask } from '../../runtime/spec/plan.ts';
import { PlanRuns } from './plan-runs.ts';
import type { PlanReferences } from './plan-problems.ts';
import type { RunStore } from './run-log.ts';
import { applyRunEvent } from './reduce-run.ts';
import { noUsage, type CheckFailure, type RunEvent, type RunState } from './run-record.ts';
import type { SubAgent, WorkEnd } from './sub-agent.ts';

/** A session, which survives the page. */
export interface FakeSession {
  readonly id: string;
  readonly task: string;
  readonly received: string[];
  /** Messages that were received along with others, and those others. */
  readonly parts?: string[];
  last: WorkEnd | null;
  calls: number;
  repeats?: number;
}

export type Behave = (
  task: PlanTask,
  session: FakeSession,
  signal: AbortSignal,
) => WorkEnd | Promise<WorkEnd>;

/** The stored events and sessions, which outlive a page. */
export class FakeBrowser {
  readonly events = new Map<string, string[]>();
  readonly sessions = new Map<string, FakeSession>();
  readonly held = new Set<string>();
  readonly pages = new Set<FakePage>();
  full = false;
  ids = 0;
  /** Milliseconds since the epoch; ids advance it, too. */
  time = 0;
}

export class FakePage {
  readonly browser: FakeBrowser;
  readonly reported: unknown[] = [];
  readonly runs: PlanRuns;
  check: (task: PlanTask, output: string) => Promise<string | null> = () => Promise.resolve(null);
  cost: (task: PlanTask) => number | null = () => null;
  before: (task: PlanTask) => Promise<readonly CheckFailure[]> = () => Promise.resolve([]);
  behave: Behave = () => ({ end: 'finished', output: 'null' });
  paused = false;
  references: PlanReferences = {
    tools: ['m:f', 'm:g'],
    inherited: null,
    hasModel: () => true,
    hasTest: () => true,
    faultIn: () => Promise.resolve(null),
  };
  onBegin: (() => Promise<void>) | null = null;
  onReopen: (() => Promise<void>) | null = null;
  hear: (run: string) => void = () => undefined;
  timers: { readonly ms: number; readonly then: () => void }[] = [];
  #killed = false;

  constructor(browser = new FakeBrowser(), behave?: Behave) {
    this.browser = browser;
    browser.pages.add(this);
    if (behave !== undefined) this.behave = behave;
    const never = new Promise<never>(() => undefined);
    const store: RunStore = {
      load: () => Promise.resolve(new Map(browser.events)),
      read: (run, from) => Promise.resolve((browser.events.get(run) ?? []).slice(from)),
      append: (run, n, event) => {
        if (this.#killed) return never;
        if (browser.full) return Promise.reject(new Error('The disk is full'));
        const events = browser.events.get(run) ?? [];
        if (events.length !== n) return Promise.reject(new Error(`event ${n} is out of order`));
        browser.events.set(run, [...events, event]);
        return Promise.resolve();
      },
      remove: (run) => {
        browser.events.delete(run);
        return Promise.resolve();
      },
    };
    const newId = (): string => `id-${(browser.ids += 1)}`;
    this.runs = new PlanRuns({
      store,
      newId,
      hold: (run) => {
        if (browser.held.has(run)) return Promise.resolve(null);
        browser.held.add(run);
        return Promise.resolve(() => browser.held.delete(run));
      },
      agentsOf: () => ({
        begin: async (task) => {
          await this.onBegin?.();
          const session = {
            id: newId(),
            task: task.id,
            received: [],
            parts: [],
            last: null,
            calls: 0,
          };
          browser.sessions.set(session.id, session);
          return this.#agent(task, session);
        },
        reopen: async (task, id) => {
          await this.onReopen?.();
          const session = browser.sessions.get(id);
          return session === undefined ? null : this.#agent(task, session);
        },
        inputs: () => Promise.resolve(new Map()),
        check: async (_, task, __, output) => {
          const fault = await this.check(task, output);
          return { fault, words: '', usage: noUsage };
        },
        failuresBefore: async (_, task) => this.before(task),
        references: () => Promise.resolve(this.references),
      }),
      announce: (run) => {
        for (const other of browser.pages) if (other !== this) other.hear(run);
      },
      observeOthers: (listener) => {
        this.hear = listener;
      },
      removeSession: (id) => browser.sessions.delete(id),
      isPlan: () => true,
      now: () => browser.ids + browser.time,
      after: (ms, then) => {
        const timer = { ms, then };
        this.timers.push(timer);
        return () => {
          this.timers = this.timers.filter((one) => one !== timer);
        };
      },
      report: (thrown) => this.reported.push(thrown),
      onStorageFailure: (thrown) => this.reported.push(thrown),
    });
  }

  /** Nothing that this page does from here on has any effect. */
  kill(): void {
    this.#killed = true;
    this.browser.pages.delete(this);
    this.browser.held.clear();
  }

  start(plan: Partial<Plan> & Pick<Plan, 'tasks'>): Promise<RunState> {
    const about = { session: '', folder: 'tools', folderId: 'f', inherited: null };
    return this.runs.start({ goal: 'a goal', ...plan }, about);
  }

  /** The run when nothing of it runs any more. */
  async ended(id: string): Promise<RunState> {
    await this.runs.settled(id);
    const run = this.runs.get(id);
    if (run === null) throw new Error('There is no such run.');
    return run;
  }

  stored(id: string): readonly RunEvent[] {
    return (this.browser.events.get(id) ?? []).map((text) => JSON.parse(text) as RunEvent);
  }

  /** A method, since TypeScript takes the field for unchanged after a wait. */
  #isGone(): boolean {
    return this.#killed;
  }

  #agent(task: PlanTask, session: FakeSession): SubAgent {
    const cost = this.cost(task);
    const never = new Promise<never>(() => undefined);
    const listeners = new Set<() => void>();
    return {
      session: session.id,
      get usage() {
        return { calls: session.calls, tokens: 10 * session.received.length, cost };
      },
      get repeats() {
        return session.repeats ?? 0;
      },
      get hasBegun() {
        return session.received.length > 0;
      },
      timesReceived: (message) =>
        [...session.received, ...(session.parts ?? [])].filter((one) => one === message).length,
      work: async (signal, message, notes = []) => {
        if (this.#killed) return never;
        if (message === null && session.last?.end === 'finished') return session.last;
        const texts = message === null ? notes : [message, ...notes];
        if (texts.length > 0) session.received.push(texts.join('\n\n'));
        if (texts.length > 1) session.parts?.push(...texts);
        session.last = null;
        const ended = await this.behave(task, session, signal);
        if (this.#isGone()) return never;
        for (const listener of listeners) listener();
        signal.throwIfAborted();
        session.last = ended;
        return ended;
      },
      setPaused: (paused) => {
        this.paused = paused;
      },
      steer: (text) => session.received.push(text),
      observe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      close: () => undefined,
    };
  }
}

/** @returns null if the first event does not create a run */
export function runState(id: string, events: readonly RunEvent[]): RunState | null {
  return events.reduce<RunState | null>((state, event) => applyRunEvent(id, state, event), null);
}

/** A task with an id, after others. */
export function task(
  id: string,
  after: readonly string[] = [],
  more: Partial<PlanTask> = {},
): PlanTask {
  return { id, instructions: `Do ${id}`, depends_on: after, ...more };
}

/** Node's function, which types of browsers do not have. */
const { setImmediate } = globalThis as unknown as { setImmediate: (then: () => void) => void };

/** Lets other work run, a random number of times. */
export async function ticks(random: () => number, max = 6): Promise<void> {
  for (let left = Math.floor(random() * max); left > 0; left -= 1)
    await new Promise<void>(setImmediate);
}

/** Numbers from 0 to below 1; always the same for a seed. */
export function seeded(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}
