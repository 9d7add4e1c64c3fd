/** One interpreter's copy of a workspace, as far as the page knows it. */

import type { WorkspaceReport, WorkspaceRequest } from '../protocol/workspace.ts';
import { ToolError } from '../spec/error.ts';
import type { FolderFile } from '../spec/folder.ts';
import type { Limits } from '../spec/limits.ts';
import type { ValidChanges, Collected } from './validate-changes.ts';
import { sameContent, type FileChange } from './change.ts';
import type { WorkspaceView } from './pending.ts';

/** Asks an interpreter; what is written may be handed over in several steps. @throws {ToolError} */
export type Exchange = (signal: AbortSignal, request: WorkspaceRequest) => Promise<WorkspaceReport>;

/** Answers that one call's changes may come in: what a tool writes while it is asked must not go on for ever. */
const mostAnswers = 1_000;

/** Where there is no kind, it follows from what was there and what is. */
export type MadeChange = FileChange & { readonly kind?: 'folder-added' | 'folder-removed' };

export class InterpreterCopy {
  readonly #workspace: { readonly key: string; readonly root: string };
  readonly #exchange: Exchange;
  readonly #limits: Limits;
  /** Null: something that the page does not know. */
  #files = new Map<string, FolderFile | null>();
  #folders = new Set<string>();
  /** The view that it was brought to, while nothing is known to differ from it. */
  #brought: WorkspaceView | null = null;
  /** A call that was cut off may have written to it. */
  #spoilt = false;

  constructor(
    workspace: { readonly key: string; readonly root: string },
    exchange: Exchange,
    limits: Limits,
  ) {
    this.#workspace = workspace;
    this.#exchange = exchange;
    this.#limits = limits;
  }

  /** Makes it what the view is; what was not told of goes. @throws {ToolError} */
  async bring(signal: AbortSignal, view: WorkspaceView): Promise<void> {
    if (this.#spoilt) await this.#mend(signal);
    if (this.#brought === view) return;
    const differs = (file: FolderFile): boolean => {
      const has = this.#files.get(file.path);
      return has !== file && !(has && sameContent(has, file));
    };
    const change = {
      written: [...view.files.values()].filter(differs),
      removed: [...this.#files.keys()].filter((path) => !view.files.has(path)),
      folders: [...view.folders].filter((path) => !this.#folders.has(path)),
      foldersGone: [...this.#folders].filter((path) => !view.folders.has(path)),
    };
    const isFirst = this.#brought === null && this.#files.size + this.#folders.size === 0;
    if (isFirst || Object.values(change).some(({ length }) => length > 0))
      await this.#exchange(signal, this.#request(change, 'nothing'));
    this.#files = new Map(view.files);
    this.#folders = new Set(view.folders);
    this.#brought = view;
  }

  /** What tools have changed since. @throws {ToolError} */
  async collect(signal: AbortSignal): Promise<Collected> {
    const first = await this.#exchange(signal, this.#request({}, 'contents'));
    const files = [...first.files];
    let bytes = sizeOf(first);
    let more = first;
    for (let answers = 1; more.more; answers += 1) {
      if (answers > mostAnswers || bytes > this.#limits.workspaceBytes)
        throw new ToolError('limit', 'The call wrote more than the limit of a workspace.');
      more = await this.#exchange(signal, this.#request({}, 'contents'));
      files.push(...more.files);
      bytes += sizeOf(more);
    }
    return { ...first, files };
  }

  /** What was admitted as changes of what this copy held before; what is as it was is none. Ask before {@link took}. */
  changesOf({ files, removed, folders, foldersGone }: ValidChanges): MadeChange[] {
    const written = files.map((content) => ({ base: this.#base(content.path), content }));
    return [
      ...written
        .filter(({ base, content }) => !sameContent(base, content))
        .map((change) => ({ path: change.content.path, ...change })),
      ...removed.map((path) => ({ path, base: this.#base(path), content: null })),
      ...folders.map((path) => ({
        path,
        base: null,
        content: null,
        kind: 'folder-added' as const,
      })),
      ...foldersGone.map((path) => ({
        path,
        base: null,
        content: null,
        kind: 'folder-removed' as const,
      })),
    ];
  }

  /** Of what was collected, this was taken; what was refused stays in the copy, or is undone where it took a file's place. */
  took(collected: Collected, { files, removed, folders, foldersGone }: ValidChanges): void {
    const isQuiet = collected.files.length + collected.removed.length === 0;
    if (isQuiet && collected.folders.length + collected.foldersGone.length === 0) return;
    this.#brought = null;
    for (const { path } of collected.files) if (this.#files.has(path)) this.#files.set(path, null);
    for (const path of collected.removed) this.#files.delete(path);
    for (const path of collected.foldersGone) this.#folders.delete(path);
    for (const file of files) this.#files.set(file.path, file);
    for (const path of removed) this.#files.delete(path);
    for (const path of folders) this.#folders.add(path);
    for (const path of foldersGone) this.#folders.delete(path);
  }

  /** What was written since is not wanted; it goes before the next call. */
  spoil(): void {
    this.#spoilt = true;
  }

  #base(path: string): FolderFile | null {
    return this.#files.get(path) ?? null;
  }

  async #mend(signal: AbortSignal): Promise<void> {
    const report = await this.#exchange(signal, this.#request({}, 'paths'));
    this.#spoilt = false;
    this.#brought = null;
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

function sizeOf({ files }: WorkspaceReport): number {
  return files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
}
