/** The path of a call's changes, from the interpreter's copy to the folder. */

import { expect, test } from 'vitest';
import { ToolError } from '../spec/error.ts';
import { WorkspaceAccess } from './workspace-access.ts';
import { FakeCopy, FakeDisk, fakeWorkspace } from './workspace.fixture.ts';
import type { Workspace, Writing } from './workspace.ts';

const { signal } = new AbortController();
const origin = { tool: 't:f', callId: 'call' };

function opened(files: Record<string, string>, writing: Writing = 'review') {
  const disk = new FakeDisk(files);
  const workspace = fakeWorkspace(disk, writing);
  const python = new FakeCopy();
  return { disk, workspace, python, copy: workspace.openCopy(python.exchange) };
}

/** A call whose tool makes this change to its copy. */
async function call(
  { workspace, copy, python }: Omit<ReturnType<typeof opened>, 'disk'>,
  tool: (python: FakeCopy) => void,
) {
  const access = await WorkspaceAccess.begin(signal, workspace, copy, true);
  tool(python);
  const note = await access.end(signal, origin);
  return Object.fromEntries(note?.entries.map(({ path, state }) => [path, state]) ?? []);
}

function waiting(workspace: Workspace): string[] {
  return workspace.pending.map(({ path, kind }) => `${kind} ${path}`);
}

test('of three edited files, two are written, and the one that changed on disk needs a decision', async () => {
  const all = opened({ a: 'a', b: 'b', c: 'c' }, 'at-once');
  const reported = await call(all, ({ files }) => {
    for (const path of ['a', 'b', 'c']) files.set(path, 'tool');
    all.disk.put('b', 'saved meanwhile');
  });
  expect([reported, all.disk.texts, waiting(all.workspace)]).toEqual([
    { a: 'written', b: 'asks', c: 'written' },
    { a: 'tool', b: 'saved meanwhile', c: 'tool' },
    ['changed b'],
  ]);
  // The next call sees the files on disk.
  await call(all, () => undefined);
  expect(all.python.texts).toEqual({ a: 'tool', b: 'saved meanwhile', c: 'tool' });
});

test('a file that runs by itself waits for the review, even if changes are written at once', async () => {
  const all = opened({ old: 'script', Makefile: 'all:' }, 'at-once');
  const reported = await call(all, ({ files }) => {
    files.set('src.txt', 'x').set('Makefile', 'all: steal').set('.envrc', 'script');
    // A moved file: the old one is removed once the new one is written.
    files.delete('old');
  });
  expect([reported, all.disk.texts, waiting(all.workspace)]).toEqual([
    { 'src.txt': 'written', Makefile: 'waiting', '.envrc': 'waiting', old: 'waiting' },
    { old: 'script', Makefile: 'all:', 'src.txt': 'x' },
    ['changed Makefile', 'added .envrc', 'removed old'],
  ]);
  await all.workspace.write(all.workspace.pending);
  expect(all.disk.texts).toEqual({ Makefile: 'all: steal', '.envrc': 'script', 'src.txt': 'x' });
});

test('later changes of a restored file wait for the review with it, even if changes are written at once', async () => {
  const all = opened({ 'a.txt': 'one', 'moved.txt': 'm', gone: 'g' }, 'at-once');
  await call(all, () => undefined);
  const earlier = all.workspace.view;
  all.disk.put('a.txt', 'two');
  all.disk.put('moved.txt', 'newer');
  all.disk.put('new.txt', 'by the user');
  all.disk.files.delete('gone');
  await all.workspace.refresh(signal, 'every');
  const made = await all.workspace.restore(earlier, { tool: 'the extension git', callId: '' });
  expect(made.map(({ path, state }) => `${path} ${state}`).toSorted()).toEqual([
    'a.txt waiting',
    'gone waiting',
    'moved.txt waiting',
    'new.txt waiting',
  ]);
  const changed = await call(all, ({ files }) => {
    expect(Object.fromEntries(files)).toEqual({ 'a.txt': 'one', 'moved.txt': 'm', gone: 'g' });
    files.set('a.txt', 'one, and a line').set('new.txt', 'by the tool').set('other', 'o');
    files.delete('moved.txt');
  });
  // Other files that the tool writes are written at once, as before.
  expect(changed).toEqual({
    'a.txt': 'waiting',
    'new.txt': 'waiting',
    'moved.txt': 'waiting',
    other: 'written',
  });
  await call(all, ({ files }) => files.set('a.txt', 'one, and two lines'));
  expect(all.disk.texts).toEqual({
    'a.txt': 'two',
    'moved.txt': 'newer',
    'new.txt': 'by the user',
    other: 'o',
  });
  expect(waiting(all.workspace).toSorted()).toEqual([
    'added gone',
    'changed a.txt',
    'changed new.txt',
    'removed moved.txt',
  ]);
  await all.workspace.write(all.workspace.pending);
  expect(all.disk.texts).toEqual({
    'a.txt': 'one, and two lines',
    'new.txt': 'by the tool',
    gone: 'g',
    other: 'o',
  });
});

