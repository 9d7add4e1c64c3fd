/**
 * A plan of 12 tasks in three levels, four at a time, over real sessions: in random order the page is killed, the model
 * endpoint drops, calls are denied and cancelled, interpreters crash, the disk is full, and the run is stopped, paused
 * and steered. Afterwards every task has ended exactly once, no effect of a tool has happened twice, and the records of
 * the run and of its sessions replay to the same states.
 */

import { FakeAgent, asks, says, success } from '../turn/agent.fixture.ts';
import { LiveSession } from '../turn/live-session.ts';
import { SessionCalls } from '../turn/session-calls.ts';
import { failure } from '../../runtime/call/results.ts';
import type { SessionLog } from '../session/log/session-log.ts';
import { readLog } from '../session/log/log-contents.ts';
import { FakeBrowser } from '../session/log/session-store.fixture.ts';
import { emptyState } from '../session/reduce.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { ModelPart, ModelRequest } from '../../runtime/spec/model.ts';
import { ModelError } from '../../runtime/spec/model-error.ts';
import type { PlanTask } from '../../runtime/spec/plan.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import { runState, seeded, ticks } from './plan-runs.fixture.ts';
import { PlanRuns } from './plan-runs.ts';
import { noUsage, type RunEvent } from './run-record.ts';
import { sessionAgent } from './session-agent.ts';

export type StormAsk = (signal: AbortSignal, request: ModelRequest) => AsyncIterable<ModelPart>;

interface StormOptions {
  /** Whether the runner forgets the sessions of tasks, which the storm must notice. */
  readonly forgets?: boolean;
  readonly ask?: StormAsk;
  /** The longest time between two happenings; 0 for some turns of the event loop. */
  readonly maxMs?: number;
}

class World {
  readonly random: () => number;
  sessions = new FakeBrowser();
  readonly events = new Map<string, string[]>();
  /** Number of times that each effect of a tool has happened. */
  readonly effects = new Map<string, number>();
  isFull = false;
  /** Requests to the model that fail from now on. */
  drops = 0;
  happened = new Set<string>();
  readonly ask: StormAsk | null;

  constructor(random: () => number, ask: StormAsk | null) {
    this.random = random;
    this.ask = ask;
  }

  drop(): boolean {
    if (this.drops === 0) return false;
    this.drops -= 1;
    this.happened.add('drop');
    return true;
  }
}

class StormAgent extends FakeAgent {
  readonly #world: World;
  isDead = false;

  constructor(world: World, visits: number) {
    super(world.sessions, visits);
    this.#world = world;
    this.onCall = async (signal, { tool, sessionId }) => {
      const task = this.tasks.get(sessionId) ?? '';
      await ticks(world.random);
      if (this.isDead) return new Promise(() => undefined);
      const kind = world.random();
      if (signal.aborted) return failure('cancelled', 'cancelled');
      if (kind < 0.05) return this.#note('deny', failure('approval_required', 'The user said no'));
      const effect = `${task} ${tool}`;
      world.effects.set(effect, (world.effects.get(effect) ?? 0) + 1);
      await ticks(world.random);
      if (this.#isGone()) return new Promise(() => undefined);
      if (kind < 0.1) return this.#note('crash', failure('crashed', 'The interpreter crashed'));
      if (kind < 0.15) return this.#note('cancel', failure('cancelled', 'cancelled'));
      return success('done');
    };
    this.onPart = async () => {
      await ticks(world.random, 3);
      if (this.isDead) await new Promise(() => undefined);
    };
  }

  readonly tasks = new Map<string, string>();

  /** A method, since TypeScript takes the field for unchanged after a wait. */
  #isGone(): boolean {
    return this.isDead;
  }

  #note(what: string, result: ToolResult): ToolResult {
    this.#world.happened.add(what);
    return result;
  }

  override converse(log: SessionLog): LiveSession {
    const calls = new SessionCalls(log, this.pageDeps());
    return new LiveSession({ ...this.deps(), log, calls });
  }

  override deps(): ReturnType<FakeAgent['deps']> {
    const deps = super.deps();
    const ask: typeof deps.models.ask = (signal, _, request) =>
      this.#world.ask?.(signal, request) ?? this.#answer(signal, request);
    return { ...deps, models: { ...deps.models, ask } };
  }

  async *#answer(signal: AbortSignal, request: ModelRequest): AsyncIterable<ModelPart> {
    for (const part of answer(request)) {
      await this.onPart();
      signal.throwIfAborted();
      if (this.#world.drop()) throw new ModelError('credit', 'The endpoint is gone');
      yield part;
    }
  }
}

function answer(request: ModelRequest): readonly ModelPart[] {
  const made = request.messages.flatMap((message) =>
    message.role === 'tool' ? message.answers : [],
  ).length;
  const first = JSON.stringify(request.messages[0]);
  const next = nextStep(first, JSON.stringify(request.messages), made);
  return typeof next === 'string' ? says(next) : asks([next.name, next.arguments]);
}

