import { expect, test, vi } from 'vitest';
import type { EditingControl } from '../../../runtime/open-folder/folder-editing.ts';
import type { OpenFolder } from '../../../runtime/open-folder/current-folder.ts';
import { fakeSource } from '../../../runtime/folder/source.fixture.ts';
import { EditedFiles } from './edited-files.svelte.ts';
import { bytesOf } from './text-bytes.ts';

const bytes = bytesOf('a');
const files = [{ path: 'a.py', bytes, size: bytes.byteLength, modifiedAt: 1 }];
const current: OpenFolder = {
  source: fakeSource({}),
  snapshot: { id: 's', name: 'tools', files, folders: [], problems: [] },
};
// The folder has no id, so no drafts are stored.
const control = {} as EditingControl;

test('the editor of a file takes the focus once if the user has opened it there', async () => {
  const pointer = { matches: false };
  vi.stubGlobal('matchMedia', () => pointer);
  const load = vi.fn(() => Promise.resolve(control));
  const edited = new EditedFiles({ folder: { current }, load, now: () => 7 });

  expect(await edited.edit('gone.py')).toBe('This file is not in the open folder.');
  expect(edited.takeFocus('gone.py')).toBe(false);

  load.mockRejectedValueOnce(new Error('offline'));
  await expect(edited.edit('a.py')).rejects.toThrow('offline');
  expect(edited.takeFocus('a.py')).toBe(false);

  expect(await edited.edit('a.py')).toBe(null);
  expect([edited.takeFocus('a.py'), edited.takeFocus('a.py')]).toEqual([true, false]);

  await edited.close('a.py');
  await edited.open('a.py');
  expect(edited.takeFocus('a.py')).toBe(false);

  pointer.matches = true;
  await edited.edit('a.py');
  expect(edited.takeFocus('a.py')).toBe(false);
  vi.unstubAllGlobals();
});
