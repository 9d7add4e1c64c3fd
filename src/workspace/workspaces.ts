/** The workspaces of all tools folders: which has which, and those that were opened on this visit. */

import { createObservers } from '../hooks/observe.ts';
import type { Limits } from '../spec/limits.ts';
import type { WorkspaceChoice, WorkspaceStore } from './choice.ts';
import type { WorkspaceDisk } from './disk.ts';
import { Workspace, type Writing } from './workspace.ts';

export interface WorkspacesDeps {
  readonly store: WorkspaceStore;
  /** The folder of a choice; makes a kept one where it is not there. */
  readonly openDisk: (choice: WorkspaceChoice) => Promise<WorkspaceDisk>;
  /** Deletes a kept folder with all that is in it. */
  readonly removeKept: (key: string) => Promise<void>;
  readonly limits: Limits;
  readonly now: () => number;
  readonly newId: () => string;
  report(thrown: unknown): void;
}

interface Open {
  readonly choice: WorkspaceChoice;
  readonly workspace: Workspace;
}

export class Workspaces {
  readonly #deps: WorkspacesDeps;
  readonly #observers;
  /** By tools folder. */
  readonly #choices = new Map<string, WorkspaceChoice>();
  readonly #open = new Map<string, Promise<Open>>();
  readonly #opened = new Map<string, Workspace>();
  #loading: Promise<void> | null = null;

  constructor(deps: WorkspacesDeps) {
    this.#deps = deps;
    this.#observers = createObservers<undefined>((thrown) => {
      deps.report(thrown);
    });
  }

  /** Reads what is remembered. Never rejects: without storage, choices hold for this visit. */
  load(): Promise<void> {
    this.#loading = this.#load().finally(() => {
      this.#loading = null;
      this.#tell();
    });
    return this.#loading;
  }

  /** What is chosen for tools folders, in order of their names. */
  get choices(): readonly WorkspaceChoice[] {
    return [...this.#choices.values()].sort((a, b) => (a.tools < b.tools ? -1 : 1));
  }

  choiceOf(folderId: string | undefined): WorkspaceChoice | null {
    return this.#choices.get(folderId ?? '') ?? null;
  }

  /** Told of every change of a choice, and of every workspace. @returns dispose */
  observe(listener: () => void): () => void {
    return this.#observers.observe(listener);
  }

  /** For a call of this folder's tools; null, at once, where it has no workspace. */
  forCall(folderId: () => string | undefined): Promise<Workspace | null> | null {
    if (this.#loading !== null) return this.#loading.then(() => this.of(folderId()));
    const id = folderId();
    return id !== undefined && this.#choices.has(id) ? this.of(id) : null;
  }

  /** The workspace of a tools folder, opened; null where it has none, or where that cannot be had. Never rejects. */
  async of(folderId: string | undefined): Promise<Workspace | null> {
    const choice = this.choiceOf(folderId);
    if (choice === null) return null;
    const open = this.#open.get(choice.id) ?? this.#openChoice(choice);
    this.#open.set(choice.id, open);
    try {
      const { workspace } = await open;
      return workspace;
    } catch (thrown) {
      this.#open.delete(choice.id);
      this.#deps.report(thrown);
      return null;
    }
  }

  /** Lines about changes that would be lost with the page. */
  get unsaved(): readonly string[] {
    return [...this.#opened.values()].flatMap(({ name, pending }) =>
      pending.length === 0
        ? []
        : [
            `${pending.length} ${pending.length === 1 ? 'change' : 'changes'} of the workspace “${name}” not yet written.`,
          ],
    );
  }

  /** What is lost where the tools folder is forgotten, in words; empty where it has no workspace. */
  lossOf(folderId: string): string {
    const choice = this.choiceOf(folderId);
    if (choice === null) return '';
    const waiting = this.#opened.get(folderId)?.pending.length ?? 0;
    const unwritten = waiting === 0 ? '' : ` ${waiting} of its changes are not written yet.`;
    return choice.handle === null
      ? `Its workspace and all files in it are deleted. They are stored only in this browser.${unwritten}`
      : `The link to its workspace folder is removed.${unwritten}`;
  }

  /** @param handle null: a folder that this browser keeps */
  async choose(
    folder: { readonly id: string; readonly name: string },
    name: string,
    handle: FileSystemDirectoryHandle | null,
  ): Promise<void> {
    const key = this.#deps.newId();
    const { id, name: tools } = folder;
    await this.#put({ id, key, name, handle, writing: 'review', tools });
  }

  async setWriting(folderId: string, writing: Writing): Promise<void> {
    const choice = this.choiceOf(folderId);
    if (choice === null) return;
    const workspace = this.#opened.get(folderId);
    if (workspace) workspace.writing = writing;
    await this.#put({ ...choice, writing });
  }

  /** The tools folder has no workspace any more; a kept folder goes with all that is in it. @throws where that fails */
  async forget(folderId: string): Promise<void> {
    const choice = this.choiceOf(folderId);
    if (choice === null) return;
    this.#close(folderId);
    this.#choices.delete(folderId);
    this.#tell();
    await this.#deps.store.remove(folderId).catch(() => undefined);
    if (choice.handle === null) await this.#deps.removeKept(choice.key);
  }

  /** Deletes all that is in a kept folder. @throws where that fails */
  async empty(folderId: string): Promise<void> {
    const choice = this.choiceOf(folderId);
    if (choice?.handle !== null) return;
    this.#close(folderId);
    await this.#deps.removeKept(choice.key);
    await this.#put({ ...choice, key: this.#deps.newId() });
  }

  async #load(): Promise<void> {
    const all = await this.#deps.store.all().catch(() => []);
    for (const choice of all) this.#choices.set(choice.id, choice);
  }

  async #put(choice: WorkspaceChoice): Promise<void> {
    if (this.#choices.get(choice.id)?.key !== choice.key) this.#close(choice.id);
    this.#choices.set(choice.id, choice);
    this.#tell();
    await this.#deps.store.put(choice).catch(() => undefined);
  }

  async #openChoice(choice: WorkspaceChoice): Promise<Open> {
    const { limits, now, newId } = this.#deps;
    const { key, name, writing } = choice;
    const report = (thrown: unknown): void => {
      this.#deps.report(thrown);
    };
    const disk = await this.#deps.openDisk(choice);
    const workspace = new Workspace({ key, name, disk, limits, now, newId, report }, writing);
    workspace.observe(() => {
      this.#tell();
    });
    this.#opened.set(choice.id, workspace);
    return { choice, workspace };
  }

  #close(folderId: string): void {
    this.#opened.get(folderId)?.dispose();
    this.#opened.delete(folderId);
    this.#open.delete(folderId);
  }

  #tell(): void {
    this.#observers.emit(undefined);
  }
}