/**
 * Calls both tools once, and hands the result over; sometimes it only claims to be done, until it is reminded.
 * @param messages all of them: the user's may follow the reminder
 * @param made answered calls
 */
export function nextStep(
  first: string,
  messages: string,
  made: number,
): string | { readonly name: string; readonly arguments: string } {
  const task = /Do (t\d+)/.exec(first)?.[1] ?? '?';
  if (made === 0) return { name: 'm__f', arguments: '{}' };
  if (made === 1) return { name: 'm__g', arguments: '{}' };
  const n = Number(task.slice(1));
  if (n % 5 === 0 && !messages.includes('not called finish') && !messages.includes('check failed'))
    return 'I am done.';
  return { name: 'finish', arguments: JSON.stringify({ result: { task, made } }) };
}

class Page {
  readonly agent: StormAgent;
  readonly runs: PlanRuns;
  readonly reported: unknown[] = [];
  readonly #open = new Map<string, LiveSession>();
  readonly #world: World;

  constructor(world: World, visits: number, forgets: boolean) {
    this.#world = world;
    this.agent = new StormAgent(world, visits);
    const never = new Promise<never>(() => undefined);
    const { agent } = this;
    this.runs = new PlanRuns({
      store: {
        load: () => Promise.resolve(new Map(world.events)),
        read: (run, from) => Promise.resolve((world.events.get(run) ?? []).slice(from)),
        append: async (run, n, event) => {
          await ticks(world.random, 3);
          if (agent.isDead) return never;
          if (world.isFull) throw new Error('The disk is full');
          const events = world.events.get(run) ?? [];
          if (events.length !== n) throw new Error(`event ${n} is out of order`);
          world.events.set(run, [...events, event]);
          return undefined;
        },
        remove: () => Promise.resolve(),
      },
      hold: () => Promise.resolve(() => undefined),
      announce: () => undefined,
      observeOthers: () => undefined,
      removeSession: () => undefined,
      agentsOf: () => ({
        begin: async (task) => {
          await ticks(world.random);
          const session = agent.begin({ run: 'r', id: task.id, output: null });
          agent.tasks.set(session.id, task.id);
          session.select(['m:f', 'm:g'], { noOthers: true });
          this.#open.set(session.id, session);
          return sessionAgent(session, () => undefined);
        },
        reopen: async (task, id) => {
          await ticks(world.random);
          if (forgets) return null;
          agent.tasks.set(id, task.id);
          try {
            const session = this.#open.get(id) ?? (await agent.open(id));
            this.#open.set(id, session);
            return sessionAgent(session, () => undefined);
          } catch (thrown) {
            if (thrown instanceof ToolError && thrown.code === 'not-found') return null;
            throw thrown;
          }
        },
        inputs: () => Promise.resolve(new Map()),
        check: async (_, task) => {
          await ticks(world.random);
          const refused = Number(task.id.slice(1)) % 4 === 1 && world.random() < 0.4;
          const fault = refused ? `no ${world.random()}` : null;
          return { fault, words: '', usage: { ...noUsage, tokens: 1 } };
        },
        failuresBefore: () => Promise.resolve([]),
        references: () => Promise.reject(new Error('No plan is revised.')),
      }),
      isPlan: () => true,
      now: () => agent.time,
      newId: () => 'r',
      after: () => () => undefined,
      report: (thrown) => this.reported.push(thrown),
      onStorageFailure: (thrown) => this.reported.push(thrown),
    });
  }

  kill(): void {
    this.agent.isDead = true;
    this.#world.sessions = this.#world.sessions.afterCrash();
    for (const session of this.#open.values()) session.dispose();
  }
}

export const happenings = ['kill', 'stop', 'pause', 'disk full', 'drop', 'steer'] as const;

export class Storm {
  readonly #world: World;
  readonly #tasks: readonly PlanTask[];
  readonly #seed: number;
  readonly #forgets: boolean;
  readonly #maxMs: number;
  #page: Page;
  #visits = 0;

