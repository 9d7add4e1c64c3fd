/** The files that are open in the editor, with their unsaved text, which is stored as drafts and survives a reload. */

import type { App } from '../../app.ts';
import type { EditingControl, SaveOutcome } from '../../../runtime/open-folder/folder-editing.ts';
import type { EditDraft } from '../../../runtime/folder/edit-draft.ts';
import { errorText, ToolError } from '../../../runtime/spec/error.ts';
import { DeletedFiles } from './deleted-files.svelte.ts';
import { EditedFile } from './edited-file.svelte.ts';
import { decodeFile, editableText } from './text-bytes.ts';

/** The files of the page's editor. */
export function openFiles({
  app,
  editing,
}: {
  readonly app: Pick<App, 'folder'>;
  readonly editing: () => Promise<EditingControl>;
}): EditedFiles {
  return new EditedFiles({ folder: app.folder, load: editing, now: () => Date.now() });
}

const otherFolder = 'Another folder was opened in the meantime, so nothing was changed.';

export interface EditedFilesDeps {
  readonly folder: Pick<App['folder'], 'current'>;
  /** Loads the code that changes files. */
  readonly load: () => Promise<EditingControl>;
  readonly now: () => number;
}

export class EditedFiles {
  readonly #deps: EditedFilesDeps;
  #files: ReadonlyMap<string, EditedFile> = $state.raw(new Map());
  readonly deleted = new DeletedFiles({
    control: () => this.control(),
    bytesOf: (path) => this.bytesOf(path),
  });
  /** Number of renames so far. Each moves a draft, so components read drafts again when it changes. */
  renamed: number = $state(0);
  /** The file whose editor takes the focus when it appears, since the user has just asked for it. */
  #awaited: string | null = null;
  /** Number of folders opened so far. */
  #folder = 0;

  constructor(deps: EditedFilesDeps) {
    this.#deps = deps;
  }

  /** Loads the code that changes files. Rejects if another folder is opened meanwhile, since the change would then be made in that folder. */
  async control(): Promise<EditingControl> {
    const folder = this.#folder;
    const control = await this.#deps.load();
    this.#expectSame(folder);
    return control;
  }

  /** Stores drafts before the page is closed, and asks the user to stay if one could not be stored. @returns dispose */
  guard(window: Pick<Window, 'addEventListener' | 'removeEventListener'>): () => void {
    const flush = (): void => void this.flush({ again: true });
    const ask = (event: BeforeUnloadEvent): void => {
      void this.flush({ again: true });
      // A draft that is being stored now may still fail.
      // @mutant editing: text whose draft is not stored asks before it is lost => removed
      //   [src/app/ui/editor/edited-files.svelte.test.ts]
      if (this.unstored.length > 0) event.preventDefault();
    };
    window.addEventListener('pagehide', flush);
    window.addEventListener('beforeunload', ask);
    return () => {
      window.removeEventListener('pagehide', flush);
      window.removeEventListener('beforeunload', ask);
    };
  }

  /** Gives the focus to the editor of a file as soon as it is shown. */
  awaitEditor(path: string): void {
    this.#awaited = path;
  }

