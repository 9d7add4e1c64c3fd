/** Folders opened one after the other while packages are prepared: the last one counts, and none after closing. */

import { expect, test, vi } from 'vitest';
import type { FolderInterpreters, Hands } from './app-hands.ts';
import { ClocheApp } from './app.ts';
import { CallLog } from './call/call-log.ts';
import { fakeSource } from './folder/source.fixture.ts';
import { noPackages } from './packages/folder-packages.ts';
import { chosen, FakePackages, resolution, resolved } from './packages/packages.fixture.ts';
import { problem } from './packages/packages.fixture.ts';
import { fakeInspection } from './scan/tool.fixture.ts';
import { defaultLimits } from './spec/limits.ts';
import type { Wheel } from './spec/wheel.ts';

const x = 'x-1-py3-none-any.whl';
const block = '# /// script\n# dependencies = ["x"]\n# ///\n';

function raise(thrown: unknown): void {
  throw thrown;
}

function fakeInterpreters(
  inspected: string[],
  ended: Pick<FolderInterpreters, 'retire' | 'dispose'>,
): FolderInterpreters {
  const nothing = () => undefined;
  return {
    list: () => [],
    observe: () => nothing,
    ready: () => Promise.resolve(),
    inspect: (_, files, onReport) => {
      inspected.push(...files);
      for (const file of files) onReport(fakeInspection(file));
      return Promise.resolve();
    },
    run: () => Promise.reject(new Error('nothing to run')),
    check: () => Promise.resolve(null),
    needsApproval: () => Promise.resolve(false),
    endSession: nothing,
    update: nothing,
    openInspector: () => ({ inspect: () => Promise.resolve(), dispose: nothing }),
    ...ended,
  };
}

/** @param prepared packages by folder, or when they are ready */
function opened(prepared: Record<string, FakePackages | Promise<FakePackages>>) {
  const started: string[] = [];
  const given: [string, readonly Wheel[]][] = [];
  const inspected: string[] = [];
  const gone: string[] = [];
  const signals: AbortSignal[] = [];
  const hands: Hands = {
    openInterpreters: (folder, _, wheels) => {
      given.push([folder.name, wheels]);
      const ended = {
        retire: () => gone.push(`${folder.name} retired`),
        dispose: () => gone.push(`${folder.name} disposed of`),
      };
      return Promise.resolve(fakeInterpreters(inspected, ended));
    },
    preparePackages: async (signal, folder, _source, _declared, onStep) => {
      started.push(folder.name);
      signals.push(signal);
      const fake = (await prepared[folder.name]) ?? new FakePackages();
      return { ...fake.parts({ onStep }), want: () => undefined };
    },
    approve: () => Promise.resolve({ answer: null, refusal: null }),
    log: new CallLog({
      store: {
        load: () => Promise.resolve(),
        write: () => Promise.resolve(),
        clear: () => Promise.resolve(),
        begin: () => Promise.resolve(),
        begun: () => Promise.resolve([]),
      },
      limits: defaultLimits,
      pages: null,
      onStorageFailure: raise,
      after: () => undefined,
    }),
    folderId: () => undefined,
    limits: defaultLimits,
    now: () => 1_000,
    visible: { now: () => true, observe: () => () => undefined },
    after: () => () => undefined,
    report: raise,
  };
  return { app: new ClocheApp(hands), started, given, inspected, gone, signals };
}

function folderOf(name: string, files: Record<string, string> = { 'a.py': block }) {
  return fakeSource(files, { name });
}

test('packages are there before the files are imported', async () => {
  const { app, given, inspected } = opened({ one: chosen(resolution([resolved(x)])) });
  await app.open(folderOf('one'));
  expect(app.status.get()).toMatchObject({ phase: 'ready', folder: 'one' });
  expect(given).toMatchObject([['one', [{ filename: x, target: 'site' }]]]);
  expect(inspected).toEqual(['a.py']);
});

test('a folder has interpreters of its own: those of the one before end at once, those before a reload behind their calls', async () => {
  const { app, given, gone } = opened({});
  await app.open(folderOf('one'));
  expect(gone).toEqual([]);
  await app.reload();
  expect(gone).toEqual(['one retired']);
  await app.open(folderOf('two'));
  expect(gone).toEqual(['one retired', 'one disposed of']);
  expect(given.map(([name]) => name)).toEqual(['one', 'one', 'two']);
});

test('a folder opened while another one’s packages are prepared takes its place', async () => {
  let go: (fake: FakePackages) => void = () => undefined;
  const first = new Promise<FakePackages>((resolve) => (go = resolve));
  const { app, started, given, signals } = opened({
    one: first,
    two: chosen(resolution([resolved('y-1-py3-none-any.whl')])),
  });
  const opening = app.open(folderOf('one'));
  await vi.waitFor(() => {
    expect(started).toEqual(['one']);
  });
  expect(app.status.get().phase).toBe('packages');
  await app.open(folderOf('two'));
  go(chosen(resolution([resolved(x)])));
  await opening;
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(app.status.get()).toMatchObject({ phase: 'ready', folder: 'two' });
  expect(given.map(([name]) => name)).toEqual(['two']);
  expect(app.status.get().packages.installed.map(({ name }) => name)).toEqual(['y']);
});

test('a folder that is closed while its packages are prepared stays closed', async () => {
  let go: (fake: FakePackages) => void = () => undefined;
  const { app, started, given } = opened({ one: new Promise((resolve) => (go = resolve)) });
  const opening = app.open(folderOf('one'));
  await vi.waitFor(() => {
    expect(started).toEqual(['one']);
  });
  app.close();
  go(chosen(resolution([resolved(x)])));
  await opening;
  await app.settled();
  expect(app.status.get()).toMatchObject({ phase: 'none', folder: null });
  expect([given, app.folder, app.status.get().packages.declares]).toEqual([[], null, false]);
});

test.each(['reading', 'packages', 'starting', 'scanning', 'ready'])(
  'a folder closed while it is %s, or a little later, stays closed',
  async (phase) => {
    for (let turns = 0; turns < 20; turns += 1) {
      const { app } = opened({ one: chosen(resolution([resolved(x)])) });
      const reached = new Promise<void>((resolve) => {
        app.status.observe((now) => {
          if (now.phase === phase) resolve();
        });
      });
      const opening = app.open(folderOf('one'));
      await reached;
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      app.close();
      await opening;
      expect(app.status.get()).toMatchObject({ phase: 'none', folder: null });
      expect([app.status.get().packages, app.registry.list()]).toEqual([noPackages, []]);
    }
  },
);

test('a file without its packages fails alone, and loading again tries once more', async () => {
  const fake = chosen(resolution([], { problems: [problem('a.py')] }));
  const { app, inspected } = opened({ one: fake });
  await app.open(folderOf('one', { 'a.py': block, 'b.py': '' }));
  expect(inspected).toEqual(['b.py']);
  expect(app.status.get().packages.problems).toEqual([problem('a.py')]);
  fake.index = {};
  fake.answers = [resolution([])];
  await app.reload();
  expect(inspected).toEqual(['b.py', 'a.py', 'b.py']);
  expect(app.status.get().packages.problems).toEqual([]);
});

test('packages that cannot even be prepared are a folder that cannot be opened', async () => {
  const { app } = opened({ one: Promise.reject(new Error('no storage')) });
  await app.open(folderOf('one'));
  expect(app.status.get()).toMatchObject({ phase: 'failed', message: 'no storage' });
});
