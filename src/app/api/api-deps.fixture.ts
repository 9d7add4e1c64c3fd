/** Fake dependencies for API tests: two tools, timers that tests advance, and calls that tests end. */

import { fakeSuccess } from '../../runtime/call/logged-call.fixture.ts';
import { fakeTool } from '../../runtime/scan/tool.fixture.ts';
import { Questions } from '../../runtime/grants/questions.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { LoggedCall, RunWatch, ToolCall } from '../../runtime/spec/call.ts';
import type { Stream, ToolResult } from '../../runtime/spec/result.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import type { PlanReferences } from '../../agent/runner/plan-problems.ts';
import { FakePage } from '../../agent/runner/plan-runs.fixture.ts';
import { checkNewPlan, readPlan } from '../../agent/runner/read-plan.ts';
import { yamlHere } from '../../agent/runner/yaml/yaml.fixture.ts';
import { FakeTestsFolder, testFile } from '../../agent/saved-tests/saved-tests.fixture.ts';
import type { SessionHead } from '../../runtime/spec/session.ts';
import type { ApiDeps, Listing, OpenedSession } from './api-deps.ts';

export interface FakeCall {
  readonly call: ToolCall;
  readonly signal: AbortSignal;
  stream(stream: Partial<Stream>): void;
  end(result: ToolResult): void;
  fail(error: unknown): void;
}

export class FakeApiDeps implements ApiDeps {
  readonly calls: FakeCall[] = [];
  readonly logged = new Map<string, LoggedCall>();
  /** The selections of open sessions. */
  readonly sessions = new Map<string, readonly string[]>();
  /** The selections of stored sessions that are not open. */
  readonly closedSessions = new Map<string, readonly string[]>();
  heads: SessionHead[] = [];
  /** Origins that are allowed; asking for another one adds it if `allowsSites`. */
  readonly allowedSites = new Set<string>();
  allowsSites = false;
  readonly askedSites: string[] = [];
  readonly questions = new Questions({
    whyUnaskable: () => null,
    after: (ms, then) => this.after(ms, then),
    report: (thrown) => {
      throw thrown;
    },
  });
  #listeners: (() => void)[] = [];
  readonly sites: ApiDeps['sites'] = {
    isAllowed: (origin) => this.allowedSites.has(origin),
    ask: (_signal, origin) => {
      this.askedSites.push(origin);
      if (this.allowsSites) this.allowedSites.add(origin);
      return Promise.resolve(this.allowedSites.has(origin));
    },
  };
  readonly savedTests = new FakeTestsFolder({
    'tests/a.json': testFile(
      { name: 'first', tool: 'a:one' },
      { name: 'second', tool: 'a:one', expect: { equals: 3 } },
    ),
  });
  readonly extensions: ApiDeps['extensions'] = () => Promise.resolve([]);
  /** The page that carries plans out. */
  readonly planPage = new FakePage();
  readonly references: PlanReferences = {
    tools: ['a:one', 'a:two'],
    inherited: null,
    hasModel: () => true,
    hasTest: () => true,
    faultIn: () => Promise.resolve(null),
  };
  readonly plans: ApiDeps['plans'] = () =>
    Promise.resolve({
      runs: this.planPage.runs,
      check: (value) => checkNewPlan(value, this.references),
      read: (text) => readPlan(text, this.references, yamlHere),
      request: (plan) => this.planPage.start(plan),
    });
  readonly tests = this.savedTests.tests;
  readonly limits = { valueChars: 1_000, outputChars: 1_000 };
  /** Ids of running calls, including calls that were not made over the API. */
  readonly running = new Set<string>();
  maxRunning = 1_000;
  state: Listing['state'] = 'ready';
  revision = 'r1';
  tools: RegisteredTool[] = [registered('a:one'), registered('a:two')];
  #now = 0;
  /** Called for each new call. */
  onCall: (call: FakeCall) => void = () => {};
  #timers: { readonly at: number; readonly then: () => void }[] = [];
  #ids = 0;
  #onSettled: (() => void)[] = [];

  listing(): Listing {
    const { state, revision, tools } = this;
    const isNone = state === 'none';
    return {
      state,
      folder: isNone ? null : 'tools',
      folderId: isNone ? '' : 'f1',
      revision,
      tools,
      problems: [],
    };
  }

