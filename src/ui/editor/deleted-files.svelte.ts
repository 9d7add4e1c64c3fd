/** Files that were deleted from the open folder on this page, which can be restored. */

import type { EditingControl, SaveOutcome } from '../../app/app.ts';

export interface DeletedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface DeletedFilesDeps {
  readonly control: () => Promise<Pick<EditingControl, 'save' | 'remove'>>;
  /** The bytes of a file as the folder was last read. */
  readonly bytesOf: (path: string) => Uint8Array | undefined;
}

/** Files that can be restored at the same time. */
const mostDeleted = 20;

export class DeletedFiles {
  readonly #deps: DeletedFilesDeps;
  #files: readonly DeletedFile[] = $state.raw([]);

  constructor(deps: DeletedFilesDeps) {
    this.#deps = deps;
  }

  /** The last one first. */
  get list(): readonly DeletedFile[] {
    return this.#files;
  }

  /** Deletes a file of the folder, and keeps its content to restore it. */
  async delete(path: string): Promise<SaveOutcome> {
    const bytes = this.#deps.bytesOf(path);
    const outcome = await (await this.#deps.control()).remove(path);
    if (outcome.at !== 'saved' || bytes === undefined) return outcome;
    const others = this.#files.filter((file) => file.path !== path);
    this.#files = [{ path, bytes }, ...others].slice(0, mostDeleted);
    return outcome;
  }

  /** Writes a deleted file again, unless there is another one of its name. */
  async restore(file: DeletedFile): Promise<SaveOutcome> {
    const outcome = await (await this.#deps.control()).save(file.path, file.bytes, null);
    if (outcome.at === 'saved') this.#files = this.#files.filter((other) => other !== file);
    return outcome;
  }

  /** Another folder was opened. */
  clear(): void {
    this.#files = [];
  }
}
