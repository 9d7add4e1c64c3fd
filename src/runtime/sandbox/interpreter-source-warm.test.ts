/** Interpreters that are started before they are needed, and when they get the rest of the standard library. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defaultLimits } from '../spec/limits.ts';
import type { SandboxFiles } from './assets.ts';
import type { FoundSnapshot, Snapshots } from './snapshots.ts';

/** Interpreters whose starts the test ends. */
class FakeInterpreter {
  static readonly all: FakeInterpreter[] = [];
  alive = true;
  readonly begun = Promise.withResolvers<null>();
  readonly ended = new Promise(() => undefined);
  readonly compile = vi.fn();
  readonly addLibraries = vi.fn();
  readonly addSources = vi.fn();
  onLibraryWanted: () => void = () => undefined;

  constructor() {
    FakeInterpreter.all.push(this);
  }

  async start(): Promise<void> {
    await this.begun.promise;
  }

  dispose(): void {
    this.alive = false;
  }
}

// Node 20 does not have it yet.
Object.assign(Promise, {
  withResolvers: <T>() => {
    const made = {} as PromiseWithResolvers<T>;
    made.promise = new Promise<T>((resolve, reject) => Object.assign(made, { resolve, reject }));
    return made;
  },
});
// Node 20 does not have it yet.
Object.assign(WebAssembly, { Suspending: Object });
vi.mock('./interpreter.ts', () => ({ Interpreter: FakeInterpreter }));
vi.mock('./frame.ts', () => ({
  openFrame: () =>
    Promise.resolve({ broker: { ping: () => Promise.resolve(true) }, onGone: () => undefined }),
}));
const { InterpreterSource } = await import('./interpreter-source.ts');

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  FakeInterpreter.all.length = 0;
});

const { signal } = new AbortController();
const settle = () => vi.advanceTimersByTimeAsync(0);

interface Given {
  readonly snapshot?: FoundSnapshot;
  /** Failures of the late files, in order. */
  readonly failures?: Error[];
}

function fakeSource({ snapshot, failures = [] }: Given = {}) {
  const fetches: string[] = [];
  const files = {
    observe: () => undefined,
    fetch: () => ({
      boot: Promise.resolve({}),
      wasm: Promise.resolve(new Blob()),
      python: Promise.resolve({}),
    }),
    fetchLate: () => {
      fetches.push('late');
      const failure = failures.shift();
      if (failure === undefined)
        return { libraries: Promise.resolve({}), sources: Promise.resolve(new Blob()) };
      return { libraries: Promise.reject(failure), sources: Promise.reject(failure) };
    },
  } as unknown as SandboxFiles;
  const report = vi.fn<(thrown: unknown) => void>();
  const snapshots = { find: () => Promise.resolve(snapshot ?? null) } as unknown as Snapshots;
  const source = new InterpreterSource({
    document: {} as Document,
    files,
    limits: defaultLimits,
    snapshots,
    onStatus: () => undefined,
    report,
  });
  return { source, report, fetches };
}

/** Lets all starts succeed, also later ones. @returns how many there were */
async function started(): Promise<number> {
  for (let n = 0; n < 5; n += 1) {
    await settle();
    for (const { begun } of FakeInterpreter.all) begun.resolve(null);
  }
  await settle();
  return FakeInterpreter.all.length;
}

it('starts one interpreter before it is needed, however often it is asked', async () => {
  const { source } = fakeSource();
  source.warm();
  source.warm();
  expect(await started()).toBe(1);
  source.warm();
  expect(await started()).toBe(1);
});

it('starts the folder’s spare on a first visit, once the first one has started', async () => {
  const { source } = fakeSource();
  source.warm();
  void source.warmSpare(0);
  await settle();
  expect(FakeInterpreter.all).toHaveLength(1);
  expect(await started()).toBe(2);
  const [first, second] = FakeInterpreter.all;
  expect(await source.take(signal)).toBe(first);
  expect(await source.take(signal, { quiet: true })).toBe(second);
});

