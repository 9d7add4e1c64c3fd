/** The workspaces of all tools folders: which folder has which, and those opened during this visit. */

import { Observable } from '../hooks/observe.ts';
import type { WorkspaceChoice, WorkspaceStore } from './choice.ts';
import type { WorkspaceDisk } from './folder-on-disk.ts';
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
  /** By id of the tools folder: settles when a deletion of its workspace’s files has ended or failed. Calls wait for it. */
  readonly #deletions = new Map<string, Promise<void>>();
  #loading: Promise<void> | null = null;
  /** By id of the tools folder: resolves when the changes of other pages have been read. */
  readonly #following = new Map<string, Promise<void>>();

  constructor(deps: WorkspacesDeps) {
    super((thrown) => deps.report(thrown));
    this.#deps = deps;
    deps.store.observe((id) => {
      // One after the other, because each takes a choice that changes while it reads as that of this page.
      const before = this.#following.get(id) ?? Promise.resolve();
      this.#following.set(
        id,
        before.then(() => this.#follow(id)),
      );
    });
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

  /** Returns whether a tools folder has no workspace, once that is known. @param folderId null if it is unknown: false */
  async lacks(folderId: string | null): Promise<boolean> {
    await this.#loading;
    return folderId !== null && !this.#choices.has(folderId);
  }

  /** Returns the workspace for a call of this folder's tools. Returns null synchronously if there is none. */
  forCall(folderId: () => string | undefined): Promise<Workspace | null> | null {
    if (this.#loading !== null) return this.#loading.then(() => this.of(folderId()));
    const id = folderId();
    return id !== undefined && this.#choices.has(id) ? this.of(id) : null;
  }

  /** Opens the workspace of a tools folder; null if it has none, or if it cannot be opened. Never rejects. */
  async of(folderId: string | undefined): Promise<Workspace | null> {
    while (this.#deletions.has(folderId ?? '')) await this.#deletions.get(folderId ?? '');
    const choice = this.choiceOf(folderId);
    if (choice === null) return null;
    const opening = this.#openings.get(choice.id) ?? this.#startOpening(choice);
    this.#openings.set(choice.id, opening);
    const workspace = await opening.workspace;
    // Another workspace may have been chosen in the meantime.
    return opening.closed.signal.aborted ? this.of(folderId) : workspace;
  }

  /** Returns the workspace of a tools folder if it is open now. */
  openedFor(folderId: string): Workspace | null {
    return this.#opened.get(folderId) ?? null;
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

  /**
   * Gives a tools folder a workspace, unless another page has just given it one: its tools may have written there already.
   *
   * @param handle null for a folder in the browser's storage
   * @returns whether this choice applies, and not that of another page
   */
  async choose(
    folder: { readonly id: string; readonly name: string },
    name: string,
    handle: FileSystemDirectoryHandle | null,
  ): Promise<boolean> {
    const key = this.#deps.newId();
    const { id, name: tools } = folder;
    while (this.#deletions.has(id)) await this.#deletions.get(id);
    await this.#put({ id, key, name, handle, writing: 'review', tools });
    return this.#choices.get(id)?.key === key;
  }

  async setWriting(folderId: string, writing: Writing): Promise<void> {
    const choice = this.choiceOf(folderId);
    if (choice === null) return;
    await this.#put({ ...choice, writing });
  }

  /**
   * Removes the workspace of a tools folder. A folder in the browser's storage is deleted with everything in
   * it. @throws if that fails; the workspace then stays
   */
  forget(folderId: string): Promise<void> {
    return this.#delete(folderId, async () => {
      this.#choices.delete(folderId);
      this.#notify();
      await this.#deps.store.remove(folderId).catch(() => undefined);
    });
  }

  /** Deletes everything in a folder in the browser's storage. @throws if that fails; the workspace then stays */
  async empty(folderId: string): Promise<void> {
    if (this.choiceOf(folderId)?.handle !== null) return;
    // The key is new, because the copies in interpreters belong to the old one.
    await this.#delete(folderId, (choice) => this.#put({ ...choice, key: this.#deps.newId() }));
  }

  /**
   * Closes a workspace, and deletes its files if they are in the browser's storage. Deletions of one workspace run one after
   * the other, and its choice changes only afterwards, so that files that could not be deleted can still be reached.
   *
   * @param finish called with the choice once the files are deleted
   */
  async #delete(
    folderId: string,
    finish: (choice: WorkspaceChoice) => Promise<void>,
  ): Promise<void> {
    const deletion = this.#deleteAfter(this.#deletions.get(folderId), folderId, finish);
    const ended = deletion.catch(() => undefined);
    this.#deletions.set(folderId, ended);
    try {
      await deletion;
    } finally {
      if (this.#deletions.get(folderId) === ended) this.#deletions.delete(folderId);
    }
  }

  async #deleteAfter(
    before: Promise<void> | undefined,
    folderId: string,
    finish: (choice: WorkspaceChoice) => Promise<void>,
  ): Promise<void> {
    await before;
    const choice = this.choiceOf(folderId);
    if (choice === null) return;
    // Closed first, because an opening that still runs would create the folder again.
    const closed = this.#close(folderId);
    this.#notify();
    await closed;
    if (choice.handle === null) await this.#deps.removeKept(choice.key);
    // The user may have changed the way of writing while the files were being deleted.
    await finish(this.choiceOf(folderId) ?? choice);
  }

  async #load(): Promise<void> {
    const all = await this.#deps.store.all().catch(() => []);
    for (const choice of all) this.#choices.set(choice.id, choice);
  }

  async #put(choice: WorkspaceChoice): Promise<void> {
    const known = this.#choices.get(choice.id)?.key ?? null;
    this.#adopt(choice);
    const stored = await this.#deps.store.put(choice, known).catch(() => choice);
    if (stored.key === choice.key || this.#choices.get(choice.id) !== choice) return;
    if (!this.#hasChangesOnDisk(choice.id)) this.#adopt(stored);
  }

  #adopt(choice: WorkspaceChoice): void {
    const { id, key, writing } = choice;
    if (this.#choices.get(id)?.key !== key) void this.#close(id);
    this.#choices.set(id, choice);
    const workspace = this.#opened.get(id);
    if (workspace) workspace.writing = writing;
    this.#notify();
  }

  /** Reads a choice that another page has stored or removed. Never rejects. */
  async #follow(folderId: string): Promise<void> {
    await this.#loading;
    while (this.#deletions.has(folderId)) await this.#deletions.get(folderId);
    const before = this.#choices.get(folderId);
    const stored = await this.#deps.store.get(folderId).catch(() => before);
    // What this page has chosen in the meantime is newer than what was read.
    if (this.#choices.get(folderId) !== before) return;
    if (stored?.key !== before?.key && this.#hasChangesOnDisk(folderId)) return;
    if (stored !== undefined) this.#adopt(stored);
    else if (before !== undefined) {
      this.#choices.delete(folderId);
      void this.#close(folderId);
      this.#notify();
    }
  }

  /** Whether changes of a workspace on disk wait for the user here: another page must not discard them. */
  #hasChangesOnDisk(folderId: string): boolean {
    const isOnDisk = (this.choiceOf(folderId)?.handle ?? null) !== null;
    return isOnDisk && (this.#opened.get(folderId)?.pending.length ?? 0) > 0;
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

  #notify(): void {
    this.emit(undefined);
  }
}
