/** A change of a file is made in the folder in which it began, or nowhere, even if another folder is opened meanwhile. */

import { expect, test, vi } from 'vitest';
import type { FolderSource } from '../../../runtime/folder/source.ts';
import { fakeSource } from '../../../runtime/folder/source.fixture.ts';
import type { EditingControl, SaveOutcome } from '../../../runtime/open-folder/folder-editing.ts';
import { copyEvaluation, saveEvaluation } from '../evals/save-evaluation.ts';
import type { Ui } from '../shell/ui.svelte.ts';
import { addFile, addFileElsewhere } from './add-file.ts';
import { EditedFiles } from './edited-files.svelte.ts';
import { createFile } from './folder-actions.ts';
import { bytesOf } from './text-bytes.ts';
import { writeEdit } from './write-edit.ts';

/** A page with the folder “first”, from which the folder “second” can be opened; both have the file `a.py`. */
async function setUp(savesTo: 'folder' | 'copy' = 'folder') {
  const sources = new Map<string, FolderSource>();
  const folders = { open: 'first' };
  const sourceNow = (): FolderSource => {
    const source = sources.get(folders.open) ?? fakeSource({}, { name: folders.open });
    sources.set(folders.open, source);
    return source;
  };
  /** What was changed, as the folder and the path. */
  const changes: string[] = [];
  const waits = { loading: Promise.resolve(), changing: Promise.resolve() };
  const change = async (path: string): Promise<SaveOutcome> => {
    changes.push(`${folders.open}: ${path}`);
    await waits.changing;
    return { at: 'saved' };
  };
  const control = {
    savesTo,
    get source() {
      return sourceNow();
    },
    get folderId() {
      return folders.open;
    },
    drafts: {
      all: async () => {
        await waits.loading;
        return [];
      },
      put: () => Promise.resolve(),
      remove: () => Promise.resolve(),
    },
    save: change,
    remove: change,
    rename: change,
    saveToCopy: async (path: string) => {
      await change(path);
      if (folders.open === 'first') folders.open = 'copy';
      return 'copy';
    },
  } as unknown as EditingControl;
  const files = new EditedFiles({
    folder: {
      get current() {
        const bytes = bytesOf('a');
        const file = { path: 'a.py', bytes, size: bytes.byteLength, modifiedAt: 1 };
        const snapshot = { id: 's', name: 'tools', files: [file], folders: [], problems: [] };
        return { source: sourceNow(), snapshot };
      },
    },
    load: async () => {
      await waits.loading;
      return control;
    },
    now: () => 7,
  });
  await files.open('a.py');
  const shown: string[] = [];
  const went: unknown[] = [];
  const ui = {
    app: {
      folder: { current: { snapshot: { files: [] } } },
      status: { get: () => ({ folderKey: folders.open }) },
    },
    announcer: { say: () => undefined },
    late: { files, notices: { show: (words: string) => shown.push(words) } },
    dialogs: { show: vi.fn() },
    route: {
      place: { at: 'home' },
      to: (place: unknown) => place,
      toFile: (path: string) => path,
      go: (to: unknown) => went.push(to),
    },
  } as unknown as Ui;
  /** Runs the work, and opens another folder while it first loads code, or changes a file. */
  const opening = async <T>(
    work: () => Promise<T>,
    at: keyof typeof waits = 'loading',
  ): Promise<T> => {
    let go = (): void => undefined;
    waits[at] = new Promise((resolve) => (go = resolve));
    const working = work();
    working.catch(() => undefined);
    if (at === 'changing') await vi.waitFor(() => expect(changes).toHaveLength(1));
    folders.open = 'second';
    files.clear();
    go();
    return working;
  };
  return { ui, files, file: files.file('a.py')!, changes, shown, went, opening };
}

const addedToCopy = { path: 'b.py', text: 'text', place: { at: 'home' }, saves: 'copy' } as const;
const meanwhile = /another folder was opened in the meantime/i;