it('waits before it starts the spare, and starts none if the first one is taken meanwhile', async () => {
  for (const isTaken of [false, true]) {
    FakeInterpreter.all.length = 0;
    const { source } = fakeSource();
    source.warm();
    const spare = source.warmSpare(1_000);
    expect(await started()).toBe(1);
    await vi.advanceTimersByTimeAsync(999);
    expect(FakeInterpreter.all).toHaveLength(1);
    if (isTaken) await source.take(signal);
    await vi.advanceTimersByTimeAsync(1);
    await spare;
    expect(FakeInterpreter.all).toHaveLength(isTaken ? 1 : 2);
    await started();
  }
});

it('starts nothing more for a folder that follows the package resolver', async () => {
  const { source } = fakeSource();
  source.warm();
  const spare = source.warmSpare(0);
  // The resolver takes the first one while it is starting, and makes sure that the folder has one.
  const resolver = source.take(signal, { quiet: true });
  await started();
  await resolver;
  source.warm();
  await spare;
  expect(await started()).toBe(2);
  await source.take(signal);
  expect(FakeInterpreter.all).toHaveLength(2);
});

it('starts only the one that the folder takes after the resolver, if nothing was warm', async () => {
  const { source } = fakeSource();
  const resolver = source.take(signal, { quiet: true });
  await started();
  await resolver;
  source.warm();
  expect(await started()).toBe(2);
  await source.take(signal);
  expect(await started()).toBe(2);
});

it.each([
  ['there is a snapshot', { snapshot: { content: new Blob(), intact: Promise.resolve(true) } }],
  ['nothing is warm', {}],
] as const)('starts no spare if %s', async (_, given: Given) => {
  const { source } = fakeSource(given);
  if (given.snapshot) source.warm();
  void source.warmSpare(0);
  expect(await started()).toBe(given.snapshot ? 1 : 0);
});

it('keeps at most two warm, also if those who waited for them give up', async () => {
  const { source } = fakeSource();
  const stop = new AbortController();
  const takes: Promise<unknown>[] = [];
  for (let n = 0; n < 3; n += 1) {
    source.warm();
    takes.push(source.take(stop.signal).catch(() => null));
  }
  source.warm();
  await settle();
  stop.abort(new Error('given up'));
  await Promise.all(takes);
  expect(await started()).toBe(4);
  expect(FakeInterpreter.all.filter(({ alive }) => alive)).toHaveLength(2);
});

it('hands the rest of the standard library to the interpreter that wants it', async () => {
  const { source, fetches } = fakeSource();
  source.warm();
  void source.warmSpare(0);
  expect(await started()).toBe(2);
  source.completeLibrary();
  await settle();
  expect(fetches).toEqual(['late']);
  const [first, second] = FakeInterpreter.all;
  expect(first?.addLibraries).not.toHaveBeenCalled();
  first?.onLibraryWanted();
  await settle();
  expect(first?.addLibraries.mock.calls).toEqual([[{}]]);
  expect(first?.addSources).toHaveBeenCalledTimes(1);
  expect(second?.addLibraries).not.toHaveBeenCalled();
});

it('lets an interpreter know that the rest cannot be loaded, and tries again when it is wanted again', async () => {
  const { source, report } = fakeSource({ failures: [new Error('404')] });
  source.warm();
  await started();
  const [python] = FakeInterpreter.all;
  python?.onLibraryWanted();
  await settle();
  expect(python?.addLibraries.mock.calls).toEqual([[null]]);
  expect(report.mock.calls.map(([thrown]) => String(thrown))).toEqual([
    "Error: Python's standard library is incomplete: 404",
  ]);
  python?.onLibraryWanted();
  await settle();
  expect(python?.addLibraries.mock.calls).toEqual([[null], [{}]]);
  expect(report).toHaveBeenCalledTimes(1);
});