test('calls that end at the same time cannot write files that some systems take for one', async () => {
  const { workspace } = opened({});
  const ends = ['a', 'A'].map((path) => {
    const copy = workspace.openCopy(() => Promise.reject(new Error('unused')));
    const files = [{ path, modifiedAt: 5, bytes: new Uint8Array() }];
    const none = { removed: [], folders: [], foldersGone: [], left: [] };
    return workspace.take({ ...none, files }, copy, origin);
  });
  const states = (await Promise.all(ends)).flat().map(({ path, state }) => `${path} ${state}`);
  expect(states).toEqual(['a waiting', 'A refused']);
});

test('new changes are not compared with each that waits', async () => {
  const paths = Array.from({ length: 500 }, (_, n) => `${n}`);
  const all = opened({ ...Object.fromEntries(paths.map((path) => [path, 'a'])) });
  await call(all, ({ files }) => {
    for (const path of paths) files.set(path, 'b');
  });
  let looks = 0;
  for (const change of all.workspace.pending) {
    const { path } = change;
    Object.defineProperty(change, 'path', { enumerable: true, get: () => ((looks += 1), path) });
  }
  await call(all, ({ files }) => {
    for (const path of paths) files.set(`new ${path}`, 'c');
  });
  expect(waiting(all.workspace)).toHaveLength(2 * paths.length);
  expect(looks).toBeGreaterThan(0);
  expect(looks).toBeLessThan(20 * paths.length);
});

test('a result says why a file waits', async () => {
  const { workspace, copy, python } = opened({}, 'at-once');
  const access = await WorkspaceAccess.begin(signal, workspace, copy, true);
  python.files.set('a/.envrc', 'x');
  const note = await access.end(signal, origin);
  expect(note?.entries).toEqual([
    {
      path: 'a/.envrc',
      what: 'added',
      state: 'waiting',
      reason: 'direnv runs it when you enter the folder',
    },
  ]);
});

test('in review mode nothing is written, and tools see pending changes', async () => {
  const all = opened({ a: 'a', gone: 'g' });
  const reported = await call(all, (python) => {
    python.files.set('a', 'A');
    python.files.set('new/b', 'b');
    python.folders.add('new');
    python.folders.add('empty');
    python.files.delete('gone');
  });
  expect(reported).toEqual({ a: 'waiting', 'new/b': 'waiting', gone: 'waiting', empty: 'waiting' });
  expect(all.disk.texts).toEqual({ a: 'a', gone: 'g' });
  const other = new FakeCopy();
  const copy = all.workspace.openCopy(other.exchange);
  await call({ ...all, python: other, copy }, () => undefined);
  expect([other.texts, [...other.folders].sort()]).toEqual([
    { a: 'A', 'new/b': 'b' },
    ['empty', 'new'],
  ]);
  await all.workspace.write(all.workspace.pending);
  expect([all.disk.texts, all.disk.log.at(-1)]).toEqual([{ a: 'A', 'new/b': 'b' }, 'remove gone']);
});

test('discarded changes are undone in every copy', async () => {
  const all = opened({ a: 'a' });
  await call(all, ({ files }) => files.set('a', 'A').set('b', 'B'));
  all.workspace.discard(all.workspace.pending);
  await call(all, () => undefined);
  expect([all.python.texts, all.disk.texts]).toEqual([{ a: 'a' }, { a: 'a' }]);
});

test('several changes of a file become one, and none if it is as it was', async () => {
  const all = opened({ a: 'a' });
  await call(all, ({ files }) => files.set('a', '1').set('b', '1'));
  await call(all, ({ files }) => files.set('a', '2').delete('b'));
  expect(waiting(all.workspace)).toEqual(['changed a']);
  await call(all, ({ files }) => files.set('a', 'a'));
  expect(waiting(all.workspace)).toEqual([]);
});

test('the same edit in two interpreters: the second needs a decision, and applies once the first is discarded', async () => {
  const all = opened({ a: 'a' });
  const other = new FakeCopy();
  const second = { ...all, python: other, copy: all.workspace.openCopy(other.exchange) };
  const one = await WorkspaceAccess.begin(signal, all.workspace, all.copy, true);
  const two = await WorkspaceAccess.begin(signal, all.workspace, second.copy, true);
  all.python.files.set('a', 'one');
  other.files.set('a', 'two');
  await one.end(signal, origin);
  const note = await two.end(signal, origin);
  expect(note?.entries).toEqual([{ path: 'a', what: 'changed', state: 'asks' }]);
  all.workspace.discard(all.workspace.pending.slice(0, 1));
  expect(all.workspace.asking.size).toBe(0);
});

test('changes of a call that was ended early are undone before the next call', async () => {
  const all = opened({ a: 'a' });
  const access = await WorkspaceAccess.begin(signal, all.workspace, all.copy, true);
  all.python.files.set('a', 'half').set('new', 'half');
  expect(access.lose({ isShared: false })).toEqual({
    name: 'space',
    entries: [],
    more: 0,
    trouble: 'Its changes to the workspace are lost.',
  });
  expect(await call(all, () => undefined)).toEqual({});
  expect([all.python.texts, waiting(all.workspace)]).toEqual([{ a: 'a' }, []]);
});

