/** Checkpoints: what they keep, what restoring one changes, and their limits. */

import { expect, onTestFinished, test, vi } from 'vitest';
import { nextTask } from '../async/pace.ts';
import { fakeFile } from '../folder/folder.fixture.ts';
import type { FolderFile } from '../spec/folder.ts';
import { Checkpoints } from './checkpoints.ts';
import { compareViews } from './changes.ts';
import { FakeCopy, FakeDisk, fakeWorkspace } from './workspace.fixture.ts';
import { WorkspaceAccess } from './workspace-access.ts';
import type { Workspace } from './workspace.ts';

const { signal } = new AbortController();
const by = 'git.py';
const shownAs = 'the extension git, git.py';

function opened(files: Record<string, string>, ...more: [limits?: { workspaceBytes: number }]) {
  const disk = new FakeDisk(files);
  const workspace = fakeWorkspace(disk, 'review', ...more);
  let at = 0;
  const checkpoints = new Checkpoints({
    workspace: () => Promise.resolve(workspace),
    now: () => (at += 1),
  });
  return { disk, workspace, checkpoints };
}

const waiting = ({ pending }: Workspace) => pending.map(({ kind, path }) => `${kind} ${path}`);

test('restoring writes, removes and creates what has changed since, after the review', async () => {
  const { disk, workspace, checkpoints } = opened({ 'a.txt': 'one', 'gone.txt': 'g', same: 's' });
  const saved = await checkpoints.save(signal, by, 'start');
  expect(saved).toEqual({ name: 'start', createdAt: 1, files: 3, changed: 0 });
  disk.put('a.txt', 'two');
  disk.put('new/b.txt', 'b');
  disk.files.delete('gone.txt');
  expect(await checkpoints.list(signal, by)).toMatchObject([{ name: 'start', changed: 3 }]);
  const restored = await checkpoints.restore(signal, by, 'start', shownAs);
  expect(restored).toEqual({ waiting: 4, refused: 0 });
  expect(waiting(workspace).toSorted()).toEqual([
    'added gone.txt',
    'changed a.txt',
    'folder-removed new',
    'removed new/b.txt',
  ]);
  expect(workspace.pending[0]?.origin).toEqual({ tool: shownAs, callId: '' });
  expect(disk.texts['a.txt']).toBe('two');
  await workspace.write(workspace.pending);
  expect(disk.texts).toEqual({ 'a.txt': 'one', 'gone.txt': 'g', same: 's' });
  // Nothing is left to do.
  expect(await checkpoints.restore(signal, by, 'start', shownAs)).toMatchObject({ waiting: 0 });
});

test('changes of tools that wait for the review are part of it, and restoring takes them back', async () => {
  const { workspace, checkpoints } = opened({ 'a.txt': 'one' });
  await checkpoints.save(signal, by, 'before');
  const python = new FakeCopy();
  const access = await WorkspaceAccess.begin(
    signal,
    workspace,
    workspace.openCopy(python.exchange),
    true,
  );
  python.files.set('a.txt', 'by a tool');
  await access.end(signal, { tool: 't:f', callId: 'c' });
  await checkpoints.save(signal, by, 'after');
  expect(waiting(workspace)).toEqual(['changed a.txt']);
  await checkpoints.restore(signal, by, 'before', shownAs);
  expect(waiting(workspace)).toEqual([]);
  await checkpoints.restore(signal, by, 'after', shownAs);
  expect(waiting(workspace)).toEqual(['changed a.txt']);
});

test('a file that is newer than the change is not overwritten without a decision', async () => {
  const { disk, workspace, checkpoints } = opened({ 'a.txt': 'one' });
  await checkpoints.save(signal, by, 'start');
  disk.put('a.txt', 'two');
  await checkpoints.restore(signal, by, 'start', shownAs);
  disk.put('a.txt', 'three, by another program');
  await workspace.write(workspace.pending);
  expect(disk.texts['a.txt']).toBe('three, by another program');
  expect(workspace.asking.size).toBe(1);
});

test('each extension has its own, twenty at most, and one for each name', async () => {
  const { checkpoints } = opened({ a: 'a' });
  for (let n = 0; n < 25; n += 1) await checkpoints.save(signal, by, `number ${n}`);
  await checkpoints.save(signal, by, 'number 10');
  const names = (await checkpoints.list(signal, by)).map(({ name }) => name);
  expect([names.length, names[0], names.at(-1)]).toEqual([20, 'number 10', 'number 5']);
  expect(await checkpoints.list(signal, 'other.py')).toEqual([]);
  await expect(checkpoints.restore(signal, 'other.py', 'number 10', shownAs)).rejects.toThrow(
    'There is no checkpoint',
  );
  for (const name of ['', ' ', 'x'.repeat(201)])
    await expect(checkpoints.save(signal, by, name)).rejects.toThrow('needs a name');
});

