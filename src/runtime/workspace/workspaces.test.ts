/** Which workspace each tools folder has, from one visit to the next. */

import { expect, test } from 'vitest';
import { defaultLimits } from '../spec/limits.ts';
import type { WorkspaceChoice, WorkspaceStore } from './choice.ts';
import { WorkspaceAccess } from './workspace-access.ts';
import { FakeCopy, FakeDisk } from './workspace.fixture.ts';
import { Workspaces, type WorkspacesDeps } from './workspaces.ts';

/** The choices that the pages of one browser share. */
class SharedChoices extends Map<string, WorkspaceChoice> {
  readonly #pages = new Map<object, (id: string) => void>();
  #ids = 0;

  newId(): string {
    return `key-${(this.#ids += 1)}`;
  }

  /** The store of one page. */
  open(): WorkspaceStore {
    const page = {};
    const tellOthers = (id: string): void => {
      for (const [other, listener] of this.#pages) if (other !== page) listener(id);
    };
    return {
      all: () => Promise.resolve([...this.values()]),
      // What is read may have changed before it arrives.
      get: (id) => new Promise((resolve) => setTimeout(resolve, 2, this.get(id))),
      put: (choice, known) => {
        const found = this.get(choice.id);
        if (found !== undefined && found.key !== known) return Promise.resolve(found);
        this.set(choice.id, choice);
        tellOthers(choice.id);
        return Promise.resolve(choice);
      },
      remove: (id) => {
        this.delete(id);
        tellOthers(id);
        return Promise.resolve();
      },
      observe: (listener) => void this.#pages.set(page, listener),
    };
  }
}

function access(
  stored = new SharedChoices(),
  openDisk: WorkspacesDeps['openDisk'] = () => Promise.resolve(new FakeDisk()),
  removing = () => Promise.resolve(),
) {
  const removed: string[] = [];
  const workspaces = new Workspaces({
    store: stored.open(),
    openDisk,
    removeKept: (key) => {
      removed.push(key);
      return removing();
    },
    limits: defaultLimits,
    now: () => 0,
    newId: () => stored.newId(),
    report: (thrown) => {
      throw thrown;
    },
  });
  return { workspaces, stored, removed };
}

/** Workspaces whose disks are opened by the test, in the order in which they were asked for. */
function slowAccess() {
  const disks: { resolve: (disk: FakeDisk) => void; reject: (thrown: Error) => void }[] = [];
  const openDisk = (): Promise<FakeDisk> =>
    new Promise((resolve, reject) => void disks.push({ resolve, reject }));
  return { ...access(undefined, openDisk), disks };
}

const folder = { id: 'tools', name: 'my tools' };

test('a folder without a workspace adds no delay to its calls', async () => {
  const { workspaces } = access();
  await workspaces.load();
  expect(workspaces.forCall(() => 'tools')).toBe(null);
  expect(workspaces.forCall(() => undefined)).toBe(null);
});

test('a call waits until the stored choices are loaded', async () => {
  const first = access();
  await first.workspaces.choose(folder, 'space', null);
  await first.workspaces.setWriting('tools', 'at-once');
  const { workspaces } = access(first.stored);
  void workspaces.load();
  const found = await workspaces.forCall(() => 'tools');
  expect([found?.name, found?.writing, found?.key]).toEqual(['space', 'at-once', 'key-1']);
  expect(await workspaces.of('tools')).toBe(found);
});

test('whether a folder lacks a workspace is known once the stored choices are loaded', async () => {
  const first = access();
  await first.workspaces.choose(folder, 'space', null);
  const { workspaces } = access(first.stored);
  void workspaces.load();
  const lacks = ['tools', 'others', null].map((id) => workspaces.lacks(id));
  expect(await Promise.all(lacks)).toEqual([false, true, false]);
});

test('forgetting a workspace deletes only a folder in the browser’s storage', async () => {
  const { workspaces, stored, removed } = access();
  await workspaces.choose(folder, 'space', null);
  expect(workspaces.lossOf('tools')).toContain('all files in it');
  await workspaces.forget('tools');
  const handle = {} as FileSystemDirectoryHandle;
  await workspaces.choose(folder, 'on disk', handle);
  await workspaces.forget('tools');
  expect([stored.size, removed, workspaces.lossOf('tools')]).toEqual([0, ['key-1'], '']);
});

test('emptying a folder in the browser’s storage starts a new one with the same name', async () => {
  const { workspaces, removed } = access();
  await workspaces.choose(folder, 'space', null);
  const before = await workspaces.of('tools');
  await workspaces.empty('tools');
  const after = await workspaces.of('tools');
  expect([removed, before === after, after?.name, after?.key]).toEqual([
    ['key-1'],
    false,
    'space',
    'key-2',
  ]);
});

test('a folder that cannot be opened is reported, and tried again', async () => {
  const reported: unknown[] = [];
  let fails = true;
  const workspaces = new Workspaces({
    store: {
      all: () => Promise.reject(new Error('no storage')),
      get: () => Promise.reject(new Error('no storage')),
      put: () => Promise.reject(new Error('no storage')),
      remove: () => Promise.resolve(),
      observe: () => undefined,
    },
    openDisk: () => (fails ? Promise.reject(new Error('gone')) : Promise.resolve(new FakeDisk())),
    removeKept: () => Promise.resolve(),
    limits: defaultLimits,
    now: () => 0,
    newId: () => 'key',
    report: (thrown) => void reported.push(thrown),
  });
  await workspaces.load();
  await workspaces.choose(folder, 'space', null);
  expect(await workspaces.of('tools')).toBe(null);
  fails = false;
  expect((await workspaces.of('tools'))?.name).toBe('space');
  expect(reported).toHaveLength(1);
});

test('a way of writing that is chosen while the folder is opening applies', async () => {
  const { workspaces, disks } = slowAccess();
  await workspaces.choose(folder, 'space', null);
  await workspaces.setWriting('tools', 'at-once');
  const opening = workspaces.of('tools');
  await workspaces.setWriting('tools', 'review');
  disks[0]?.resolve(new FakeDisk());
  expect((await opening)?.writing).toBe('review');
});

test('a workspace that is forgotten while it is opening is not opened', async () => {
  const { workspaces, disks } = slowAccess();
  await workspaces.choose(folder, 'space', null);
  const opening = workspaces.of('tools');
  const forgetting = workspaces.forget('tools');
  disks[0]?.resolve(new FakeDisk());
  expect([await opening, disks.length]).toEqual([null, 1]);
  await forgetting;
});

test('a folder in the browser’s storage is deleted only once it is no longer being opened', async () => {
  for (const change of ['forget', 'empty'] as const)
    for (const end of ['opens', 'fails'] as const) {
      const { workspaces, disks, removed } = slowAccess();
      await workspaces.choose(folder, 'space', null);
      const opening = workspaces.of('tools');
      const changing = workspaces[change]('tools');
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(removed).toEqual([]);
      if (end === 'opens') disks[0]?.resolve(new FakeDisk());
      else disks[0]?.reject(new Error('gone'));
      await changing;
      expect(removed).toEqual(['key-1']);
      await new Promise((resolve) => setTimeout(resolve, 5));
      disks[1]?.resolve(new FakeDisk());
      expect((await opening)?.key).toBe(change === 'empty' ? 'key-2' : undefined);
    }
});

test('a folder that cannot be emptied stays as it is', async () => {
  const { workspaces, stored } = access(undefined, undefined, () =>
    Promise.reject(new Error('in use')),
  );
  await workspaces.choose(folder, 'space', null);
  await expect(workspaces.empty('tools')).rejects.toThrow('in use');
  expect(workspaces.choiceOf('tools')).toEqual(stored.get('tools'));
  expect((await workspaces.of('tools'))?.key).toBe('key-1');
});

test.each(['setWriting', 'choose', 'forget', 'empty'] as const)(
  'if a folder cannot be emptied, its files stay reachable, whatever changes meanwhile: %s',
  async (change) => {
    let fail: (thrown: Error) => void = () => undefined;
    const removing = new Promise<undefined>((_, reject) => (fail = reject));
    const { workspaces, stored, removed } = access(undefined, undefined, () => removing);
    await workspaces.choose(folder, 'space', null);
    const failed = expect(workspaces.empty('tools')).rejects.toThrow('in use');
    const changing =
      change === 'choose'
        ? workspaces.choose(folder, 'on disk', {} as FileSystemDirectoryHandle)
        : change === 'setWriting'
          ? workspaces.setWriting('tools', 'at-once')
          : workspaces[change]('tools');
    const changed = changing.catch(() => undefined);
    const call = workspaces.of('tools');
    fail(new Error('in use'));
    await Promise.all([failed, changed]);
    const choice = workspaces.choiceOf('tools');
    expect(choice).toEqual(stored.get('tools') ?? null);
    expect(await call).toMatchObject({ key: choice?.key });
    expect([choice?.key, choice?.name, choice?.writing, removed]).toEqual(
      {
        setWriting: ['key-1', 'space', 'at-once', ['key-1']],
        choose: ['key-2', 'on disk', 'review', ['key-1']],
        // The second deletion is another attempt to delete the same files.
        forget: ['key-1', 'space', 'review', ['key-1', 'key-1']],
        empty: ['key-1', 'space', 'review', ['key-1', 'key-1']],
      }[change],
    );
  },
);

test('a workspace whose files cannot be deleted is not removed', async () => {
  const { workspaces, stored } = access(undefined, undefined, () =>
    Promise.reject(new Error('in use')),
  );
  await workspaces.choose(folder, 'space', null);
  await expect(workspaces.forget('tools')).rejects.toThrow('in use');
  expect([workspaces.choiceOf('tools')?.key, stored.get('tools')?.key]).toEqual(['key-1', 'key-1']);
});

test('a call during a deletion waits for the deletion, which does not touch what the call writes', async () => {
  let end: () => void = () => undefined;
  const removing = new Promise<void>((resolve) => (end = resolve));
  const { workspaces, removed } = access(undefined, undefined, () => removing);
  await workspaces.choose(folder, 'space', null);
  const before = await workspaces.of('tools');
  const emptying = workspaces.empty('tools');
  const call = workspaces.of('tools');
  await Promise.resolve();
  expect([before?.key, workspaces.openedFor('tools')]).toEqual(['key-1', null]);
  end();
  await emptying;
  expect([(await call)?.key, removed]).toEqual(['key-2', ['key-1']]);
});

test('if the workspace is chosen again or emptied while it is opening, all calls get the new one', async () => {
  for (const change of ['choose', 'empty'] as const)
    for (const end of ['opens', 'fails'] as const)
      for (const first of ['the old disk', 'the new disk']) {
        // The new disk is opened only after the old one is deleted.
        if (change === 'empty' && first === 'the new disk') continue;
        const { workspaces, disks } = slowAccess();
        await workspaces.choose(folder, 'space', null);
        const early = workspaces.of('tools');
        const changing =
          change === 'choose'
            ? workspaces.choose(folder, 'space', null)
            : workspaces.empty('tools');
        const late = workspaces.of('tools');
        if (first === 'the new disk') {
          disks[1]?.resolve(new FakeDisk());
          await late;
        }
        if (end === 'opens') disks[0]?.resolve(new FakeDisk());
        else disks[0]?.reject(new Error('gone'));
        await new Promise((resolve) => setTimeout(resolve, 5));
        disks[1]?.resolve(new FakeDisk());
        const current = await late;
        await changing;
        await workspaces.setWriting('tools', 'at-once');
        expect(current).toMatchObject({ key: 'key-2', writing: 'at-once' });
        expect(await early).toBe(current);
        expect(await workspaces.of('tools')).toBe(current);
        expect(disks).toHaveLength(2);
      }
});

/** Two pages of one browser, which have loaded the stored choices. */
async function twoPages() {
  const stored = new SharedChoices();
  const here = access(stored);
  const there = access(stored);
  await Promise.all([here.workspaces.load(), there.workspaces.load()]);
  return { stored, here: here.workspaces, there: there.workspaces };
}

/** Time for one page to hear of the changes of another. */
const heard = () => new Promise((resolve) => setTimeout(resolve, 20));

test('a workspace that another page chooses applies to this page, too', async () => {
  const { here, there } = await twoPages();
  await here.choose(folder, 'space', null);
  await heard();
  expect(there.choiceOf('tools')).toEqual(here.choiceOf('tools'));
  const workspace = await there.of('tools');
  await here.setWriting('tools', 'at-once');
  await heard();
  expect([workspace?.writing, await there.of('tools')]).toEqual(['at-once', workspace]);
  await here.empty('tools');
  await heard();
  expect((await there.of('tools'))?.key).toBe('key-2');
  await here.forget('tools');
  await heard();
  expect([there.choiceOf('tools'), await there.of('tools')]).toEqual([null, null]);
});

test('of two changes that another page makes at once, the later one applies', async () => {
  const { stored, here, there } = await twoPages();
  await here.choose(folder, 'space', null);
  await heard();
  await here.setWriting('tools', 'at-once');
  await here.setWriting('tools', 'review');
  expect(stored.get('tools')?.writing).toBe('review');
  await heard();
  expect(there.choiceOf('tools')).toEqual(stored.get('tools'));
});

test('of two pages that choose at once, both get the workspace of the first', async () => {
  const { stored, here, there } = await twoPages();
  const chosen = await Promise.all([
    here.choose(folder, 'first', null),
    there.choose(folder, 'second', null),
  ]);
  await heard();
  expect(chosen).toEqual([true, false]);
  const keys = [here, there].map((page) => page.choiceOf('tools')?.key);
  expect([...keys, stored.get('tools')?.key]).toEqual(['key-1', 'key-1', 'key-1']);
  expect((await there.of('tools'))?.name).toBe('first');
});

test('a page that has not heard of a choice does not replace it', async () => {
  const stored = new SharedChoices();
  const { workspaces } = access(stored);
  await workspaces.load();
  const choice = { id: 'tools', key: 'unheard', name: 'space', handle: null } as const;
  stored.set('tools', { ...choice, writing: 'review', tools: 'my tools' });
  expect(await workspaces.choose(folder, 'other', null)).toBe(false);
  expect([stored.get('tools')?.key, workspaces.choiceOf('tools')?.key]).toEqual([
    'unheard',
    'unheard',
  ]);
});

test('changes of a workspace on disk that wait for the user here stay, whatever another page does', async () => {
  const { here, there } = await twoPages();
  await here.choose(folder, 'on disk', {} as FileSystemDirectoryHandle);
  await heard();
  const workspace = await there.of('tools');
  if (workspace === null) throw new Error('no workspace');
  const { signal } = new AbortController();
  const python = new FakeCopy();
  const copy = workspace.openCopy(python.exchange);
  const call = await WorkspaceAccess.begin(signal, workspace, copy, true);
  python.files.set('a.txt', 'a');
  await call.end(signal, { tool: 't:f', callId: 'call' });
  expect(workspace.pending).toHaveLength(1);
  await here.forget('tools');
  await heard();
  expect([there.choiceOf('tools')?.name, await there.of('tools')]).toEqual(['on disk', workspace]);
  await here.choose(folder, 'other', null);
  await heard();
  await there.setWriting('tools', 'at-once');
  expect([there.choiceOf('tools')?.name, await there.of('tools')]).toEqual(['on disk', workspace]);
  workspace.discard(workspace.pending);
  await here.choose(folder, 'space', null);
  await heard();
  expect(there.choiceOf('tools')?.name).toBe('space');
});
