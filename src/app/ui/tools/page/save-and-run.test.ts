/** “Save and run” runs the tool of the page or of the file, and only in the folder in which the file was saved. */

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
import type { Place } from '../../shell/address.ts';
import type { Ui } from '../../shell/ui.svelte.ts';
import { bytesOf } from '../../editor/text-bytes.ts';
import { EditedFile } from '../../editor/edited-file.svelte.ts';
import { SaveAndRun } from './save-and-run.ts';

const filePage = { at: 'file', path: 'a.py', line: null } as const;
const toolPage = (name: string) => ({ at: 'tool', name, line: null }) as const;

/**
 * A page with `a.py` in the editor, unsaved, in the folder “first”; every folder has the tool `area` in that file, and
 * `b:wipe` in another.
 */
function opened(savesTo: 'folder' | 'copy', place: Place = filePage) {
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
  const wipe = { ...tool, name: 'b:wipe', source: { file: 'b.py' } };
  const runs: string[] = [];
  const notices: string[] = [];
  const went: string[] = [];
  const route = {
    place,
    go: (address: string) => went.push(address),
    to: ({ at }: { at: string }) => at,
    toFile: (path: string) => path,
  };
  const ui = {
    app: { status, registry: { list: () => [wipe, tool], problems: [] } },
    tools: { all: [wipe, tool] },
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
  return { saved, open, running, route, runs, notices, went };
}

const nothingRun =
  'a.py was saved, but another folder was opened in the meantime, so nothing was run.';

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

test('the tool of the page runs, and no other one if the saved file does not have it', async () => {
  const there = opened('folder', toolPage('area'));
  there.saved();
  await there.running;
  expect([there.runs, there.notices]).toEqual([['area'], []]);
  for (const name of ['gone', 'b:wipe']) {
    const { saved, running, runs, notices } = opened('folder', toolPage(name));
    saved();
    await running;
    const notice = `a.py was saved. It has no tool “${name}”, so nothing was run.`;
    expect([runs, notices]).toEqual([[], [notice]]);
  }
});

test('a tool whose page the user opens while the file is saved does not run', async () => {
  const { saved, running, route, runs } = opened('folder');
  route.place = toolPage('b:wipe');
  saved();
  await running;
  expect(runs).toEqual(['area']);
});