test('a file that changes between check and write needs a decision', async () => {
  const all = opened({ a: 'a' });
  await call(all, ({ files }) => files.set('a', 'A'));
  all.disk.onRead = () => {
    all.disk.put('a', 'just now');
  };
  await all.workspace.write(all.workspace.pending);
  expect([all.disk.texts, all.workspace.asking.size]).toEqual([{ a: 'just now' }, 1]);
  all.disk.onRead = () => undefined;
  await all.workspace.overwrite(all.workspace.pending[0]!);
  expect([all.disk.texts, waiting(all.workspace)]).toEqual([{ a: 'A' }, []]);
});

test('changes that cannot be written stay pending, with the reason and a remedy', async () => {
  const all = opened({ a: 'a' }, 'at-once');
  all.disk.fails = new DOMException('full', 'QuotaExceededError');
  expect(await call(all, ({ files }) => files.set('a', 'A'))).toEqual({ a: 'failed' });
  expect(all.workspace.pending[0]?.error).toContain('Free up space and write the file again.');
  all.disk.fails = null;
  await all.workspace.write(all.workspace.pending);
  expect([all.disk.texts, waiting(all.workspace)]).toEqual([{ a: 'A' }, []]);
});

test('the old path of a moved file is not removed before the new one is written', async () => {
  const all = opened({ old: 'text' }, 'at-once');
  all.disk.fails = new DOMException('full', 'QuotaExceededError');
  await call(all, ({ files }) => {
    files.delete('old');
    files.set('new', 'text');
  });
  expect([all.disk.texts, waiting(all.workspace)]).toEqual([
    { old: 'text' },
    ['added new', 'removed old'],
  ]);
});

test('a tool’s file can be saved under another path, if that is free', async () => {
  const all = opened({ a: 'a', taken: 't' });
  await call(all, ({ files }) => files.set('a', 'A'));
  all.disk.put('a', 'newer');
  await all.workspace.refresh(signal, 'changed');
  const [change] = all.workspace.pending;
  expect(await all.workspace.saveBeside(change!, 'taken')).toBe('The file “taken” already exists.');
  expect(await all.workspace.saveBeside(change!, '../out')).toContain('It cannot be saved as');
  expect(await all.workspace.saveBeside(change!, 'beside')).toBe(null);
  expect(all.disk.texts).toEqual({ a: 'newer', taken: 't', beside: 'A' });
});

test('refused files are listed, and the files that they replaced come back', async () => {
  const disk = new FakeDisk({ a: 'a' });
  const workspace = fakeWorkspace(disk, 'at-once', { fileBytes: 4, workspaceBytes: 7 });
  const python = new FakeCopy();
  const all = { workspace, python, copy: workspace.openCopy(python.exchange) };
  const reported = await call(all, ({ files }) =>
    files.set('a', 'large').set('b', '1234').set('c', '1234').set('A', 'x').set('.git/hook', 'x'),
  );
  expect([reported, disk.texts]).toEqual([
    { a: 'refused', b: 'written', c: 'refused', A: 'refused', '.git/hook': 'refused' },
    { a: 'a', b: '1234' },
  ]);
  await call(all, () => undefined);
  expect(python.texts).toMatchObject({ a: 'a', b: '1234' });
});

test('if the folder cannot be read, the call has no workspace and says so', async () => {
  const all = opened({});
  all.disk.readable = false;
  const access = await WorkspaceAccess.begin(signal, all.workspace, all.copy, true);
  expect(access.context).toBe(null);
  expect((await access.end(signal, origin))?.trouble).toContain('Allow it on the Workspace page.');
});

test('if the interpreter is lost while its changes are collected, they are lost', async () => {
  const all = opened({ a: 'a' });
  const access = await WorkspaceAccess.begin(signal, all.workspace, all.copy, true);
  all.python.fails = new ToolError('crashed', 'The interpreter crashed');
  expect((await access.end(signal, origin))?.trouble).toBe(
    'Its changes to the workspace are lost: The interpreter crashed',
  );
  const next = await WorkspaceAccess.begin(signal, all.workspace, all.copy, true);
  expect(next.context).toBe(null);
});

test('a call that overlaps with another one gets the copy as it is, and does not lose the other’s changes', async () => {
  const all = opened({ a: 'a' });
  const first = await WorkspaceAccess.begin(signal, all.workspace, all.copy, true);
  const second = await WorkspaceAccess.begin(signal, all.workspace, all.copy, false);
  all.python.files.set('a', 'both');
  expect(first.lose({ isShared: true }).trouble).toContain(
    'are included in the calls that ran in parallel',
  );
  expect((await second.end(signal, origin))?.entries).toHaveLength(1);
});

test('if nothing has changed, nothing is sent to the interpreter', async () => {
  const all = opened({ a: 'a' });
  await call(all, () => undefined);
  all.python.requests.length = 0;
  await call(all, () => undefined);
  expect(all.python.requests.map(({ tell }) => tell)).toEqual(['contents']);
});