  constructor(seed: number, { forgets = false, ask, maxMs = 0 }: StormOptions = {}) {
    const random = seeded(seed);
    this.#seed = seed;
    this.#forgets = forgets;
    this.#world = new World(random, ask ?? null);
    this.#maxMs = maxMs;
    this.#page = this.#newPage();
    // Three levels of four; each task depends on one or two of the level before.
    this.#tasks = Array.from({ length: 12 }, (_, n): PlanTask => {
      const level = Math.floor(n / 4);
      const before = [0, 1, 2, 3].map((k) => `t${(level - 1) * 4 + k}`);
      const named = new Set([before[Math.floor(random() * 4)] ?? '', before[n % 4] ?? '']);
      const depends_on = level === 0 ? [] : [...named];
      return {
        id: `t${n}`,
        instructions: `Do t${n}.`,
        depends_on,
        retries: 20,
        check: { expression: 'True' },
      };
    });
  }

  #newPage(): Page {
    return new Page(this.#world, (this.#visits += 1), this.#forgets);
  }

  async pass(): Promise<void> {
    const world = this.#world;
    const plan = { goal: 'storm', parallel: 4, tasks: this.#tasks };
    const about = { session: '', folder: 'tools', folderId: 'f', inherited: null };
    await this.#page.runs.start(plan, about);
    for (let left = 12; left > 0; left -= 1) {
      await Promise.race([this.#page.runs.settled('r'), this.#while()]);
      const what = happenings[Math.floor(world.random() * happenings.length)] ?? 'kill';
      world.happened.add(what);
      await this.#happen(what);
      if (!this.#page.runs.isActive('r')) await this.#resume();
    }
    world.isFull = false;
    world.drops = 0;
    world.sessions.failure = null;
    for (let left = 40; left > 0 && this.#page.runs.get('r')?.phase !== 'done'; left -= 1) {
      await this.#resume();
      await this.#page.runs.settled('r');
      // A page tries to store its sessions again only after a while; a new one can at once.
      if (left % 10 === 0) await this.#happen('kill');
    }
  }

  async #while(): Promise<void> {
    const { random } = this.#world;
    if (this.#maxMs === 0) return ticks(random, 120);
    return new Promise((resolve) => setTimeout(resolve, random() * this.#maxMs));
  }

  drop(): boolean {
    return this.#world.drop();
  }

  async #happen(what: (typeof happenings)[number]): Promise<void> {
    const world = this.#world;
    const { runs: all } = this.#page;
    switch (what) {
      case 'kill':
        this.#page.kill();
        world.isFull = false;
        this.#page = this.#newPage();
        await this.#page.runs.loaded;
        return;
      case 'stop':
        return all.stop('r');
      case 'pause':
        all.pause('r');
        return ticks(world.random, 20);
      case 'disk full':
        world.isFull = true;
        world.sessions.failure = world.random() < 0.5 ? new Error('The disk is full') : null;
        await ticks(world.random, 30);
        world.isFull = false;
        world.sessions.failure = null;
        return;
      case 'drop':
        world.drops = 1 + Math.floor(world.random() * 3);
        return;
      case 'steer':
        if (all.isActive('r')) all.steer('r', null, `Hurry ${world.random()}`);
    }
  }

  async #resume(): Promise<void> {
    try {
      await this.#page.runs.resume('r');
    } catch (thrown) {
      // The run has ended, or the disk is full again.
      const run = this.#page.runs.get('r');
      const context = `seed ${this.#seed}: ${String(thrown)} ${run?.reason ?? ''}`;
      if (run?.phase !== 'done' && !context.includes('The disk is full'))
        throw new Error(context, { cause: thrown });
    }
  }

  verify(): void {
    const context = `seed ${this.#seed}`;
    const stored = (this.#world.events.get('r') ?? []).map((text) => JSON.parse(text) as RunEvent);
    const run = this.#page.runs.get('r');
    for (const [effect, times] of this.#world.effects)
      if (times > 1) throw new Error(`${context}: ${effect} happened more than once`);
    requireSame(run?.phase, 'done', `${context} ${textOf(run?.tasks)}`);
    requireSame(runState('r', stored), run, context);
    for (const { id } of this.#tasks) {
      const ends = stored.filter(
        (event) => event.type === 'task-ended' && event.task === id && event.end !== 'stopped',
      );
      requireSame(
        ends.map((event) => 'end' in event && event.end),
        ['done'],
        `${context} ${id}`,
      );
      const [end] = ends;
      const after = stored.filter(
        (event) => 'task' in event && event.task === id && event.n > (end?.n ?? 0),
      );
      requireSame(after, [], `${context}: ${id} goes on after its end`);
    }
    requireSame(this.#page.reported.map(String), [], context);
  }

  async verifySessions(): Promise<void> {
    const { sessions } = this.#world;
    // Logs are written a moment later.
    for (let left = 20; left > 0; left -= 1) await ticks(() => 0.99);
    for (const { session = '' } of this.#page.runs.get('r')?.tasks.values() ?? []) {
      const { events } = await readLog(sessions.store(), session, emptyState(session));
      const ended = events.flatMap((event) => (event.type === 'call-ended' ? [event.callId] : []));
      requireSame(new Set(ended).size, ended.length, `seed ${this.#seed} ${session}`);
      // Opened as in a later visit, where a call whose end could not be stored ends as interrupted.
      const { state } = await new FakeAgent(sessions.afterCrash(), 99).open(session);
      for (const [id, call] of state.calls)
        // Calls of an answer that was cut off never ran.
        if (call.phase !== 'asked' && call.result === null)
          throw new Error(`seed ${this.#seed}: ${id} of ${session} has not ended`);
    }
  }

  get happened(): ReadonlySet<string> {
    return this.#world.happened;
  }
}

function requireSame(actual: unknown, expected: unknown, context: string): void {
  if (textOf(actual) !== textOf(expected))
    throw new Error(`${context}: ${textOf(actual)} is not ${textOf(expected)}`);
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (one instanceof Map ? [...one] : one));
}
