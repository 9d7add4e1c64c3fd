import { expect, test } from 'vitest';
import type { EditDraft } from '../folder/edit-draft.ts';
import type { FolderSource } from '../folder/source.ts';
import { fakeSource } from '../folder/source.fixture.ts';
import type { FolderFile } from '../spec/folder.ts';
import type { WorkspaceDisk } from '../workspace/folder-on-disk.ts';
import type { OpenFolder } from './current-folder.ts';
import { FolderEditing } from './folder-editing.ts';

const encoder = new TextEncoder();
const bytes = (text: string): Uint8Array => encoder.encode(text);
const fileOf = (path: string, text: string): FolderFile => {
  const content = bytes(text);
  return { path, bytes: content, size: content.byteLength, modifiedAt: 1 };
};

class FakeDisk {
  readonly files = new Map<string, string>();
  allowed = true;
  asked: boolean[] = [];
  fails: Error | null = null;

  constructor(files: Record<string, string> = {}) {
    for (const [path, text] of Object.entries(files)) this.files.set(path, text);
  }

  get disk(): WorkspaceDisk {
    return {
      source: fakeSource({}),
      mayRead: () => Promise.resolve(true),
      mayWrite: ({ ask }) => {
        this.asked.push(ask);
        return Promise.resolve(this.allowed);
      },
      read: (path) => {
        const text = this.files.get(path);
        return Promise.resolve(text === undefined ? null : fileOf(path, text));
      },
      write: (path, content) => {
        if (this.fails) return Promise.reject(this.fails);
        const text = new TextDecoder().decode(content);
        this.files.set(path, text);
        return Promise.resolve(fileOf(path, text));
      },
      remove: (path) => Promise.resolve(void this.files.delete(path)),
      makeFolder: () => Promise.resolve(),
      removeFolder: () => Promise.resolve(),
    };
  }
}

/** @param disk null for a folder that cannot be written */
function setUp(disk: FakeDisk | null, read: Record<string, string> = { 'a.py': 'a' }) {
  const log: string[] = [];
  const source = fakeSource({}, { name: 'tools' });
  const files = Object.entries(read).map(([path, text]) => fileOf(path, text));
  const copies = new Map<FolderSource, FakeDisk>();
  const drafts = new Map<string, EditDraft>();
  let current: OpenFolder | null = {
    source,
    snapshot: { id: 's', name: 'tools', files, folders: [], problems: [] },
  };
  const copyFails: { error: Error | null } = { error: null };
  const refusing: { error: Error | null } = { error: null };
  const editing = new FolderEditing({
    currentFolder: {
      get current() {
        return current;
      },
      idOf: (one) => (one === source ? 'old' : 'new'),
    },
    folder: {
      open: ({ name }) => Promise.resolve(void log.push(`open ${name}`)),
      reread: (paths) => Promise.resolve(void log.push(`reread ${[...paths].join(' ')}`)),
    },
    diskOf: (one) => (one === source ? (disk?.disk ?? null) : (copies.get(one)?.disk ?? null)),
    create: (name) => {
      const copy = fakeSource({}, { name, kind: 'own' });
      const made = new FakeDisk();
      made.fails = copyFails.error;
      copies.set(copy, made);
      return Promise.resolve(copy);
    },
    discard: (one) => {
      copies.delete(one);
      return Promise.resolve();
    },
    drafts: {
      all: (id) =>
        Promise.resolve(
          [...drafts].flatMap(([key, one]) => (key.startsWith(`${id}/`) ? [one] : [])),
        ),
      put: (id, one) => Promise.resolve(void drafts.set(`${id}/${one.path}`, one)),
      remove: (id, path) => Promise.resolve(void drafts.delete(`${id}/${path}`)),
    },
    refusals: () => (id) => {
      if (refusing.error !== null) return Promise.reject(refusing.error);
      log.push(`refusals ${id}`);
      return Promise.resolve();
    },
    alone: (work) => work(),
    limits: { fileBytes: 100, folderBytes: 150, folderFiles: 3 },
  });
  const copied = (): Record<string, string>[] =>
    [...copies.values()].map((one) => Object.fromEntries(one.files));
  return {
    editing,
    log,
    copied,
    drafts,
    copyFails,
    refusing,
    close: () => {
      current = null;
    },
  };
}