test('a file is saved, saved under another name, or copied only in its own folder', async () => {
  for (const save of ['save', 'saveToCopy', 'saveAs'] as const) {
    const { file, changes, opening } = await setUp();
    file.change('b');
    await opening(() => Promise.resolve());
    await (save === 'saveAs' ? file.saveAs('c.py') : file[save]());
    expect([changes, file.trouble]).toEqual([
      [],
      {
        at: 'failed',
        message: expect.stringMatching(meanwhile) as string,
        hint: expect.any(String) as string,
      },
    ]);
  }
});

test.each<[string, (ui: Ui) => Promise<unknown>]>([
  ['created', (ui) => createFile(ui, 'b.py')],
  ['added', (ui) => addFile(ui, 'b', '.py', 'text', () => ({ at: 'home' }))],
  ['added to a copy', (ui) => addFileElsewhere(ui, addedToCopy)],
  ['renamed', (ui) => ui.late.files.rename('a.py', 'b.py')],
  ['deleted', (ui) => ui.late.files.delete('a.py')],
])('no file is %s in another folder', async (_, work) => {
  const { ui, changes, went, opening } = await setUp();
  await expect(opening(() => work(ui))).rejects.toThrow(meanwhile);
  expect([changes, went]).toEqual([[], []]);
});

test.each<['folder' | 'copy', (ui: Ui) => Promise<unknown>]>([
  ['folder', (ui) => createFile(ui, 'b.py')],
  ['copy', (ui) => createFile(ui, 'b.py')],
  ['folder', (ui) => addFile(ui, 'b', '.py', 'text', () => ({ at: 'home' }))],
  ['copy', (ui) => addFileElsewhere(ui, addedToCopy)],
])(
  'a file that was created before another folder was opened is not shown there: %s',
  async (savesTo, work) => {
    const { ui, changes, shown, went, opening } = await setUp(savesTo);
    await opening(() => work(ui), 'changing');
    expect([changes, went]).toEqual([['first: b.py'], []]);
    expect(shown).toEqual(['b.py was created, but another folder was opened in the meantime.']);
  },
);

test('a file that was deleted before another folder was opened is not restored there', async () => {
  const { files, changes, opening } = await setUp();
  await opening(() => files.delete('a.py'), 'changing');
  expect([changes, files.deleted.list]).toEqual([['first: a.py'], []]);
});

test('an edit is saved in its folder, and neither shown nor undone in another one', async () => {
  const edit = { label: 'Fix', text: 'b', line: null, copies: true };
  for (const savesTo of ['folder', 'copy'] as const) {
    const { ui, file, changes, shown, went, opening } = await setUp(savesTo);
    await opening(() => writeEdit(ui, file, edit), 'changing');
    expect([changes, went]).toEqual([['first: a.py'], []]);
    expect(shown).toEqual(['Fix: saved in a.py, but another folder was opened in the meantime.']);
  }
});

test.each(['folder', 'copy'] as const)(
  'an evaluation is saved in its folder, and is not run in another one: %s',
  async (savesTo) => {
    const before = await setUp(savesTo);
    const save = async ({ ui, file, files }: typeof before): Promise<boolean> => {
      file.change('b');
      return saveEvaluation(
        ui,
        file,
        files.drafts().then(() => undefined),
      );
    };
    expect(await before.opening(() => save(before))).toBe(false);
    expect([before.changes, before.went]).toEqual([[], []]);
    const during = await setUp(savesTo);
    expect(await during.opening(() => save(during), 'changing')).toBe(false);
    expect([during.changes, during.went]).toEqual([['first: a.py'], []]);
    const alone = await setUp(savesTo);
    expect(await save(alone)).toBe(true);
    expect(alone.changes).toEqual(['first: a.py']);
  },
);

test('a copy for an evaluation is shown unless another folder was opened', async () => {
  const { ui, file, went } = await setUp('copy');
  file.change('b');
  expect([await copyEvaluation(ui, file), went]).toEqual([true, [{ at: 'eval', id: 'a.py' }]]);
  const other = await setUp('copy');
  other.file.change('b');
  expect(await other.opening(() => copyEvaluation(other.ui, other.file), 'changing')).toBe(true);
  expect([other.changes, other.went]).toEqual([['first: a.py'], []]);
});
