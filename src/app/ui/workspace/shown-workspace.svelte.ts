/** State of the open folder's workspace. */

import { untrack } from 'svelte';
import type { WorkspaceChoice } from '../../../runtime/workspace/choice.ts';
import type { Change } from '../../../runtime/workspace/changes.ts';
import type { Workspace } from '../../../runtime/workspace/workspace.ts';
import type { MayAsk } from '../../../runtime/folder/permission.ts';
import { errorText } from '../../../runtime/spec/error.ts';
import type { WorkspaceControl } from '../../app.ts';
import { coalesce } from '../../../runtime/async/coalesce.ts';

/** Interval between updates, since there may be thousands of changes; milliseconds. */
const lookMs = 100;

const never = new AbortController().signal;

export type Access = 'unknown' | 'reading' | 'ready' | 'asks' | 'failed';

export class ShownWorkspace {
  #folderId: string | null = null;
  /** Null until the code for workspaces has loaded. */
  control: WorkspaceControl | null = $state.raw(null);
  choice: WorkspaceChoice | null = $state.raw(null);
  workspace: Workspace | null = $state.raw(null);
  changes: readonly Change[] = $state.raw([]);
  /** Pending changes that the user must decide, because the folder's file has changed since the tool read it. */
  asking: ReadonlySet<Change> = $state.raw(new Set());
  access: Access = $state('unknown');
  /** Why the workspace could not be read. */
  failure = $state('');
  /** Counts updates, so that {@link contents}, whose values are not reactive, is read again. */
  #looks = $state(0);
  #stop: () => void = () => undefined;
  #isDisposed = false;

  constructor(control: Promise<WorkspaceControl>) {
    void control.then((known) => {
      if (this.#isDisposed) return;
      this.control = known;
      this.#stop = known.workspaces.observe(this.#lookSoon);
      this.look();
    });
  }

  /** The folder's contents, and what was left out by limits. */
  get contents(): {
    files: number;
    bytes: number;
    problems: readonly string[];
    skipped: readonly string[];
  } {
    const { view, problems, skipped } =
      (this.#looks > 0 ? this.workspace?.onDisk : null) ?? nothing;
    let bytes = 0;
    for (const { size } of view.files.values()) bytes += size;
    return { files: view.files.size, bytes, problems, skipped };
  }

  /** Sets the open tools folder; null if it is unknown. */
  follow(folderId: string | null): void {
    this.#folderId = folderId;
    // The effect that calls this must not run again when the state that `look` reads changes.
    untrack(() => this.look());
  }

  /** Shows the workspace as it is now, and opens it first if the folder has another one. */
  look(): void {
    const workspaces = this.control?.workspaces;
    if (workspaces === undefined) return;
    const choice = workspaces.choiceOf(this.#folderId ?? undefined);
    const isClosed =
      choice !== null &&
      this.workspace !== null &&
      workspaces.openedFor(choice.id) !== this.workspace;
    if (choice?.key !== this.choice?.key || isClosed) {
      this.workspace = null;
      this.access = 'unknown';
      this.failure = '';
    }
    this.choice = choice;
    this.changes = this.workspace?.pending ?? [];
    this.asking = this.workspace?.asking ?? new Set();
    this.#looks += 1;
    if (choice !== null && this.workspace === null) void this.#open(choice);
  }

  /** Reads the workspace again. @param may.ask whether the browser may prompt for permission; only in a click handler */
  async read(may: MayAsk): Promise<void> {
    const workspace = this.workspace;
    if (workspace === null) return;
    const { disk } = workspace;
    if (!(await disk.mayWrite(may)) && !(await disk.mayRead(may))) {
      this.access = 'asks';
      return;
    }
    this.access = 'reading';
    try {
      await workspace.refresh(never, 'changed');
      this.access = 'ready';
    } catch (thrown) {
      this.access = 'failed';
      this.failure = errorText(thrown);
    }
    this.look();
  }

  /**
   * Writes changes. Call it in a click handler, since the browser may ask for permission.
   * @returns null like a successful {@link saveBeside}; a change that could not be written has an `error`
   */
  async write(changes: readonly Change[]): Promise<null> {
    await this.workspace?.disk.mayWrite({ ask: true });
    await this.workspace?.write(changes);
    this.look();
    return null;
  }

  /** Writes a change over the folder's version of the file. Otherwise like {@link write}. */
  async overwrite(change: Change): Promise<null> {
    await this.workspace?.disk.mayWrite({ ask: true });
    await this.workspace?.overwrite(change);
    this.look();
    return null;
  }

  /** @returns why it was not saved; null if it was */
  async saveBeside(change: Change, path: string): Promise<string | null> {
    await this.workspace?.disk.mayWrite({ ask: true });
    const fault = (await this.workspace?.saveBeside(change, path)) ?? null;
    this.look();
    return fault;
  }

  discard(changes: readonly Change[]): void {
    this.workspace?.discard(changes);
    this.look();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#lookSoon.cancel();
    this.#stop();
  }

  readonly #lookSoon = coalesce(() => {
    this.look();
  }, lookMs);

  async #open(choice: WorkspaceChoice): Promise<void> {
    const workspace = (await this.control?.workspaces.of(choice.id)) ?? null;
    if (this.choice?.key !== choice.key || this.#isDisposed) return;
    if (workspace === null) {
      this.access = 'failed';
      this.failure = 'Could not open the folder.';
      return;
    }
    if (this.workspace === workspace) return;
    this.workspace = workspace;
    if (workspace.onDisk.isRead) this.access = 'ready';
    this.look();
  }
}

const nothing: Workspace['onDisk'] = {
  view: { files: new Map(), folders: new Set() },
  problems: [],
  skipped: [],
  isRead: false,
};
