/** The saved tests of the open folder: runs them, one file after the other, and keeps how they ended. */

import { createObservers } from '../../runtime/hooks/observe.ts';
import { readTests } from '../../runtime/scan/read-tests.ts';
import type { OpenSessions } from '../session/open-sessions.ts';
import type { CallPath } from '../../runtime/call/call-path.ts';
import type { CurrentFolder } from '../../runtime/open-folder/current-folder.ts';
import type { CurrentInterpreters } from '../../runtime/open-folder/folder-interpreters.ts';
import type { FolderLoader } from '../../runtime/open-folder/folder-loader.ts';
import type { Registry } from '../../runtime/registry/registry.ts';
import { newCall } from '../../runtime/spec/call.ts';
import { composeName } from '../../runtime/spec/composed-name.ts';
import { errorText } from '../../runtime/spec/error.ts';
import type { FolderFile, Problem } from '../../runtime/spec/folder.ts';
import type { SavedTest, TestState, TestStatus } from '../../runtime/spec/saved-test.ts';
import { outcomeForJudge, testResultOf } from './judged-outcome.ts';
import type { StoredTestResult, StoredTestResults } from './kept-results.ts';

export interface SavedTestsDeps {
  /** The files of the open folder, as they were last read; the same list for as long as they are the same. */
  readonly files: () => readonly FolderFile[];
  readonly registry: Pick<Registry, 'get'>;
  readonly folder: Pick<FolderLoader, 'settled'>;
  readonly currentFolder: Pick<CurrentFolder, 'id'>;
  readonly calls: Pick<CallPath, 'call' | 'observe'>;
  readonly interpreters: Pick<CurrentInterpreters, 'judge'>;
  readonly openSessions: Pick<OpenSessions, 'open' | 'close'>;
  /** The results of earlier visits, by folder. */
  readonly results: StoredTestResults;
  readonly newId: () => string;
  /** Receives errors thrown by listeners. */
  readonly report: (thrown: unknown) => void;
}

export interface TestsView {
  /** All tests, by file, then in the order of the file. */
  readonly tests: readonly TestStatus[];
  readonly problems: readonly Problem[];
  readonly passed: number;
  readonly failed: number;
  /** Null while no test runs. */
  readonly running: { readonly done: number; readonly total: number } | null;
}

/** Chooses tests: by their ids or names, and by tool. */
export interface TestSelection {
  readonly tests?: readonly string[];
  readonly tool?: string;
}

/** The changes of a folder's tools. */
export interface ChangedTools {
  /** Tool files whose tools are new. */
  readonly loaded: readonly string[];
  readonly gone: readonly { readonly file: string }[];
}

interface Ended extends Omit<TestStatus, 'test' | 'isStale'> {
  /** Hash of the tool's file; empty if there is no such tool. */
  readonly hash: string;
}

interface Kept extends Ended {
  /** Identifies the test's own text: another text is another test. */
  readonly key: string;
}

interface RunOptions {
  readonly signal?: AbortSignal;
  readonly onTest?: (status: TestStatus) => void;
  /** Whether tests that need an approval are left out, since the user did not request the run. */
  readonly automatic?: boolean;
}

const notRun = { state: 'not-run', reasons: [], result: null, hash: '' } as const;
const noTests: TestsView = { tests: [], problems: [], passed: 0, failed: 0, running: null };

export class SavedTests {
  readonly #deps: SavedTestsDeps;
  readonly #observers;
  #files: readonly FolderFile[] | null = null;
  #read: Awaited<ReturnType<typeof readTests>> = { tests: [], problems: [] };
  /** Results by the id of the test. */
  readonly #kept = new Map<string, Kept>();
  #running: { done: number; total: number } | null = null;
  #stop = new AbortController();
  /** Number of folders that have been opened. */
  #opened = 0;
  /** Number of times that the user has stopped a run. */
  #timesStopped = 0;
  #last: Promise<unknown> = Promise.resolve();
  #reading: Promise<void> = Promise.resolve();
  #view = noTests;

  constructor(deps: SavedTestsDeps) {
    this.#deps = deps;
    this.#observers = createObservers<TestsView>(deps.report);
  }

  get view(): TestsView {
    return this.#view;
  }

  /** @returns dispose */
  observe(listener: (view: TestsView) => void): () => void {
    return this.#observers.observe(listener);
  }

  /** Reads the tests of the open folder again. Results of unchanged tests stay. Never rejects. */
  refresh(): Promise<void> {
    const work = this.#reading.then(async () => {
      const files = this.#deps.files();
      if (files === this.#files) return;
      const read = await readTests({ files });
      const isFirst = this.#files === null;
      this.#files = files;
      this.#read = read;
      if (isFirst) this.#loadResults();
      const known = new Map(read.tests.map((test) => [test.id, keyOf(test)]));
      for (const [id, { key }] of this.#kept) if (known.get(id) !== key) this.#kept.delete(id);
      this.#updateView();
    });
    this.#reading = work.catch(this.#deps.report);
    return this.#reading;
  }

