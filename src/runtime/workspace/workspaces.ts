/** The workspaces of all tools folders: which folder has which, and those opened during this visit. */

import { Observable } from '../hooks/observe.ts';
import type { WorkspaceChoice, WorkspaceStore } from './choice.ts';
import type { WorkspaceDisk } from './disk.ts';
import { Workspace, type WorkspaceDeps, type Writing } from './workspace.ts';

export interface WorkspacesDeps extends Pick<WorkspaceDeps, 'limits' | 'now' | 'newId' | 'report'> {
  readonly store: WorkspaceStore;
  /** Opens the folder of a choice. Creates it if it is in the browser's storage and does not exist. */
  readonly openDisk: (choice: WorkspaceChoice) => Promise<WorkspaceDisk>;
  /** Deletes a folder in the browser's storage with everything in it. */
  readonly removeKept: (key: string) => Promise<void>;
}

interface Opening {
  /** Null if it cannot be opened, or was closed before it was open. Never rejects. */
  readonly workspace: Promise<Workspace | null>;
  readonly closed: AbortController;
}

/** Calls its listeners after every change of a choice or of a workspace. */
export class Workspaces extends Observable<undefined> {
  readonly #deps: WorkspacesDeps;
  /** Choices by id of the tools folder. */
  readonly #choices = new Map<string, WorkspaceChoice>();
  readonly #openings = new Map<string, Opening>();
  readonly #opened = new Map<string, Workspace>();
  #loading: Promise<void> | null = null;

  constructor(deps: WorkspacesDeps) {
    super((thrown) => deps.report(thrown));
    this.#deps = deps;
  }

