/** Opens folders in quick succession while packages are prepared: the last one counts, and none after closing. */

import { expect, test, vi } from 'vitest';
import { fakeSource, listSource } from '../folder/source.fixture.ts';
import { initialFolderStatus, StatusHolder } from './status.ts';
import { chosen, FakePackages, resolution, resolved } from '../packages/packages.fixture.ts';
import { problem } from '../packages/packages.fixture.ts';
import { fakeInspection } from '../scan/tool.fixture.ts';
import { Registry } from '../registry/registry.ts';
import { ToolError } from '../spec/error.ts';
import { defaultLimits } from '../spec/limits.ts';
import type { Wheel } from '../spec/wheel.ts';
import { CurrentFolder, noPackages } from './current-folder.ts';
import { fakeInterpreters } from './folder-interpreters.fixture.ts';
import { CurrentInterpreters } from './folder-interpreters.ts';
import { FolderLoader, openingProblem } from './folder-loader.ts';

const x = 'x-1-py3-none-any.whl';
const block = '# /// script\n# dependencies = ["x"]\n# ///\nTOOL_SPECS = []\n';

function raise(thrown: unknown): void {
  throw thrown;
}

/** @param prepared packages by folder, or a promise of them */
function opened(prepared: Record<string, FakePackages | Promise<FakePackages>>) {
  const started: string[] = [];
  const given: [string, readonly Wheel[]][] = [];
  const inspected: string[] = [];
  const gone: string[] = [];
  const signals: AbortSignal[] = [];
  const settings: string[] = [];
  const inspectors: string[] = [];
  const status = new StatusHolder(initialFolderStatus, raise);
  const interpreters = new CurrentInterpreters(raise);
  const registry = new Registry(interpreters.dispatch, raise);
  const folder = new FolderLoader({
    status,
    interpreters,
    registry,
    currentFolder: new CurrentFolder(new WeakMap()),
    calls: { cancelAll: () => undefined },
    openInterpreters: ({ name }, _, wheels) => {
      given.push([name, wheels]);
      const fake = fakeInterpreters({
        inspect: (_signal, files, onReport) => {
          inspected.push(...files);
          for (const file of files) onReport(fakeInspection(file));
          return Promise.resolve();
        },
        setSettings: (values) => settings.push(`${name} ${Object.keys(values).join()}`),
        openInspector: () => {
          inspectors.push('opened');
          return {
            inspect: () => Promise.resolve(),
            propose: (_signal, _folder, file) =>
              Promise.resolve({ file, tools: [], text: null, notes: [] }),
            dispose: () => inspectors.push('disposed of'),
          };
        },
        retire: () => gone.push(`${name} retired`),
        dispose: () => gone.push(`${name} disposed of`),
      });
      return Promise.resolve(fake);
    },
    preparePackages: async (signal, { snapshot, onStep }) => {
      started.push(snapshot.name);
      signals.push(signal);
      const fake = (await prepared[snapshot.name]) ?? new FakePackages();
      return { ...fake.deps({ onStep }), askFor: () => undefined };
    },
    limits: defaultLimits,
    now: () => 1_000,
    visible: { now: () => true, observe: () => () => undefined },
    after: () => () => undefined,
    report: raise,
  });
  const seen = { started, given, inspected, gone, signals, settings, inspectors };
  return { folder, status, registry, ...seen };
}

function folderOf(name: string, files: Record<string, string> = { 'a.py': block }) {
  return fakeSource(files, { name });
}

test('packages are available before the files are imported', async () => {
  const { folder, status, given, inspected } = opened({ one: chosen(resolution([resolved(x)])) });
  await folder.open(folderOf('one'));
  expect(status.get()).toMatchObject({ phase: 'ready', folder: 'one' });
  expect(given).toMatchObject([['one', [{ filename: x, target: 'site' }]]]);
  expect(inspected).toEqual(['a.py']);
});

test('a folder gets its own interpreters: those of the previous folder end at once, those from before a reload after their calls', async () => {
  const { folder, given, gone } = opened({});
  await folder.open(folderOf('one'));
  expect(gone).toEqual([]);
  await folder.reload();
  expect(gone).toEqual(['one retired']);
  await folder.open(folderOf('two'));
  expect(gone).toEqual(['one retired', 'one disposed of']);
  expect(given.map(([name]) => name)).toEqual(['one', 'one', 'two']);
});

test('values of settings reach later interpreters of the folder, and no other folder', async () => {
  const { folder, settings, inspectors } = opened({});
  const { signal } = new AbortController();
  const propose = () => folder.propose(signal, 'a.py', new Uint8Array(), null);
  await expect(propose()).rejects.toMatchObject({ code: 'no-folder' });
  await folder.open(folderOf('one'));
  await propose();
  folder.setSettings({ 'a.py': { Valves: { key: 'k' } } });
  await propose();
  expect(inspectors).toEqual(['opened', 'disposed of', 'opened']);
  await folder.reload();
  await folder.open(folderOf('two'));
  expect(settings).toEqual(['one a.py', 'one a.py']);
});

