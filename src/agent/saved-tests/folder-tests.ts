/** The saved tests of the open folder: follow its files, and are written into it or kept in this browser. */

import type { EditingControl } from '../../runtime/open-folder/folder-editing.ts';
import type { CurrentFolder } from '../../runtime/open-folder/current-folder.ts';
import { noFolder } from '../../runtime/open-folder/folder-interpreters.ts';
import type { FolderLoader } from '../../runtime/open-folder/folder-loader.ts';
import type { StatusHolder } from '../../runtime/open-folder/status.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { FolderFile } from '../../runtime/spec/folder.ts';
import { StoredTestResults } from './kept-results.ts';
import { PendingFiles } from './pending-files.ts';
import { SavedTests, type SavedTestsDeps } from './saved-tests.ts';

export interface FolderTestsDeps extends Omit<SavedTestsDeps, 'files' | 'results'> {
  readonly folder: FolderLoader;
  readonly currentFolder: CurrentFolder;
  readonly status: Pick<StatusHolder, 'get' | 'observe'>;
  /** Local storage; null if the browser refuses it. */
  readonly memory: Storage | null;
  readonly basePath: string;
  readonly editing: () => Promise<Pick<EditingControl, 'save'>>;
}

/** Number of times that a test file may change while it is written. */
const maxAttempts = 5;

export class FolderTests {
  readonly tests: SavedTests;
  readonly #deps: FolderTestsDeps;
  readonly #pending: PendingFiles;

  constructor(deps: FolderTestsDeps) {
    this.#deps = deps;
    const { folder, status, memory, basePath } = deps;
    this.#pending = new PendingFiles(memory, `cloche:${basePath}:tests:`);
    const results = new StoredTestResults(memory, `cloche:${basePath}:test-results`);
    const tests = new SavedTests({ ...deps, results, files: () => this.files() });
    this.tests = tests;
    let { folderKey } = status.get();
    status.observe((now) => {
      if (now.folderKey !== folderKey) tests.clear();
      folderKey = now.folderKey;
      if (now.phase === 'ready') void tests.refresh();
    });
    if (status.get().phase === 'ready') void tests.refresh();
    folder.observeUpdates((update) => {
      void tests.changed(update);
    });
  }

  /** Paths of test files that are kept in this browser, because the folder cannot be written. */
  get pending(): readonly string[] {
    return this.#pending.paths(this.#folderId);
  }

  /** The folder's files, with pending test files in their places. */
  files(): readonly FolderFile[] {
    const { current } = this.#deps.currentFolder;
    return current === null ? [] : this.#pending.filesOf(this.#folderId, current.snapshot);
  }

  async removePending(path: string): Promise<void> {
    this.#pending.remove(this.#folderId, path);
    await this.tests.refresh();
  }

  /** The text of a test file, a pending one included; null if there is none. */
  textOf(path: string): string | null {
    return this.#pending.get(this.#folderId, path) ?? this.#deps.folder.source(path) ?? null;
  }

  /**
   * Writes a test file. Call it while a key or a click is handled, since the browser may ask for permission.
   * @param edit gets the text as it is now; null if there is no file
   * @returns `pending` if the folder cannot be written: the file is kept in this browser @throws {ToolError}
   */
  async save(path: string, edit: (text: string | null) => string): Promise<'saved' | 'pending'> {
    const id = this.#folderId;
    const known = this.#deps.folder.source(path) ?? null;
    // The edit applies to the pending file, if there is one, which is then written into the folder or kept again.
    const written = await this.#write(path, (text) => edit(this.#pending.over(id, path, text)));
    if (written) this.#pending.remove(id, path);
    else this.#pending.set(id, path, edit(this.#pending.get(id, path) ?? known), known);
    await this.tests.refresh();
    return written ? 'saved' : 'pending';
  }

  /** @returns false if the folder cannot be written, or the user does not allow it */
  async #write(path: string, edit: (text: string | null) => string): Promise<boolean> {
    const { current } = this.#deps.currentFolder;
    if (current === null) throw noFolder();
    if (current.source.handle === undefined) return false;
    const base = current.snapshot.files.find((file) => file.path === path)?.bytes ?? null;
    return writeTestFile(await this.#deps.editing(), path, base, edit);
  }

  /** A folder without an id has the key of this visit, marked as such: another folder may have that key at the next visit. */
  get #folderId(): string {
    const { currentFolder, status } = this.#deps;
    return currentFolder.id ?? `visit ${status.get().folderKey}`;
  }
}

/**
 * Writes a test file by its edit, which is repeated where another tab or program has changed the file meanwhile.
 * @param base the file as the page knows it; null if it knows none
 * @returns false if the folder cannot be written, or the user does not allow it @throws {ToolError}
 */
export async function writeTestFile(
  editing: Pick<EditingControl, 'save'>,
  path: string,
  base: Uint8Array | null,
  edit: (text: string | null) => string,
): Promise<boolean> {
  let replaces = base;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const text = edit(replaces === null ? null : new TextDecoder().decode(replaces));
    const outcome = await editing.save(path, new TextEncoder().encode(text), { replaces });
    if (outcome.at !== 'differs') return outcome.at === 'saved';
    replaces = outcome.theirs?.bytes ?? null;
  }
  throw new ToolError(
    'storage',
    `“${path}” was not saved: another program keeps changing it`,
    'Try again.',
  );
}
