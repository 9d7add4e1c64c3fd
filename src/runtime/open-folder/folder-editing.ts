/**
 * Changes files of the open folder: in the folder itself where it can be written, otherwise in a copy of the user's own,
 * which then is the open folder.
 */

import type { EditDrafts } from '../folder/edit-draft.ts';
import type { FolderSource } from '../folder/source.ts';
import { errorText, ToolError } from '../spec/error.ts';
import type { FolderFile } from '../spec/folder.ts';
import type { Limits } from '../spec/limits.ts';
import { sameBytes } from '../spec/bytes.ts';
import type { WorkspaceDisk } from '../workspace/folder-on-disk.ts';
import { refusedPath } from '../workspace/validate-changes.ts';
import { comparablePath } from '../folder/file-names.ts';
import type { CurrentFolder, OpenFolder } from './current-folder.ts';

export interface FolderEditingDeps {
  readonly currentFolder: Pick<CurrentFolder, 'current' | 'idOf'>;
  readonly folder: {
    open(source: FolderSource): Promise<void>;
    /** Reads these files again and reloads their tools. */
    reread(paths: ReadonlySet<string>): Promise<void>;
  };
  /** The folder as it can be written; null if it cannot be written at all. */
  diskOf(source: FolderSource): WorkspaceDisk | null;
  /** Creates a folder in the browser's private file system. */
  create(name: string): Promise<FolderSource>;
  /** Removes a folder that {@link create} has made and that could not be filled. */
  discard(source: FolderSource): Promise<void>;
  readonly drafts: EditDrafts;
  /**
   * Reads what the user has refused in the open folder.
   * @returns a function that stores the refusals for a copy of the folder
   */
  refusals(): (copyId: string) => Promise<void>;
  /** Runs the work while no other tab runs such work. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  readonly limits: Pick<Limits, 'fileBytes' | 'folderBytes' | 'folderFiles'>;
}

/**
 * The result of a change. `differs`: the file is not what editing began with, but `theirs`, or null if it was deleted;
 * nothing was changed. `refused`: the folder cannot be written, or the user did not allow it.
 */
export type SaveOutcome =
  | { readonly at: 'saved' }
  | { readonly at: 'differs'; readonly theirs: FolderFile | null }
  | { readonly at: 'refused' };

/** The methods with which the page changes files. */
export type EditingControl = Pick<
  FolderEditing,
  | 'savesTo'
  | 'source'
  | 'folderId'
  | 'drafts'
  | 'save'
  | 'saveToCopy'
  | 'rename'
  | 'remove'
  | 'newFolder'
>;

/** Changes files of the open folder. Where a change fails, the error says what to do, and nothing has changed. */
export class FolderEditing {
  readonly #deps: FolderEditingDeps;

  constructor(deps: FolderEditingDeps) {
    this.#deps = deps;
  }

  /** Whether the open folder is changed itself, or a copy of it in this browser. */
  get savesTo(): 'folder' | 'copy' {
    const { source } = this.#expectFolder();
    return this.#deps.diskOf(source) === null ? 'copy' : 'folder';
  }

  /** The open folder’s source, which changes when another folder is opened. */
  get source(): FolderSource {
    return this.#expectFolder().source;
  }

  get drafts(): EditDrafts {
    return this.#deps.drafts;
  }

  /** The id of the open folder; undefined if it is not stored yet. */
  get folderId(): string | undefined {
    return this.#deps.currentFolder.idOf(this.#expectFolder().source);
  }