test('a folder opened while another one’s packages are prepared replaces it', async () => {
  let go: (fake: FakePackages) => void = () => undefined;
  const first = new Promise<FakePackages>((resolve) => (go = resolve));
  const { folder, status, started, given, signals } = opened({
    one: first,
    two: chosen(resolution([resolved('y-1-py3-none-any.whl')])),
  });
  const opening = folder.open(folderOf('one'));
  await vi.waitFor(() => {
    expect(started).toEqual(['one']);
  });
  expect(status.get().phase).toBe('packages');
  await folder.open(folderOf('two'));
  go(chosen(resolution([resolved(x)])));
  await opening;
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(status.get()).toMatchObject({ phase: 'ready', folder: 'two' });
  expect(given.map(([name]) => name)).toEqual(['two']);
  expect(status.get().packages.installed.map(({ name }) => name)).toEqual(['y']);
});

test('a folder closed while its packages are prepared stays closed', async () => {
  let go: (fake: FakePackages) => void = () => undefined;
  const { folder, status, started, given } = opened({
    one: new Promise((resolve) => (go = resolve)),
  });
  const opening = folder.open(folderOf('one'));
  await vi.waitFor(() => {
    expect(started).toEqual(['one']);
  });
  folder.close();
  go(chosen(resolution([resolved(x)])));
  await opening;
  await folder.settled();
  expect(status.get()).toMatchObject({ phase: 'none', folder: null });
  expect([given, folder.current, status.get().packages.declares]).toEqual([[], null, false]);
});

test('a refreshed folder is the one that was read last', async () => {
  const { folder } = opened({});
  const files: Record<string, string> = { 'a.py': 'one' };
  const source = listSource([], {
    rereadable: true,
    entries: (...request) => fakeSource(files).entries(...request),
  });
  await folder.open(source);
  expect(folder.source('a.py')).toBe('one');
  files['a.py'] = 'another one';
  files['notes.txt'] = 'new';
  await folder.refresh();
  expect(folder.source('a.py')).toBe('another one');
  expect(folder.current?.snapshot.files.map(({ path }) => path)).toContain('notes.txt');
});

test.each(['reading', 'packages', 'starting', 'scanning', 'ready'])(
  'a folder closed while it is %s, or a little later, stays closed',
  async (phase) => {
    for (let turns = 0; turns < 20; turns += 1) {
      const { folder, status, registry } = opened({ one: chosen(resolution([resolved(x)])) });
      const reached = new Promise<void>((resolve) => {
        status.observe((now) => {
          if (now.phase === phase) resolve();
        });
      });
      const opening = folder.open(folderOf('one'));
      await reached;
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      folder.close();
      await opening;
      expect(status.get()).toMatchObject({ phase: 'none', folder: null });
      expect([status.get().packages, registry.list()]).toEqual([noPackages, []]);
    }
  },
);

test('a file without its packages fails alone, and a reload tries again', async () => {
  const fake = chosen(resolution([], { problems: [problem('a.py')] }));
  const { folder, status, inspected } = opened({ one: fake });
  await folder.open(folderOf('one', { 'a.py': block, 'b.py': '' }));
  expect(inspected).toEqual(['b.py']);
  expect(status.get().packages.problems).toEqual([problem('a.py')]);
  fake.index = {};
  fake.answers = [resolution([])];
  await folder.reload();
  expect(inspected).toEqual(['b.py', 'a.py', 'b.py']);
  expect(status.get().packages.problems).toEqual([]);
});

test('if preparing packages throws, the folder cannot be opened', async () => {
  const { folder, status } = opened({ one: Promise.reject(new Error('no storage')) });
  await folder.open(folderOf('one'));
  expect(status.get()).toMatchObject({ phase: 'failed', message: 'no storage' });
});

test.each([
  [new ToolError('limit', 'Too much.', 'Open less.'), 'Too much.', 'Open less.'],
  [new ToolError('limit', 'Too much.'), 'Too much.', 'Open the folder again.'],
  [new Error('Gone.'), 'Gone.', 'Open the folder again.'],
  ['x', 'x', 'Open the folder again.'],
])('an error while opening becomes the folder’s problem: %s', (thrown, message, hint) => {
  expect(openingProblem(thrown)).toEqual({
    severity: 'error',
    code: 'not-opened',
    file: '',
    line: null,
    column: null,
    message,
    expected: '',
    hint,
  });
});
