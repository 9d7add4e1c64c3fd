/** How many interpreters are started before they are needed, and what a failure of the sources means. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defaultLimits } from '../spec/limits.ts';
import type { SandboxFiles } from './assets.ts';
import type { FoundSnapshot, Snapshots } from './snapshots.ts';

/** Interpreters whose starts the test ends. */
class FakeInterpreter {
  static readonly all: FakeInterpreter[] = [];
  alive = true;
  readonly begun = Promise.withResolvers<null>();
  readonly compile = vi.fn();
  readonly addSources = vi.fn();

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
  /** A failure of the sources. */
  readonly failure?: Error;
}

function fakeSource({ snapshot, failure }: Given = {}) {
  const files = {
    observe: () => undefined,
    fetch: () => ({
      boot: Promise.resolve({}),
      wasm: Promise.resolve(new Blob()),
      python: Promise.resolve({}),
      libraries: Promise.resolve({}),
      sources: failure ? Promise.reject(failure) : Promise.resolve(new Blob()),
    }),
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
  return { source, report };
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
  expect(await source.take(signal, true)).toBe(second);
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
  const resolver = source.take(signal, true);
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
  const resolver = source.take(signal, true);
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

it('reports once that the sources are missing, and Python starts without them', async () => {
  const { source, report } = fakeSource({ failure: new Error('sources.bin answered with 404') });
  source.warm();
  void source.warmSpare(0);
  expect(await started()).toBe(2);
  expect(report.mock.calls.map(([thrown]) => String(thrown))).toEqual([
    'Error: Tracebacks show no lines of the standard library: sources.bin answered with 404',
  ]);
  expect((await source.take(signal)).alive).toBe(true);
});

it('hands the sources over, and reports nothing', async () => {
  const { source, report } = fakeSource();
  source.warm();
  await started();
  expect(FakeInterpreter.all[0]?.addSources).toHaveBeenCalledTimes(1);
  expect(report).not.toHaveBeenCalled();
});

it('reports nothing about the sources if the start fails too', async () => {
  const { source, report } = fakeSource({ failure: new Error('404') });
  const taken = source.take(signal).catch((thrown: unknown) => String(thrown));
  await settle();
  FakeInterpreter.all[0]?.begun.reject(new Error('404'));
  expect(await taken).toBe('Error: 404');
  await settle();
  expect(report).not.toHaveBeenCalled();
});
