/** “Save and run” runs a tool only in the folder in which the file was saved. */

import { expect, test } from 'vitest';
import type {
  EditingControl,
  SaveOutcome,
} from '../../../../runtime/open-folder/folder-editing.ts';
import {
  initialFolderStatus,
  StatusHolder,
  type FolderStatus,
} from '../../../../runtime/open-folder/status.ts';
import type { Ui } from '../../shell/ui.svelte.ts';
import { bytesOf } from '../../editor/text-bytes.ts';
import { EditedFile } from '../../editor/edited-file.svelte.ts';
import { SaveAndRun } from './save-and-run.ts';

/** A page with `a.py` in the editor, unsaved, in the folder “first”; every folder has the tool `area` in that file. */
function opened(savesTo: 'folder' | 'copy') {
  const status = new StatusHolder<FolderStatus>(
    { ...initialFolderStatus, phase: 'ready', folderKey: 'first' },
    (thrown) => {
      throw thrown;
    },
  );
  const tool = {
    name: 'area',
    state: 'ready',
    source: { file: 'a.py' },
    handler: { name: 'area' },
  };
  const runs: string[] = [];
  const notices: string[] = [];
  const went: string[] = [];
  const route = {
    place: { at: 'file', path: 'a.py', line: null },
    go: (address: string) => went.push(address),
    to: ({ at }: { at: string }) => at,
    toFile: (path: string) => path,
  };
  const ui = {
    app: { status, registry: { get: () => tool, list: () => [tool], problems: [] } },
    tools: { all: [tool] },
    toolHere: undefined,
    route,
    announcer: { say: () => undefined },
    late: {
      drafts: { isEmpty: true, awaitRun: (name: string) => runs.push(name) },
      files: { awaitEditor: () => undefined },
      notices: { show: (words: string) => notices.push(words) },
    },
  } as unknown as Ui;
  let saved: () => void = () => undefined;
  const saving = new Promise<void>((resolve) => (saved = resolve));
  const control = {
    savesTo,
    folderId: 'first',
    drafts: { remove: () => Promise.resolve(), put: () => Promise.resolve() },
    save: async (): Promise<SaveOutcome> => {
      await saving;
      return { at: 'saved' };
    },
    saveToCopy: async () => {
      await saving;
      if (status.get().folderKey === 'first') open('copy', 'reading');
      return 'copy';
    },
  } as unknown as EditingControl;
  const open = (folderKey: string, phase: 'reading' | 'ready'): void =>
    status.set({ folderKey, phase });
  const file = new EditedFile({
    path: 'a.py',
    control,
    now: () => 0,
    base: bytesOf('before'),
    text: 'after',
    draftAt: null,
  });
  const running = new SaveAndRun(ui, file, () => 'area').run();
  return { saved, open, running, runs, notices, went };
}

const nothingRun = 'a.py was saved, but another folder was opened meanwhile, so nothing was run.';

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

test('a tool runs in the folder, or in the copy as soon as that is open', async () => {
  const inFolder = opened('folder');
  inFolder.saved();
  await inFolder.running;
  expect([inFolder.runs, inFolder.notices]).toEqual([['area'], []]);
  const inCopy = opened('copy');
  inCopy.saved();
  await later();
  expect(inCopy.runs).toEqual([]);
  inCopy.open('copy', 'ready');
  await inCopy.running;
  expect([inCopy.runs, inCopy.notices]).toEqual([['area'], []]);
});

test.each(['folder', 'copy'] as const)(
  'nothing runs if another folder is opened while the file is being saved: %s',
  async (savesTo) => {
    const { saved, open, running, runs, notices, went } = opened(savesTo);
    open('other', 'ready');
    saved();
    await running;
    expect([runs, notices, went]).toEqual([[], [nothingRun], []]);
  },
);

test('nothing runs if another folder is opened while the copy is opening', async () => {
  const { saved, open, running, runs, notices } = opened('copy');
  saved();
  await later();
  open('other', 'reading');
  open('other', 'ready');
  await running;
  expect([runs, notices]).toEqual([[], [nothingRun]]);
});
