/** A folder with one file, a.py, which is open in the editor, and everything that is stored. */

import type { EditingControl, SaveOutcome } from '../../../runtime/open-folder/folder-editing.ts';
import type { OpenFolder } from '../../../runtime/open-folder/current-folder.ts';
import type { EditDraft } from '../../../runtime/folder/edit-draft.ts';
import { fakeSource } from '../../../runtime/folder/source.fixture.ts';
import { EditedFiles } from './edited-files.svelte.ts';
import { bytesOf } from './text-bytes.ts';

export const opened = (path: string, text: string) => {
  const bytes = bytesOf(text);
  return { path, bytes, size: bytes.byteLength, modifiedAt: 1 };
};

/** @param stored drafts of earlier visits */
export async function setUp(stored: readonly EditDraft[] = []) {
  const files = new Map([['a.py', 'a']]);
  const drafts = new Map(stored.map((draft) => [draft.path, draft]));
  const saves: [string, string | null][] = [];
  const stores: string[] = [];
  let answer: () => Promise<SaveOutcome> = () => Promise.resolve({ at: 'saved' });
  const trouble: { drafts: Error | null } = { drafts: null };
  const control = {
    savesTo: 'folder',
    folderId: 'id',
    drafts: {
      all: () => Promise.resolve([...drafts.values()]),
      put: (id: string, draft: EditDraft) => {
        if (trouble.drafts) return Promise.reject(trouble.drafts);
        stores.push(`${id} ${draft.text}`);
        return Promise.resolve(void drafts.set(draft.path, draft));
      },
      remove: (_: string, path: string) => Promise.resolve(void drafts.delete(path)),
    },
    save: async (path: string, bytes: Uint8Array, base: { replaces: Uint8Array | null }) => {
      const text = new TextDecoder().decode(bytes);
      saves.push([text, base.replaces && new TextDecoder().decode(base.replaces)]);
      const outcome = await answer();
      if (outcome.at === 'saved') files.set(path, text);
      return outcome;
    },
    remove: async (path: string) => {
      const outcome = await answer();
      if (outcome.at === 'saved') files.delete(path);
      return outcome;
    },
    rename: async (from: string, to: string) => {
      const outcome = await answer();
      if (outcome.at !== 'saved') return outcome;
      files.set(to, files.get(from) ?? '');
      files.delete(from);
      return outcome;
    },
    saveToCopy: async () => {
      await answer();
      return 'copy';
    },
  } as unknown as EditingControl;
  const edited = new EditedFiles({
    folder: {
      get current(): OpenFolder {
        const all = Array.from(files, ([path, text]) => opened(path, text));
        return {
          source: fakeSource({}),
          snapshot: { id: 's', name: 'tools', files: all, folders: [], problems: [] },
        };
      },
    },
    load: () => Promise.resolve(control),
    now: () => 7,
  });
  await edited.open('a.py');
  const file = edited.file('a.py');
  if (file === undefined) throw new Error('a.py is not open');
  const answers = (next: () => Promise<SaveOutcome>): void => {
    answer = next;
  };
  return { edited, file, files, drafts, saves, stores, trouble, answers };
}