test('what they keep besides the workspace takes no more room than a workspace', async () => {
  const { disk, checkpoints } = opened({ a: '0'.repeat(60) }, { workspaceBytes: 100 });
  await checkpoints.save(signal, by, 'first');
  disk.put('a', '1'.repeat(60));
  await checkpoints.save(signal, by, 'second');
  expect((await checkpoints.list(signal, by)).length).toBe(2);
  disk.put('a', '2'.repeat(60));
  await checkpoints.save(signal, by, 'third');
  // Two of them keep 60 bytes each that the workspace does not have any more.
  expect((await checkpoints.list(signal, by)).map(({ name }) => name)).toEqual(['third', 'second']);
});

test('the room is that of all extensions together', async () => {
  const { disk, checkpoints } = opened({ a: '0'.repeat(60) }, { workspaceBytes: 100 });
  for (const n of [1, 2, 3]) {
    await checkpoints.save(signal, `extension-${n}.py`, 'first');
    disk.put('a', String(n).repeat(60));
  }
  await checkpoints.save(signal, by, 'first');
  const counts = [1, 2, 3].map(
    async (n) => (await checkpoints.list(signal, `extension-${n}.py`)).length,
  );
  // One more keeps 60 bytes that the workspace does not have any more.
  expect(await Promise.all(counts)).toEqual([0, 0, 1]);
  expect(await checkpoints.list(signal, by)).toHaveLength(1);
});

test('all extensions together have a hundred, and none that is made at the same time is lost', async () => {
  const { checkpoints } = opened({ a: 'a' });
  const files = Array.from({ length: 6 }, (_, n) => `extension-${n}.py`);
  for (let n = 0; n < 18; n += 1)
    await Promise.all(files.map((file) => checkpoints.save(signal, file, `number ${n}`)));
  let count = 0;
  for (const file of files) count += (await checkpoints.list(signal, file)).length;
  expect(count).toBe(100);
  expect((await checkpoints.list(signal, files[0]!)).map(({ name }) => name)).not.toContain(
    'number 0',
  );
});

test('a list compares one checkpoint after the other, in slices that leave time to the page', async () => {
  const paths = Array.from({ length: 200 }, (_, n) => `${n}.txt`);
  const { checkpoints } = opened(Object.fromEntries(paths.map((path) => [path, path])));
  for (let n = 0; n < 8; n += 1) await checkpoints.save(signal, by, `number ${n}`);
  // Each look at the clock takes a millisecond.
  let clock = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (clock += 1));
  onTestFinished(() => void vi.restoreAllMocks());
  const progress = { ended: false };
  const listing = checkpoints.list(signal, by).finally(() => (progress.ended = true));
  let longest = 0;
  while (!progress.ended) {
    const before = clock;
    await nextTask();
    longest = Math.max(longest, clock - before);
  }
  expect(await listing).toHaveLength(8);
  // Positive control: there were so many looks that slices were needed.
  expect(clock).toBeGreaterThan(1_000);
  // Two slices of 8 ms at most lie between two tasks of the page, not one for each checkpoint.
  expect(longest).toBeLessThan(30);
});

test('comparing pauses at paths that one side lacks, too', async () => {
  const files = new Map([1, 2, 3].map((n) => [`${n}`, fakeFile(`${n}`, 'x')]));
  const full = { files, folders: new Set(['a', 'b']) };
  const none = { files: new Map<string, FolderFile>(), folders: new Set<string>() };
  let rests = 0;
  const pacer = {
    mustRest: () => true,
    rest: () => {
      rests += 1;
      return Promise.resolve();
    },
  };
  const { removed, foldersGone } = await compareViews(none, full, pacer);
  expect([removed, foldersGone, rests]).toEqual([['1', '2', '3'], ['a', 'b'], 5]);
});

test('without a workspace, it says where to choose one; one that cannot be read says so', async () => {
  const none = new Checkpoints({ workspace: () => Promise.resolve(null), now: () => 0 });
  await expect(none.save(signal, by, 'a')).rejects.toThrow('Choose one on the Workspace page.');
  const { disk, checkpoints } = opened({ a: 'a' });
  disk.readable = false;
  await expect(checkpoints.save(signal, by, 'a')).rejects.toThrow();
});
