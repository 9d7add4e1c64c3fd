/** The page's knowledge of one interpreter's copy of a workspace. */

import type { WorkspaceReport, WorkspaceRequest } from '../protocol/workspace.ts';
import { ToolError } from '../spec/error.ts';
import type { FolderFile } from '../spec/folder.ts';
import type { Limits } from '../spec/limits.ts';
import type { ValidChanges, Collected } from './validate-changes.ts';
import { type FileChange, sameContent, type WorkspaceView } from './changes.ts';

/** Sends a request to the interpreter, in several messages if there are many files. @throws {ToolError} */
export type Exchange = (signal: AbortSignal, request: WorkspaceRequest) => Promise<WorkspaceReport>;

/**
 * The highest number of reports for one call, so that a tool that keeps on writing cannot prolong the
 * collection endlessly.
 */
const maxAnswers = 1_000;

/** A change whose `kind`, if it is absent, follows from `base` and `content`. */
export type MadeChange = FileChange & { readonly kind?: 'folder-added' | 'folder-removed' };

export class InterpreterCopy {
  readonly #workspace: { readonly key: string; readonly root: string };
  readonly #exchange: Exchange;
  readonly #limits: Limits;
  /** Null for a file whose content the page does not know. */
  #files = new Map<string, FolderFile | null>();
  #folders = new Set<string>();
  /** The view that the copy equals; null if it may differ. */
  #currentView: WorkspaceView | null = null;
  /** Whether an aborted call may have written to the copy. */
  #isInvalid = false;

  constructor(
    workspace: { readonly key: string; readonly root: string },
    exchange: Exchange,
    limits: Limits,
  ) {
    this.#workspace = workspace;
    this.#exchange = exchange;
    this.#limits = limits;
  }

  /** Updates the copy to a view, and undoes changes that were not collected. @throws {ToolError} */
  async updateTo(signal: AbortSignal, view: WorkspaceView): Promise<void> {
    if (this.#isInvalid) await this.#restore(signal);
    if (this.#currentView === view) return;
    const isDifferent = (file: FolderFile): boolean => {
      const has = this.#files.get(file.path);
      return has !== file && !(has && sameContent(has, file));
    };
    const change = {
      written: [...view.files.values()].filter(isDifferent),
      removed: [...this.#files.keys()].filter((path) => !view.files.has(path)),
      folders: [...view.folders].filter((path) => !this.#folders.has(path)),
      foldersGone: [...this.#folders].filter((path) => !view.folders.has(path)),
    };
    const isFirst = this.#currentView === null && this.#files.size + this.#folders.size === 0;
    if (isFirst || Object.values(change).some(({ length }) => length > 0))
      await this.#exchange(signal, this.#request(change, 'nothing'));
    this.#files = new Map(view.files);
    this.#folders = new Set(view.folders);
    this.#currentView = view;
  }

  /** Returns what tools have changed since the last time. @throws {ToolError} */
  async collect(signal: AbortSignal): Promise<Collected> {
    const first = await this.#exchange(signal, this.#request({}, 'contents'));
    const files = [...first.files];
    let bytes = sizeOf(first);
    let report = first;
    for (let answers = 1; report.more; answers += 1) {
      if (answers > maxAnswers || bytes > this.#limits.workspaceBytes)
        throw new ToolError('limit', 'The call wrote more than the limit of a workspace.');
      report = await this.#exchange(signal, this.#request({}, 'contents'));
      files.push(...report.files);
      bytes += sizeOf(report);
    }
    return { ...first, files };
  }

  /**
   * Returns accepted changes compared with the copy's previous state, without files that are the same. Call
   * it before {@link accept}.
   */
  changesOf(valid: ValidChanges): MadeChange[] {
    return changesOf(valid, (path) => this.#base(path));
  }

  /**
   * Records which collected changes were accepted. Refused new files stay in the copy; refused changes of
   * existing files are undone by the next update.
   */
  accept(collected: Collected, { files, removed, folders, foldersGone }: ValidChanges): void {
    const isQuiet = collected.files.length + collected.removed.length === 0;
    if (isQuiet && collected.folders.length + collected.foldersGone.length === 0) return;
    this.#currentView = null;
    for (const { path } of collected.files) if (this.#files.has(path)) this.#files.set(path, null);
    for (const path of collected.removed) this.#files.delete(path);
    for (const path of collected.foldersGone) this.#folders.delete(path);
    for (const file of files) this.#files.set(file.path, file);
    for (const path of removed) this.#files.delete(path);
    for (const path of folders) this.#folders.add(path);
    for (const path of foldersGone) this.#folders.delete(path);
  }

  /** Discards what has been written since, before the next call. */
  invalidate(): void {
    this.#isInvalid = true;
  }

  #base(path: string): FolderFile | null {
    return this.#files.get(path) ?? null;
  }

  async #restore(signal: AbortSignal): Promise<void> {
    const report = await this.#exchange(signal, this.#request({}, 'paths'));
    this.#isInvalid = false;
    this.#currentView = null;
    for (const { path } of report.files) this.#files.set(path, null);
    for (const path of report.removed) this.#files.delete(path);
    for (const path of report.folders) this.#folders.add(path);
    for (const path of report.foldersGone) this.#folders.delete(path);
  }

  #request(
    change: Partial<Pick<WorkspaceRequest, 'written' | 'removed' | 'folders' | 'foldersGone'>>,
    tell: WorkspaceRequest['tell'],
  ): WorkspaceRequest {
    const { key, root } = this.#workspace;
    const { fileBytes } = this.#limits;
    const none = { written: [], removed: [], folders: [], foldersGone: [] };
    return { ...none, ...change, copy: key, root, tell, fileBytes };
  }
}

/** Returns valid changes, without files that are the same. @param baseOf returns a file as it was before; null if there was none */
export function changesOf(
  { files, removed, folders, foldersGone }: ValidChanges,
  baseOf: (path: string) => FolderFile | null,
): MadeChange[] {
  const written = files.map((content) => ({ base: baseOf(content.path), content }));
  const none = { base: null, content: null };
  return [
    ...written
      .filter(({ base, content }) => !sameContent(base, content))
      .map((change) => ({ path: change.content.path, ...change })),
    ...removed.map((path) => ({ path, base: baseOf(path), content: null })),
    ...folders.map((path) => ({ path, ...none, kind: 'folder-added' as const })),
    ...foldersGone.map((path) => ({ path, ...none, kind: 'folder-removed' as const })),
  ];
}

function sizeOf({ files }: WorkspaceReport): number {
  return files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
}
