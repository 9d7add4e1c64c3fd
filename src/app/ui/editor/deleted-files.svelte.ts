/** Files that were deleted from the open folder on this page, which can be restored. */

import type { EditingControl, SaveOutcome } from '../../../runtime/open-folder/folder-editing.ts';
import type { EditDraft } from '../../../runtime/folder/edit-draft.ts';
import { ToolError } from '../../../runtime/spec/error.ts';

export interface DeletedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The file's unsaved text; undefined if there was none. */
  readonly draft: EditDraft | undefined;
}

export interface DeletedFilesDeps {
  readonly control: () => Promise<Pick<EditingControl, 'save' | 'remove' | 'folderId' | 'drafts'>>;
  /** The bytes of a file as the folder was last read. */
  readonly bytesOf: (path: string) => Uint8Array | undefined;
}

/** Files that can be restored at the same time. */
const maxDeleted = 20;

export class DeletedFiles {
  readonly #deps: DeletedFilesDeps;
  /** The deleted files, the last one first. */
  list: readonly DeletedFile[] = $state.raw([]);
  /** Number of folders opened so far. */
  #folder = 0;

  constructor(deps: DeletedFilesDeps) {
    this.#deps = deps;
  }

  /** Deletes a file of the folder, and keeps its content and its unsaved text to restore them. */
  async delete(path: string, draft: EditDraft | undefined): Promise<SaveOutcome> {
    const folder = this.#folder;
    const bytes = this.#deps.bytesOf(path);
    const outcome = await (await this.#deps.control()).remove(path);
    // Not listed if another folder was opened: restoring it would write it into that folder.
    const isListed = outcome.at === 'saved' && folder === this.#folder;
    if (!isListed || bytes === undefined) return outcome;
    const others = this.list.filter((file) => file.path !== path);
    this.list = [{ path, bytes, draft }, ...others].slice(0, maxDeleted);
    return outcome;
  }

  /** Writes a deleted file again, unless there is another one of its name. Rejects if its unsaved text cannot be stored. */
  async restore(file: DeletedFile): Promise<SaveOutcome> {
    const folder = this.#folder;
    const control = await this.#deps.control();
    const { folderId, drafts } = control;
    const { path, bytes, draft } = file;
    const removeDraft = async (): Promise<void> => {
      if (folderId !== undefined && draft !== undefined) await drafts.remove(folderId, path);
    };
    // The draft is stored first, since the file would be restored without it if this failed.
    if (folderId !== undefined && draft !== undefined) await drafts.put(folderId, draft);
    try {
      if (folder !== this.#folder)
        throw new ToolError(
          'no-folder',
          `“${path}” was not restored, because another folder was opened in the meantime`,
        );
      const outcome = await control.save(path, bytes, { replaces: null });
      if (outcome.at === 'saved') this.list = this.list.filter((other) => other !== file);
      else await removeDraft();
      return outcome;
    } catch (thrown) {
      await removeDraft();
      throw thrown;
    }
  }

  /** Forgets the files, because another folder was opened. */
  clear(): void {
    this.list = [];
    this.#folder += 1;
  }
}
