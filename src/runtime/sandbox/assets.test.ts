/** The files of the sandbox arrive in parts, or all of them fail; those that a start does not read are downloaded when they are wanted. */

import { afterEach, expect, it, vi } from 'vitest';
import type { FetchedFile } from '../protocol/fetched-files.ts';

/** The file worker, whose messages the test sends. */
class FakeWorker extends EventTarget {
  static readonly all: FakeWorker[] = [];
  ended = false;
  names: readonly string[] = [];

  constructor() {
    super();
    FakeWorker.all.push(this);
  }

  postMessage(wanted: readonly { name: string }[]): void {
    this.names = wanted.map(({ name }) => name);
  }

  terminate(): void {
    this.ended = true;
  }

  send(file: FetchedFile): void {
    this.dispatchEvent(new MessageEvent('message', { data: file }));
  }

  arrive(...names: string[]): void {
    for (const name of names) this.send({ name, blob: new Blob([name]) });
  }
}

vi.stubGlobal('Worker', FakeWorker);
// Node 20 does not have it yet.
Object.assign(Promise, {
  withResolvers: <T>() => {
    const made = {} as PromiseWithResolvers<T>;
    made.promise = new Promise<T>((resolve, reject) => Object.assign(made, { resolve, reject }));
    return made;
  },
});
Object.assign(WebAssembly, { Suspending: Object });
const { SandboxFiles } = await import('./assets.ts');

afterEach(() => {
  FakeWorker.all.length = 0;
});

const base = 'https://app.example/';

it('resolves what prepares a frame before what Python starts from', async () => {
  const { boot, wasm, python } = new SandboxFiles(base).fetch();
  const [worker] = FakeWorker.all;
  expect(worker?.names).not.toContain('stdlibRest');
  worker?.arrive('broker', 'toolWorker');
  expect(await (await boot).broker.text()).toBe('broker');
  worker?.arrive('lockfile', 'stdlib', 'loader');
  expect((await python).lockfile).toBe('lockfile');
  expect(await (await python).loader.text()).toBe('loader');
  expect(worker?.ended).toBe(false);
  worker?.arrive('wasm');
  expect(await (await wasm).text()).toBe('wasm');
  await vi.waitFor(() => expect(worker?.ended).toBe(true));
});

it('fails as a whole if one file fails while a larger one is still arriving, and begins anew', async () => {
  const files = new SandboxFiles(base);
  const first = files.fetch();
  const [worker] = FakeWorker.all;
  worker?.arrive('broker', 'toolWorker', 'lockfile', 'stdlib');
  worker?.send({ name: 'loader', fault: 'missing', status: 404 });
  for (const failed of [first.wasm, first.python]) await expect(failed).rejects.toThrow('404');
  expect(worker?.ended).toBe(true);
  const second = files.fetch();
  expect(FakeWorker.all).toHaveLength(2);
  const [, again = new FakeWorker()] = FakeWorker.all;
  again.arrive(...again.names);
  await Promise.all([second.boot, second.python, second.wasm]);
});

it('is fetched once for all interpreters, and tells how far it is', () => {
  const files = new SandboxFiles(base);
  const seen: (readonly [number, number])[] = [];
  files.observe((...bytes) => seen.push(bytes));
  expect(files.fetch()).toEqual(files.fetch());
  expect(FakeWorker.all).toHaveLength(1);
  FakeWorker.all[0]?.send({ name: 'wasm', received: 3 });
  expect(seen.map(([received]) => received)).toEqual([3]);
});

it('downloads the late files once, the libraries before the sources, without progress', async () => {
  const files = new SandboxFiles(base);
  const seen: (readonly [number, number])[] = [];
  files.observe((...bytes) => seen.push(bytes));
  const { libraries, sources } = files.fetchLate();
  const [worker] = FakeWorker.all;
  expect(worker?.names).toEqual(['stdlibRest', 'stdlibSources']);
  worker?.arrive('stdlibRest');
  expect(await (await libraries).stdlibRest.text()).toBe('stdlibRest');
  worker?.arrive('stdlibSources');
  expect(await (await sources).text()).toBe('stdlibSources');
  expect(files.fetchLate()).toEqual({ libraries, sources });
  expect([FakeWorker.all.length, seen]).toEqual([1, []]);
});

it('fetches only the sources again if only they fail', async () => {
  const files = new SandboxFiles(base);
  const first = files.fetchLate();
  FakeWorker.all[0]?.arrive('stdlibRest');
  FakeWorker.all[0]?.send({ name: 'stdlibSources', fault: 'differs', status: 200 });
  await expect(first.sources).rejects.toThrow('not the file');
  const second = files.fetchLate();
  expect(second.libraries).toBe(first.libraries);
  expect(FakeWorker.all.map(({ names }) => names).at(1)).toEqual(['stdlibSources']);
  FakeWorker.all[1]?.send({ name: 'stdlibSources', fault: 'missing', status: null });
  await expect(second.sources).rejects.toThrow('no answer');
  const third = files.fetchLate();
  FakeWorker.all[2]?.arrive('stdlibSources');
  expect(await (await third.sources).text()).toBe('stdlibSources');
  expect(files.fetchLate().sources).toBe(third.sources);
});

it('fetches both again if the libraries fail', async () => {
  const files = new SandboxFiles(base);
  const { libraries, sources } = files.fetchLate();
  FakeWorker.all[0]?.send({ name: 'stdlibRest', fault: 'missing', status: 404 });
  for (const failed of [libraries, sources]) await expect(failed).rejects.toThrow('404');
  void files.fetchLate();
  expect(FakeWorker.all[1]?.names).toEqual(['stdlibRest', 'stdlibSources']);
});