test('a file is saved, and its tools are reloaded', async () => {
  const disk = new FakeDisk({ 'a.py': 'a' });
  const { editing, log } = setUp(disk);
  expect(editing.savesTo).toBe('folder');
  expect(await editing.save('a.py', bytes('mine'), { replaces: bytes('a') })).toEqual({
    at: 'saved',
  });
  expect([disk.files.get('a.py'), disk.asked, log]).toEqual(['mine', [true], ['reread a.py']]);
});

test.each([
  ['changed', { 'a.py': 'theirs' }, bytes('a')],
  ['changed to the same length', { 'a.py': 'b' }, bytes('a')],
  ['deleted', {}, bytes('a')],
  ['created', { 'a.py': 'theirs' }, null],
])('a file that was %s meanwhile is not overwritten', async (_, files, base) => {
  const disk = new FakeDisk(files);
  const { editing, log } = setUp(disk, {});
  const theirs = await disk.disk.read('a.py');
  expect(await editing.save('a.py', bytes('mine'), { replaces: base })).toEqual({
    at: 'differs',
    theirs,
  });
  expect([Object.fromEntries(disk.files), log]).toEqual([files, []]);
  // Once the user has seen it, it is.
  expect(await editing.save('a.py', bytes('mine'), { replaces: theirs?.bytes ?? null })).toEqual({
    at: 'saved',
  });
  expect(disk.files.get('a.py')).toBe('mine');
});

test('nothing is written without permission', async () => {
  const disk = new FakeDisk({ 'a.py': 'a' });
  disk.allowed = false;
  const { editing } = setUp(disk);
  const outcomes = [
    await editing.save('a.py', bytes('mine'), { replaces: bytes('a') }),
    await editing.rename('a.py', 'b.py'),
    await editing.remove('a.py'),
  ];
  expect(outcomes).toEqual([{ at: 'refused' }, { at: 'refused' }, { at: 'refused' }]);
  expect(Object.fromEntries(disk.files)).toEqual({ 'a.py': 'a' });
});

test('a failed write says what to do, and changes nothing', async () => {
  const disk = new FakeDisk({ 'a.py': 'a' });
  const { editing, log } = setUp(disk);
  const save = (): Promise<unknown> =>
    editing.save('a.py', bytes('mine'), { replaces: bytes('a') });
  for (const [name, message] of [
    ['QuotaExceededError', '“a.py” was not saved: there is no space left'],
    ['NotFoundError', '“a.py” was not saved: its folder no longer exists'],
    [
      'NotAllowedError',
      '“a.py” was not saved: the browser no longer allows writing to this folder',
    ],
    ['NoModificationAllowedError', '“a.py” was not saved: another program is writing to it'],
    ['DataError', '“a.py” was not saved: broken'],
  ] as const) {
    disk.fails = new DOMException('broken', name);
    await expect(save()).rejects.toMatchObject({
      message,
      hint: expect.stringMatching(/\.$/) as string,
    });
  }
  expect([disk.files.get('a.py'), log]).toEqual(['a', []]);
});

test.each([
  '../up.py',
  '/root.py',
  'C:\\x.py',
  '.git/hooks/x',
  'a\u0000.py',
  'con.py',
  'A.py',
  'node_modules/x.js',
])('a new file cannot be called %j', async (path) => {
  const disk = new FakeDisk({ 'a.py': 'a' });
  const { editing } = setUp(disk);
  await expect(editing.save(path, bytes('x'), { replaces: null })).rejects.toThrow(
    /cannot be used|same file/,
  );
  expect(Object.fromEntries(disk.files)).toEqual({ 'a.py': 'a' });
  // A file may get another case of its own name.
  if (path !== 'A.py') await expect(editing.rename('a.py', path)).rejects.toThrow(/cannot be used/);
});