  /** Forgets everything, because another folder is open. */
  clear(): void {
    this.stop();
    this.#opened += 1;
    this.#files = null;
    this.#read = { tests: [], problems: [] };
    this.#kept.clear();
    this.#updateView();
  }

  /** After a change of the folder: runs what has run before and may end differently now. Never rejects. */
  async changed({ loaded, gone }: ChangedTools): Promise<void> {
    const ran = new Set([...this.#kept.keys()].map(fileOf));
    const before = this.#read.tests;
    await this.refresh();
    const changedTools = new Set([...loaded, ...gone.map(({ file }) => file)]);
    const earlier = new Map(before.map((test) => [test.id, keyOf(test)]));
    const files = new Set(
      this.#read.tests
        .filter(
          (test) => earlier.get(test.id) !== keyOf(test) || changedTools.has(toolFileOf(test)),
        )
        .map(({ file }) => file)
        // @mutant tests that were never run do not run automatically => removed
        .filter((file) => ran.has(file)),
    );
    const tests = this.#read.tests.filter(({ file }) => files.has(file)).map(({ id }) => id);
    if (tests.length > 0) await this.run({ tests }, { automatic: true });
  }

  /** The tests that a selection names; all of them if it is empty. */
  select({ tests, tool }: TestSelection): readonly SavedTest[] {
    const named = tests === undefined ? null : new Set(tests);
    return this.#read.tests.filter(
      (test) =>
        (named === null || named.has(test.id) || named.has(test.name)) &&
        (tool === undefined || composeName(test.tool) === tool),
    );
  }

  /**
   * Runs tests, after those that run already. The tests of a file share one fresh interpreter, so those before a selected
   * one run first. Never rejects.
   * @returns the selected tests, as they ended
   */
  run(selection: TestSelection, options: RunOptions = {}): Promise<readonly TestStatus[]> {
    const opened = this.#opened;
    const stops = this.#timesStopped;
    // The tests do not run in another folder, which may have tests of the same names.
    const work = this.#last.then(() =>
      opened === this.#opened ? this.#run(opened, stops, selection, options) : [],
    );
    this.#last = work.catch(() => undefined);
    return work;
  }

  /** Stops the run in progress, and those that wait for it. */
  stop(): void {
    this.#timesStopped += 1;
    this.#stop.abort();
  }

