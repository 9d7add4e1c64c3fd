/** Connects the saved tests with the open folder: they follow its files, and are written into it. */

import { KeptResults } from '../../agent/saved-tests/kept-results.ts';
import { PendingFiles } from '../../agent/saved-tests/pending-files.ts';
import { SavedTests } from '../../agent/saved-tests/saved-tests.ts';
import type { FolderFile } from '../../runtime/spec/folder.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { TestsControl } from '../app.ts';
import type { EditingControl } from '../../runtime/open-folder/folder-editing.ts';
import { noFolder } from '../../runtime/open-folder/folder-interpreters.ts';
import { newId, type PageDeps, type Parts } from '../page-deps.ts';

export interface SavedTestsDeps
  extends
    Pick<PageDeps, 'base' | 'report'>,
    Pick<
      Parts,
      | 'registry'
      | 'calls'
      | 'folder'
      | 'currentFolder'
      | 'interpreters'
      | 'openSessions'
      | 'status'
      | 'memory'
    > {
  readonly editing: () => Promise<Pick<EditingControl, 'save'>>;
}

/** How often a test file may change while it is written. */
const maxAttempts = 5;

export function connectSavedTests(deps: SavedTestsDeps): TestsControl {
  const { registry, calls, folder, currentFolder, interpreters, openSessions, status } = deps;
  const pending = new PendingFiles(deps.memory, `cloche:${deps.base.pathname}:tests:`);
  const results = new KeptResults(deps.memory, `cloche:${deps.base.pathname}:test-results`);
  // Not stored under the key of a visit, which may be another folder's at the next one.
  const folderId = (): string => currentFolder.id ?? `visit ${status.get().folderKey}`;
  const files = (): readonly FolderFile[] => {
    const { current } = currentFolder;
    return current === null ? [] : pending.filesOf(folderId(), current.snapshot);
  };
  const tests = new SavedTests({
    files,
    tool: (name) => registry.get(name),
    settled: () => folder.settled(),
    call: (signal, call) => calls.call(signal, call),
    observeCalls: (listener) => calls.observe(listener),
    judge: (...asked) => {
      if (interpreters.current === null) throw noFolder();
      return interpreters.current.judge(...asked);
    },
    openSession: (id, rights) => openSessions.open(id, rights),
    closeSession: (id) => openSessions.close(id),
    newId,
    loadResults: (known) =>
      currentFolder.id === undefined ? new Map() : results.load(currentFolder.id, known),
    saveResults: (ended) => {
      if (currentFolder.id !== undefined) results.save(currentFolder.id, ended);
    },
    report: deps.report,
  });
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

  /** @returns false if the folder cannot be written, or the user does not allow it */
  async function write(path: string, edit: (text: string | null) => string): Promise<boolean> {
    const { current } = currentFolder;
    if (current === null) throw noFolder();
    if (current.source.handle === undefined) return false;
    const base = current.snapshot.files.find((file) => file.path === path)?.bytes ?? null;
    return writeTestFile(await deps.editing(), path, base, edit);
  }

  return {
    tests,
    get pending() {
      return pending.paths(folderId());
    },
    files,
    async removePending(path) {
      pending.remove(folderId(), path);
      await tests.refresh();
    },
    textOf: (path) => pending.get(folderId(), path) ?? folder.source(path) ?? null,
    async save(path, edit) {
      const id = folderId();
      const known = folder.source(path) ?? null;
      const written = await write(path, (text) => edit(pending.over(id, path, text)));
      if (written) pending.remove(id, path);
      else pending.set(id, path, edit(pending.get(id, path) ?? known), known);
      await tests.refresh();
      return written ? 'saved' : 'pending';
    },
  };
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
  let now = base;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const text = edit(now === null ? null : new TextDecoder().decode(now));
    const outcome = await editing.save(path, new TextEncoder().encode(text), now);
    if (outcome.at !== 'differs') return outcome.at === 'saved';
    now = outcome.theirs?.bytes ?? null;
  }
  throw new ToolError(
    'storage',
    `“${path}” was not saved: another program keeps changing it`,
    'Try again.',
  );
}