  /**
   * Returns whether an editor that is now shown gets the focus, once after {@link awaitEditor}. Never on a phone, since
   * the focus would open the keyboard.
   */
  takeFocus(path: string): boolean {
    if (this.#awaited !== path) return false;
    this.#awaited = null;
    return !matchMedia('(pointer: coarse)').matches;
  }

  /** The file in the editor; undefined while it is not open there. */
  file(path: string): EditedFile | undefined {
    return this.#files.get(path);
  }

  get unsaved(): readonly string[] {
    return [...this.#files.values()].filter(({ isUnsaved }) => isUnsaved).map(({ path }) => path);
  }

  /** Paths of files whose text a reload would lose, because their draft is not stored. */
  get unstored(): readonly string[] {
    return [...this.#files.values()]
      .filter((file) => file.isUnsaved && !file.isStored)
      .map(({ path }) => path);
  }

  /**
   * Opens a file in the editor, with its draft if there is one.
   * @returns why it cannot be edited; null if it is open
   */
  async open(path: string): Promise<string | null> {
    if (this.#files.has(path)) return null;
    const folder = this.#folder;
    const bytes = this.bytesOf(path);
    if (bytes === undefined) return 'This file is not in the open folder.';
    const editable = editableText(bytes);
    if ('why' in editable) return editable.why;
    const control = await this.#deps.load();
    const draft = (await this.drafts()).get(path);
    if (folder !== this.#folder) return otherFolder;
    if (this.#files.has(path)) return null;
    const now = this.bytesOf(path) ?? bytes;
    const file = new EditedFile({
      path,
      control,
      now: this.#deps.now,
      base: draft?.base ?? now,
      text: draft?.text ?? editable.text,
      draftAt: draft?.at ?? null,
    });
    this.#files = new Map(this.#files).set(path, file);
    return null;
  }

  /** Like `open`, for a file that the user asks to edit: its editor takes the focus. */
  async edit(path: string): Promise<string | null> {
    const why = await this.open(path);
    if (this.#files.has(path)) this.awaitEditor(path);
    return why;
  }

  /** Closes a file and discards its unsaved text. */
  async close(path: string): Promise<void> {
    const file = this.#files.get(path);
    this.#files = new Map([...this.#files].filter(([other]) => other !== path));
    await file?.discard();
  }

  /** Renames a file, with its unsaved text. Rejects if that text cannot be kept. */
  async rename(from: string, to: string): Promise<SaveOutcome> {
    const folder = this.#folder;
    const control = await this.control();
    const { folderId, drafts } = control;
    const stored = await this.drafts();
    this.#expectSame(folder);
    const draft = this.#draftOf(from, stored);
    if (draft !== undefined && (folderId === undefined || stored.has(to)))
      throw new ToolError('bad-input', `“${from}” has unsaved changes`, 'Save it first.');
    const outcome = await control.rename(from, to);
    if (outcome.at !== 'saved') return outcome;
    if (draft !== undefined && folderId !== undefined)
      try {
        // @mutant editing: a renamed file keeps its unsaved text => removed
        //   [src/app/ui/editor/edited-files.svelte.test.ts]
        await drafts.put(folderId, { ...draft, path: to });
      } catch (thrown) {
        throw new ToolError(
          'storage',
          `“${from}” was renamed, but its unsaved text was not: ${errorText(thrown)}`,
          `Rename “${to}” back to “${from}” to continue with that text.`,
        );
      }
    await this.#forget(from, { folder, folderId, drafts });
    this.renamed += 1;
    return outcome;
  }

  /** Deletes a file. It can be restored, with its unsaved text. */
  async delete(path: string): Promise<SaveOutcome> {
    const folder = this.#folder;
    const { folderId, drafts } = await this.control();
    const draft = this.#draftOf(path, await this.drafts());
    this.#expectSame(folder);
    const outcome = await this.deleted.delete(path, draft);
    if (outcome.at === 'saved') await this.#forget(path, { folder, folderId, drafts });
    return outcome;
  }

  /** Paths of files with unsaved text, whether or not they are open in the editor. Never rejects. */
  async unsavedPaths(): Promise<ReadonlySet<string>> {
    const stored = await this.drafts().catch(() => new Map<string, EditDraft>());
    const closed = [...stored.values()].filter(({ path, text }) => {
      const bytes = this.#files.has(path) ? undefined : this.bytesOf(path);
      return bytes !== undefined && decodeFile(bytes) !== text;
    });
    return new Set([...this.unsaved, ...closed.map(({ path }) => path)]);
  }

  #draftOf(path: string, stored: ReadonlyMap<string, EditDraft>): EditDraft | undefined {
    const open = this.#files.get(path);
    return open === undefined ? stored.get(path) : open.draft;
  }

  async #forget(
    path: string,
    { folder, folderId, drafts }: Pick<EditingControl, 'folderId' | 'drafts'> & { folder: number },
  ): Promise<void> {
    if (folder === this.#folder) await this.close(path);
    if (folderId !== undefined) await drafts.remove(folderId, path).catch(() => undefined);
  }

  /** @throws {ToolError} if another folder was opened in the meantime */
  #expectSame(folder: number): void {
    if (folder === this.#folder) return;
    throw new ToolError('no-folder', otherFolder, 'Reopen the first folder, then try again.');
  }

  /** Closes all files when another folder is opened. Their drafts stay stored under their folder. */
  clear(): void {
    void this.flush();
    for (const file of this.#files.values()) file.dispose();
    this.#files = new Map();
    this.deleted.clear();
    this.#folder += 1;
  }

  /**
   * Stores all drafts now. Never rejects.
   * @param options.again whether to store stored drafts too, because another tab may have removed them
   */
  async flush(options: { again?: boolean } = {}): Promise<void> {
    await Promise.all(Array.from(this.#files.values(), (file) => file.flush(options)));
  }

  /** The bytes of a file as the folder was last read. */
  bytesOf(path: string): Uint8Array | undefined {
    return this.#deps.folder.current?.snapshot.files.find((file) => file.path === path)?.bytes;
  }

  /** The stored drafts of the folder, by path. */
  async drafts(): Promise<ReadonlyMap<string, EditDraft>> {
    const { folderId, drafts } = await this.#deps.load();
    if (folderId === undefined) return new Map();
    // The status line reports failing storage.
    const all = await drafts.all(folderId).catch(() => []);
    return new Map(all.map((draft) => [draft.path, draft]));
  }
}