  tool(name: string): RegisteredTool | undefined {
    return this.tools.find((tool) => tool.name === name);
  }

  settled(signal: AbortSignal): Promise<void> {
    if (this.state !== 'scanning') return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#onSettled.push(resolve);
      signal.addEventListener('abort', () =>
        reject(new ToolError('aborted', 'the wait was ended')),
      );
    });
  }

  /** Ends the scan. */
  settle(): void {
    this.state = 'ready';
    for (const resolve of this.#onSettled.splice(0)) resolve();
  }

  observeListing(then: () => void): () => void {
    this.#listeners.push(then);
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== then);
    };
  }

  /** Tells that the listing has changed. */
  changed(revision: string): void {
    this.revision = revision;
    for (const listener of this.#listeners) listener();
  }

  openSession(id: string): Promise<OpenedSession> {
    const closed = this.closedSessions.get(id);
    if (closed === undefined)
      return Promise.resolve(
        this.sessions.has(id) ? { at: 'open', release: () => undefined } : { at: 'unknown' },
      );
    this.sessions.set(id, closed);
    return Promise.resolve({ at: 'open', release: () => void this.sessions.delete(id) });
  }

  isSelected(session: string, tool: string): boolean {
    return this.sessions.get(session)?.includes(tool) === true;
  }

  sessionHeads(): Promise<readonly SessionHead[]> {
    return Promise.resolve(this.heads);
  }

  isOpen(session: string): boolean {
    return this.sessions.has(session);
  }

  get path(): ApiDeps['path'] {
    return {
      call: (...given) => this.#call(...given),
      running: this.calls.map(({ call }) => call).filter(({ id }) => this.running.has(id)),
      isFull: this.running.size >= this.maxRunning,
      cancel: (id) => {
        const call = this.calls.find((one) => one.call.id === id && this.running.has(id));
        call?.end(fakeResult('', { resultType: 'failure', error: 'cancelled' }));
        return call !== undefined;
      },
    };
  }

  log(): ReturnType<ApiDeps['log']> {
    const newestFirst = [...this.logged.values()].reverse();
    return Promise.resolve({
      get: (id) => this.logged.get(id),
      keyed: (key) => newestFirst.find(({ call }) => call.rejoin?.key === key),
      recent: () => newestFirst,
    });
  }

  now(): number {
    return this.#now;
  }

  #call(signal: AbortSignal, call: ToolCall, watch: Partial<RunWatch> = {}): Promise<ToolResult> {
    this.running.add(call.id);
    return new Promise<ToolResult>((resolve, reject) => {
      const stream = (part: Partial<Stream>): void => watch.onStream?.({ ...nothing, ...part });
      const fake = { call, signal, stream, end: resolve, fail: reject };
      this.calls.push(fake);
      this.onCall(fake);
    }).finally(() => this.running.delete(call.id));
  }

  newId(): string {
    return `call-${(this.#ids += 1)}`;
  }

  after(ms: number, then: () => void): () => void {
    const timer = { at: this.#now + ms, then };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Number of timers that are set. */
  get timers(): number {
    return this.#timers.length;
  }

  /** Advances the clock, and runs the timers that expire. */
  pass(ms: number): void {
    this.#now += ms;
    const ready = this.#timers.filter((timer) => timer.at <= this.#now);
    this.#timers = this.#timers.filter((timer) => timer.at > this.#now);
    for (const { then } of ready) then();
  }
}

const nothing: Stream = { updates: [], dropped: 0, out: '', err: '', log: [] };

function registered(name: string): RegisteredTool {
  const tool = fakeTool(name, {
    description: 'Does something.',
    source: { file: 'a.py', line: 7, column: 5 },
    handler: { kind: 'function', name: 'one', file: 'a.py', line: 1 },
  });
  return { ...tool, hash: 'abc', loadedAt: 1_700_000_000_000, state: 'ready' };
}

export function fakeResult(text: string, more: Partial<ToolResult> = {}): ToolResult {
  return fakeSuccess(text, { durationMs: 1.5, interpreter: 'shared', ...more });
}