test('a new file, a long one and one too many', async () => {
  const disk = new FakeDisk({ 'a.py': 'a' });
  const { editing } = setUp(disk, { 'a.py': 'a', 'b.py': 'b'.repeat(90) });
  expect(await editing.save('sub/c.txt', bytes('c'), { replaces: null })).toEqual({ at: 'saved' });
  expect(disk.files.get('sub/c.txt')).toBe('c');
  for (const size of [101, 61])
    await expect(
      editing.save('a.py', bytes('x'.repeat(size)), { replaces: bytes('a') }),
    ).rejects.toThrow(/would be larger than/);
  const full = setUp(disk, { 'a.py': '', 'b.py': '', 'c.py': '' });
  await expect(full.editing.save('d.py', bytes('d'), { replaces: null })).rejects.toThrow(
    /3 files/,
  );
});

test('a renamed file replaces no other', async () => {
  const disk = new FakeDisk({ 'a.py': 'a', 'b.py': 'b' });
  const { editing, log } = setUp(disk, { 'a.py': 'a', 'b.py': 'b' });
  expect(await editing.rename('a.py', 'b.py')).toMatchObject({ at: 'differs' });
  expect(await editing.rename('a.py', 'c.py')).toEqual({ at: 'saved' });
  expect([Object.fromEntries(disk.files), log]).toEqual([
    { 'b.py': 'b', 'c.py': 'a' },
    ['reread a.py c.py'],
  ]);
});

test('a folder that cannot be written is copied whole, with the change and the other drafts', async () => {
  const { editing, copied, log, drafts } = setUp(null, { 'a.py': 'a', 'data/b.bin': 'b' });
  const draft = (path: string): EditDraft => ({ path, text: 'draft', base: bytes('x'), at: 1 });
  drafts.set('old/a.py', draft('a.py'));
  drafts.set('old/c.py', draft('c.py'));
  expect(editing.savesTo).toBe('copy');
  expect(await editing.save('a.py', bytes('mine'), { replaces: bytes('a') })).toEqual({
    at: 'refused',
  });
  expect(await editing.saveToCopy('a.py', bytes('mine'))).toBe('new');
  expect(copied()).toEqual([{ 'data/b.bin': 'b', 'a.py': 'mine' }]);
  expect([log, [...drafts.keys()]]).toEqual([['refusals new', 'open tools copy'], ['new/c.py']]);
});

test('an incomplete copy is removed, and the draft stays', async () => {
  const { editing, copied, log, drafts, copyFails } = setUp(null);
  drafts.set('old/a.py', { path: 'a.py', text: 'mine', base: bytes('a'), at: 1 });
  copyFails.error = new DOMException('full', 'QuotaExceededError');
  await expect(editing.saveToCopy('a.py', bytes('mine'))).rejects.toThrow(/no space left/);
  expect([copied(), log, [...drafts.keys()]]).toEqual([[], [], ['old/a.py']]);
});

test('a copy that cannot keep what the user has refused is removed, and not opened', async () => {
  const { editing, copied, log, refusing } = setUp(null, { 'a.py': 'a' });
  refusing.error = new DOMException('full', 'QuotaExceededError');
  await expect(editing.saveToCopy('a.py', bytes('mine'))).rejects.toThrow(/no space left/);
  expect([copied(), log]).toEqual([[], []]);
});

test('without a folder, nothing is saved', async () => {
  const { editing, close } = setUp(new FakeDisk());
  close();
  await expect(editing.save('a.py', bytes('x'), { replaces: null })).rejects.toThrow(
    'No tools folder is open',
  );
});