  async #run(
    opened: number,
    stops: number,
    selection: TestSelection,
    options: RunOptions,
  ): Promise<readonly TestStatus[]> {
    await this.#deps.folder.settled();
    await this.refresh();
    if (opened !== this.#opened) return [];
    const chosen = this.select(selection);
    // @mutant stopping tests stops the runs that wait, too => never
    if (stops !== this.#timesStopped)
      return chosen.map((test) => ({
        test,
        state: 'not-run',
        reasons: [],
        result: null,
        isStale: false,
      }));
    const ids = new Set(chosen.map(({ id }) => id));
    const files = new Map<string, SavedTest[]>();
    for (const { file } of chosen) files.set(file, []);
    for (const test of this.#read.tests) files.get(test.file)?.push(test);
    const units = [...files.values()].map((tests) =>
      tests.slice(0, tests.findLastIndex(({ id }) => ids.has(id)) + 1),
    );
    const stop = new AbortController();
    this.#stop = stop;
    const signal = AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])]);
    this.#running = { done: 0, total: units.flat().length };
    for (const test of units.flat()) this.#mark(test, 'waiting');
    this.#updateView();
    /** Tools that the user has allowed for the rest of this run. */
    const allowed = new Set<string>();
    try {
      for (const unit of units)
        await this.#runFile(signal, unit, allowed, options, (status) => {
          if (ids.has(status.test.id)) options.onTest?.(status);
        });
    } finally {
      for (const test of units.flat())
        if (this.#statusOf(test).state === 'waiting') this.#set(test, notRun);
      this.#running = null;
      this.#updateView();
      this.#saveResults();
    }
    return chosen.map((test) => this.#statusOf(test));
  }

  async #runFile(
    signal: AbortSignal,
    tests: readonly SavedTest[],
    allowed: Set<string>,
    { automatic = false }: RunOptions,
    onTest: (status: TestStatus) => void,
  ): Promise<void> {
    if (signal.aborted) return;
    const { openSessions, calls, newId, registry } = this.#deps;
    const session = `test-${newId()}`;
    openSessions.open(session, {
      isSelected: () => true,
      isAllowed: (name) => allowed.has(name),
    });
    const callsOfTests = new Set<string>();
    const unobserve = calls.observe((event) => {
      if (event.type === 'call-queued' && event.call.sessionId === session)
        callsOfTests.add(event.call.id);
      // A tool whose call the user allows once is allowed until this run ends. Permissions that users give to sessions and
      // plans do not apply to tests.
      if (
        event.type === 'call-answered' &&
        // @mutant what the user allows to other calls is not allowed to tests => removed
        callsOfTests.has(event.callId) &&
        event.answer.approval === 'once'
      )
        allowed.add(event.tool);
    });
    try {
      for (const test of tests) {
        if (isStopped(signal)) return;
        this.#mark(test, 'running');
        this.#updateView();
        // @mutant tests that need an approval do not run automatically => automatic -> false
        const asks = automatic && (registry.get(test.tool)?.requires_approval ?? false) !== false;
        const status = asks
          ? { ...notRun, state: 'needs-approval' as const }
          : await this.#runOne(signal, session, test);
        this.#set(test, status);
        if (this.#running !== null)
          this.#running = { ...this.#running, done: this.#running.done + 1 };
        this.#updateView();
        onTest(this.#statusOf(test));
      }
    } finally {
      unobserve();
      openSessions.close(session);
    }
  }

  async #runOne(signal: AbortSignal, sessionId: string, test: SavedTest): Promise<Ended> {
    const { calls, interpreters, newId } = this.#deps;
    const id = newId();
    const hash = this.#hashOf(test);
    const call = newCall('test', test.tool, test.arguments, {
      id,
      sessionId,
      sessionKey: sessionId,
    });
    const result = await calls.call(signal, call);
    const shown = testResultOf(id, result);
    const ended = (state: TestState, reasons: readonly string[] = []) => ({
      state,
      reasons,
      result: shown,
      hash,
    });
    if (signal.aborted) return ended('stopped');
    if (result.error === 'approval_required') return ended('needs-approval');
    const expect = test.expect ?? '{}';
    try {
      const reasons = await interpreters.judge(
        signal,
        sessionId,
        expect,
        outcomeForJudge(result, expect),
      );
      return ended(reasons.length === 0 ? 'passed' : 'failed', reasons);
    } catch (thrown) {
      if (isStopped(signal)) return ended('stopped');
      const reasons = [`the result could not be compared: ${errorText(thrown)}`];
      return { ...ended('failed', reasons), result: { ...shown, isInconclusive: true } };
    }
  }

  #statusOf(test: SavedTest): TestStatus {
    const { state, reasons, result, hash } = this.#kept.get(test.id) ?? notRun;
    const hasEnded = state === 'passed' || state === 'failed';
    return { test, state, reasons, result, isStale: hasEnded && hash !== this.#hashOf(test) };
  }

  #hashOf({ tool }: SavedTest): string {
    return this.#deps.registry.get(tool)?.hash ?? '';
  }

  #set(test: SavedTest, ended: Ended): void {
    this.#kept.set(test.id, { ...ended, key: keyOf(test) });
  }

  #mark(test: SavedTest, state: TestState): void {
    this.#set(test, { ...(this.#kept.get(test.id) ?? notRun), state });
  }

  #loadResults(): void {
    const { currentFolder, results } = this.#deps;
    if (currentFolder.id === undefined) return;
    const loaded = results.load(currentFolder.id, this.#read.tests);
    for (const test of this.#read.tests) {
      const kept = loaded.get(test.id);
      if (kept !== undefined) this.#set(test, kept);
    }
  }

  #saveResults(): void {
    const { currentFolder, results } = this.#deps;
    if (currentFolder.id === undefined) return;
    const ended = this.#read.tests.flatMap((test): [SavedTest, StoredTestResult][] => {
      const { state, ...kept } = this.#kept.get(test.id) ?? notRun;
      return state === 'passed' || state === 'failed' ? [[test, { ...kept, state }]] : [];
    });
    results.save(currentFolder.id, ended);
  }

  #updateView(): void {
    const tests = this.#read.tests.map((test) => this.#statusOf(test));
    const count = (state: TestState): number =>
      tests.filter((one) => one.state === state && !one.isStale).length;
    this.#view = {
      tests,
      problems: this.#read.problems,
      passed: count('passed'),
      failed: count('failed'),
      running: this.#running,
    };
    this.#observers.emit(this.#view);
  }
}

/** Checks a signal again: TypeScript would take `signal.aborted` for false after the first check. */
function isStopped(signal: AbortSignal): boolean {
  return signal.aborted;
}

function keyOf({ name, tool, arguments: args, expect }: SavedTest): string {
  return [name, tool, args, expect ?? ''].join('\n');
}

/** The tool's file, also where the tool does not exist now. */
function toolFileOf({ tool }: SavedTest): string {
  return `${tool.split(':')[0] ?? ''}.py`;
}

function fileOf(id: string): string {
  return id.slice(0, id.lastIndexOf('#'));
}