  /**
   * Saves a file if it still has the content that is replaced; null for a file that must not exist. Call it while a key or a
   * click is handled, since the browser may ask for permission. Resolves when the file's tools have been reloaded.
   */
  async save(
    path: string,
    bytes: Uint8Array,
    { replaces }: { readonly replaces: Uint8Array | null },
  ): Promise<SaveOutcome> {
    return this.#change(async (disk) => {
      // @mutant editing: a new file gets a path within the folder => removed
      if (replaces === null) this.#checkNewPath(path);
      this.#checkSize(path, bytes.byteLength);
      const now = await disk.read(path);
      // @mutant editing: a newer file is compared before it is overwritten => removed
      if (!sameBytes(now?.bytes ?? null, replaces)) return { at: 'differs', theirs: now };
      await disk.write(path, bytes);
      await this.#deps.folder.reread(new Set([path]));
      return { at: 'saved' };
    }, `“${path}” was not saved`);
  }

  async remove(path: string): Promise<SaveOutcome> {
    return this.#change(async (disk) => {
      await disk.remove(path);
      await this.#deps.folder.reread(new Set([path]));
      return { at: 'saved' };
    }, `“${path}” was not deleted`);
  }

  async rename(from: string, to: string): Promise<SaveOutcome> {
    return this.#change(async (disk) => {
      this.#checkNewPath(to, from);
      const file = await disk.read(from);
      if (file === null) throw new ToolError('not-found', `“${from}” no longer exists`);
      const there = await disk.read(to);
      // @mutant editing: a renamed file replaces no other => removed
      if (there !== null) return { at: 'differs', theirs: there };
      await disk.write(to, file.bytes);
      await disk.remove(from);
      await this.#deps.folder.reread(new Set([from, to]));
      return { at: 'saved' };
    }, `“${from}” was not renamed`);
  }

  /**
   * Copies the open folder with this file into the browser's private file system, and opens the copy.
   * @returns the id of the copy; undefined if it is not stored
   */
  async saveToCopy(path: string, bytes: Uint8Array): Promise<string | undefined> {
    const { source, snapshot } = this.#expectFolder();
    const oldId = this.folderId;
    const refuseIn = this.#deps.refusals();
    this.#checkSize(path, bytes.byteLength);
    const others = snapshot.files.filter((file) => file.path !== path);
    const idOf = (made: FolderSource): string | undefined => this.#deps.currentFolder.idOf(made);
    const copy = await this.#createWith(
      `${snapshot.name} copy`,
      [...others, { path, bytes }],
      // A copy without the refusals would run what the user has refused.
      async (made) => {
        const id = idOf(made);
        if (id !== undefined) await refuseIn(id);
      },
    );
    const newId = idOf(copy);
    if (oldId !== undefined && newId !== undefined)
      await this.#moveDrafts(oldId, newId, path).catch(() => undefined);
    // The user may have opened another folder meanwhile, which must stay open. The copy is among the recent folders.
    if (this.#deps.currentFolder.current?.source === source) void this.#deps.folder.open(copy);
    return newId;
  }

  /** Creates a folder in the browser's private file system. */
  async newFolder(name: string, files: Readonly<Record<string, string>>): Promise<FolderSource> {
    const encoder = new TextEncoder();
    return this.#createWith(
      name,
      Object.entries(files).map(([path, text]) => ({ path, bytes: encoder.encode(text) })),
    );
  }

  async #createWith(
    name: string,
    files: readonly Pick<FolderFile, 'path' | 'bytes'>[],
    finish: (source: FolderSource) => Promise<void> = () => Promise.resolve(),
  ): Promise<FolderSource> {
    let source: FolderSource | null = null;
    try {
      source = await this.#deps.create(name);
      const disk = this.#deps.diskOf(source);
      if (disk === null) throw new Error('this browser cannot store files');
      for (const { path, bytes } of files) await disk.write(path, bytes);
      await finish(source);
      return source;
    } catch (thrown) {
      // Half a copy would look like a whole one.
      if (source !== null) await this.#deps.discard(source).catch(() => undefined);
      throw writingFailed(thrown, `The folder “${name}” was not created`);
    }
  }

  async #moveDrafts(from: string, to: string, saved: string): Promise<void> {
    const { drafts } = this.#deps;
    for (const draft of await drafts.all(from)) {
      if (draft.path !== saved) await drafts.put(to, draft);
      await drafts.remove(from, draft.path);
    }
  }

  /** Asks for the permission to write where necessary, then makes one change. */
  async #change(
    work: (disk: WorkspaceDisk) => Promise<SaveOutcome>,
    failure: string,
  ): Promise<SaveOutcome> {
    const disk = this.#deps.diskOf(this.#expectFolder().source);
    if (disk === null) return { at: 'refused' };
    try {
      // Permission comes first, since the browser asks the user only while it handles a key or a
      // click.
      // @mutant editing: no write without permission => removed
      if (!(await disk.mayWrite({ ask: true }))) return { at: 'refused' };
      return await this.#deps.alone(() => work(disk));
    } catch (thrown) {
      throw writingFailed(thrown, failure);
    }
  }

  /** @param except a file whose name may be alike, since it is renamed */
  #checkNewPath(path: string, except?: string): void {
    const fault = refusedPath(path);
    if (fault !== undefined)
      throw new ToolError(
        'bad-input',
        `“${path}” cannot be used: ${fault}`,
        'Choose another name.',
      );
    const { files } = this.#expectFolder().snapshot;
    if (files.length >= this.#deps.limits.folderFiles && except === undefined)
      throw new ToolError(
        'limit',
        `The folder has ${files.length} files, which is the limit`,
        'Delete a file, or raise the limit in the settings.',
      );
    const alike = files.find(
      (file) => file.path !== except && comparablePath(file.path) === comparablePath(path),
    );
    if (alike !== undefined && alike.path !== path)
      throw new ToolError(
        'bad-input',
        `“${path}” and “${alike.path}” are the same file on some systems`,
        'Choose another name.',
      );
  }

  #checkSize(path: string, size: number): void {
    const { fileBytes, folderBytes } = this.#deps.limits;
    const { files } = this.#expectFolder().snapshot;
    const others = files.reduce((sum, file) => sum + (file.path === path ? 0 : file.size), 0);
    if (size <= fileBytes && others + size <= folderBytes) return;
    const [what, max] = size > fileBytes ? [`“${path}”`, fileBytes] : ['The folder', folderBytes];
    throw new ToolError(
      'limit',
      `${what} would be larger than ${max / 1024 / 1024} MB`,
      'Shorten the file, or raise the limit in the settings.',
    );
  }

  #expectFolder(): OpenFolder {
    const { current } = this.#deps.currentFolder;
    if (current === null)
      throw new ToolError('no-folder', 'No tools folder is open', 'Open the folder again.');
    return current;
  }
}

function writingFailed(thrown: unknown, what: string): ToolError {
  if (thrown instanceof ToolError)
    return new ToolError(thrown.code, `${what}: ${thrown.message}`, thrown.hint);
  const name = thrown instanceof DOMException ? thrown.name : '';
  if (name === 'QuotaExceededError')
    return new ToolError(
      'storage',
      `${what}: there is no space left`,
      'Free up space on this device, or remove stored data in the settings. Then try again.',
    );
  if (name === 'NotFoundError')
    return new ToolError(
      'not-found',
      `${what}: its folder no longer exists`,
      'Save to a copy, or restore the folder and try again.',
    );
  if (name === 'NotAllowedError')
    return new ToolError(
      'not-supported',
      `${what}: the browser no longer allows writing to this folder`,
      'Try again and allow access, or save to a copy.',
    );
  if (name === 'NoModificationAllowedError')
    return new ToolError('storage', `${what}: another program is writing to it`, 'Try again.');
  return new ToolError('storage', `${what}: ${errorText(thrown)}`, 'Try again, or save to a copy.');
}