  /** Loads the stored choices. Never rejects: without storage, choices last for this visit. */
  load(): Promise<void> {
    this.#loading = this.#load().finally(() => {
      this.#loading = null;
      this.#notify();
    });
    return this.#loading;
  }

  /** The choices for all tools folders, ordered by folder name. */
  get choices(): readonly WorkspaceChoice[] {
    return [...this.#choices.values()].sort((a, b) => (a.tools < b.tools ? -1 : 1));
  }

  choiceOf(folderId: string | undefined): WorkspaceChoice | null {
    return this.#choices.get(folderId ?? '') ?? null;
  }

  /** Returns the workspace for a call of this folder's tools. Returns null synchronously if there is none. */
  forCall(folderId: () => string | undefined): Promise<Workspace | null> | null {
    if (this.#loading !== null) return this.#loading.then(() => this.of(folderId()));
    const id = folderId();
    return id !== undefined && this.#choices.has(id) ? this.of(id) : null;
  }

  /** Opens the workspace of a tools folder; null if it has none, or if it cannot be opened. Never rejects. */
  async of(folderId: string | undefined): Promise<Workspace | null> {
    const choice = this.choiceOf(folderId);
    if (choice === null) return null;
    const opening = this.#openings.get(choice.id) ?? this.#startOpening(choice);
    this.#openings.set(choice.id, opening);
    const workspace = await opening.workspace;
    // Another workspace may have been chosen in the meantime.
    return opening.closed.signal.aborted ? this.of(folderId) : workspace;
  }

  /** Lists the workspaces whose changes would be lost with the page, one line for each. */
  get unsaved(): readonly string[] {
    return [...this.#opened.values()].flatMap(({ name, pending }) =>
      pending.length === 0
        ? []
        : [
            `${pending.length} ${pending.length === 1 ? 'change' : 'changes'} of the workspace “${name}” not yet written.`,
          ],
    );
  }

  /** Describes what is lost if the tools folder is forgotten; empty if it has no workspace. */
  lossOf(folderId: string): string {
    const choice = this.choiceOf(folderId);
    if (choice === null) return '';
    const waiting = this.#opened.get(folderId)?.pending.length ?? 0;
    const unwritten = waiting === 0 ? '' : ` ${waiting} of its changes are not written yet.`;
    return choice.handle === null
      ? `Its workspace and all files in it are deleted. They are stored only in this browser.${unwritten}`
      : `The link to its workspace folder is removed.${unwritten}`;
  }

  /** @param handle null for a folder in the browser's storage */
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

  /**
   * Removes the workspace of a tools folder. A folder in the browser's storage is deleted with everything in
   * it. @throws if that fails
   */
  async forget(folderId: string): Promise<void> {
    const choice = this.choiceOf(folderId);
    if (choice === null) return;
    const closed = this.#close(folderId);
    this.#choices.delete(folderId);
    this.#notify();
    await this.#deps.store.remove(folderId).catch(() => undefined);
    if (choice.handle === null) await this.#removeKept(closed, choice);
  }

  /** Deletes everything in a folder in the browser's storage. @throws if that fails */
  async empty(folderId: string): Promise<void> {
    const choice = this.choiceOf(folderId);
    if (choice?.handle !== null) return;
    const closed = this.#close(folderId);
    // Calls from now on use the new folder.
    const emptied = { ...choice, key: this.#deps.newId() };
    this.#choices.set(folderId, emptied);
    try {
      await this.#removeKept(closed, choice);
    } catch (thrown) {
      await this.#restore(choice, emptied);
      throw thrown;
    }
    // The choice may have changed while the files were being deleted.
    const now = this.choiceOf(folderId);
    if (now !== null) await this.#put(now);
  }

  /** Goes back to the folder that could not be emptied, unless the user has chosen another meanwhile. */
  async #restore(choice: WorkspaceChoice, emptied: WorkspaceChoice): Promise<void> {
    const now = this.choiceOf(choice.id);
    // The user has removed the workspace. Its files are still there, and must be reachable to be deleted.
    if (now === null) return this.#put(choice);
    if (now.key !== emptied.key) return;
    const closed = this.#close(choice.id);
    await this.#put({ ...now, key: choice.key });
    await this.#removeKept(closed, emptied).catch(() => undefined);
  }

  async #load(): Promise<void> {
    const all = await this.#deps.store.all().catch(() => []);
    for (const choice of all) this.#choices.set(choice.id, choice);
  }

  async #put(choice: WorkspaceChoice): Promise<void> {
    if (this.#choices.get(choice.id)?.key !== choice.key) void this.#close(choice.id);
    this.#choices.set(choice.id, choice);
    this.#notify();
    await this.#deps.store.put(choice).catch(() => undefined);
  }

  #startOpening(choice: WorkspaceChoice): Opening {
    const closed = new AbortController();
    const workspace = this.#openChoice(closed.signal, choice).catch((thrown: unknown) => {
      if (closed.signal.aborted) return null;
      // The next call tries again.
      this.#openings.delete(choice.id);
      this.#deps.report(thrown);
      return null;
    });
    return { workspace, closed };
  }

  async #openChoice(closed: AbortSignal, choice: WorkspaceChoice): Promise<Workspace | null> {
    const { limits, now, newId } = this.#deps;
    const { id, key, name } = choice;
    const report = (thrown: unknown): void => this.#deps.report(thrown);
    const disk = await this.#deps.openDisk(choice);
    if (closed.aborted) return null;
    // The user may have chosen another way of writing while the disk was being opened.
    const { writing } = this.choiceOf(id) ?? choice;
    const workspace = new Workspace({ key, name, disk, limits, now, newId, report }, writing);
    workspace.observe(() => this.#notify());
    this.#opened.set(id, workspace);
    return workspace;
  }

  /** Closes a workspace. Resolves once it is no longer being opened. */
  async #close(folderId: string): Promise<void> {
    const opening = this.#openings.get(folderId);
    opening?.closed.abort();
    this.#openings.delete(folderId);
    this.#opened.get(folderId)?.dispose();
    this.#opened.delete(folderId);
    await opening?.workspace;
  }

  /** Deletes a folder in the browser's storage once it is closed: opening it would create it again. */
  async #removeKept(closed: Promise<void>, { key }: WorkspaceChoice): Promise<void> {
    await closed;
    await this.#deps.removeKept(key);
  }

  #notify(): void {
    this.emit(undefined);
  }
}
