/** A folder that tools read and write: its contents, the changes not yet written, and what each call did. */

import type { RereadScope } from '../folder/reread-folder.ts';
import { Observable } from '../hooks/observe.ts';
import { errorText } from '../spec/error.ts';
import type { Limits } from '../spec/limits.ts';
import type { WorkspaceEntry } from '../spec/result.ts';
import {
  addChanges,
  type Change,
  type ChangeOrigin,
  compareViews,
  findConflicts,
  isFolderChange,
  kindOf,
  sameContent,
  sortForWriting,
  viewOf,
  type WorkspaceView,
} from './changes.ts';
import { FolderOnDisk, type WorkspaceDisk } from './folder-on-disk.ts';
import { changesOf, InterpreterCopy, type Exchange, type MadeChange } from './interpreter-copy.ts';
import { runsByItself } from './runs-by-itself.ts';
import { validateChanges, type Collected, type ValidChanges } from './validate-changes.ts';

/**
 * `review`: the user reviews changes before they are written. `at-once`: changes that need no decision are
 * written immediately, except files that run by themselves.
 */
export type Writing = 'review' | 'at-once';

export interface WorkspaceDeps {
  /** Differs for every choice of a workspace. */
  readonly key: string;
  readonly name: string;
  readonly disk: WorkspaceDisk;
  readonly limits: Limits;
  readonly now: () => number;
  readonly newId: () => string;
  report(thrown: unknown): void;
}

export class Workspace extends Observable<undefined> {
  readonly key: string;
  readonly name: string;
  readonly disk: WorkspaceDisk;
  readonly #deps: WorkspaceDeps;
  readonly #folder: FolderOnDisk;
  writing: Writing;
  #pending: readonly Change[] = [];
  /** The latest {@link view}, and what it was made from. */
  #view: {
    readonly folder: WorkspaceView;
    readonly pending: readonly Change[];
    readonly view: WorkspaceView;
  } | null = null;
  /** Settles when the previous write has ended: writes run one after the other. */
  #writes: Promise<unknown> = Promise.resolve();
  /** Settles when the previous changes are pending, because later ones are validated with them. */
  #additions: Promise<unknown> = Promise.resolve();

  constructor(deps: WorkspaceDeps, writing: Writing) {
    super((thrown) => deps.report(thrown));
    this.key = deps.key;
    this.name = deps.name;
    this.disk = deps.disk;
    this.writing = writing;
    this.#deps = deps;
    this.#folder = new FolderOnDisk(deps.disk.source, deps.limits, () => deps.now());
  }

  /** Path of the workspace in the sandbox. */
  get root(): string {
    return `/workspace/${this.name}`;
  }

  get limits(): Limits {
    return this.#deps.limits;
  }

  /** The folder as last read. */
  get onDisk(): Pick<FolderOnDisk, 'view' | 'problems' | 'skipped' | 'isRead'> {
    return this.#folder;
  }

  /** Changes that are not written yet, oldest first; those of one path together. */
  get pending(): readonly Change[] {
    return this.#pending;
  }

  /** Pending changes that the user must decide, because the folder has another file than the tool had. */
  get asking(): ReadonlySet<Change> {
    return findConflicts(this.#pending, this.#folder.view);
  }

  /** The workspace as tools see it: the folder with all pending changes that need no decision. */
  get view(): WorkspaceView {
    const folder = this.#folder.view;
    const pending = this.#pending;
    if (this.#view?.folder !== folder || this.#view.pending !== pending)
      this.#view = { folder, pending, view: viewOf(folder, pending) };
    return this.#view.view;
  }

  /** Reads what may have changed in the folder; null if nothing can have changed. @throws {ToolError} */
  refresh(signal: AbortSignal, scope?: RereadScope): Promise<void> | null {
    const reading = this.#folder.refresh(signal, scope);
    return reading?.finally(() => this.#notify()) ?? null;
  }

  /** Begins the copy that the tools of one interpreter read and write. */
  openCopy(exchange: Exchange): InterpreterCopy {
    return new InterpreterCopy(this, exchange, this.limits);
  }

  /** Applies what a call has changed in a copy. Never rejects. @returns what happened to each change */
  async take(
    collected: Collected,
    copy: InterpreterCopy,
    origin: ChangeOrigin,
  ): Promise<WorkspaceEntry[]> {
    const { made, refused } = await this.#addValid(collected, origin, (valid) => {
      const changes = copy.changesOf(valid);
      copy.accept(collected, valid);
      return changes;
    });
    const paths = new Set(made.map(({ path }) => path));
    if (this.writing === 'at-once') {
      const asks = this.asking;
      const mine = this.#pending.filter((one) => paths.has(one.path));
      // Even so, files that run by themselves and restored files wait for the user.
      const ready = mine.filter(
        // @mutant files that run automatically wait for the review => without runsByItself(one.path) && !
        (one) => !asks.has(one) && !runsByItself(one.path) && !one.needsReview,
      );
      await this.write(ready, ready.length < mine.length);
    }
    if (made.length > 0) this.#notify();
    return [...this.#entries(made), ...refused.map(refusedEntry)];
  }

  /**
   * Makes the workspace what it was earlier, by changes that wait for the user's review even where
   * others do not: the folder's files may be newer. Later changes of the same files wait too.
   * @returns what happened to each
   */
  async restore(earlier: WorkspaceView, origin: ChangeOrigin): Promise<WorkspaceEntry[]> {
    const { view } = this;
    // `left` lists what the page cannot take from a copy, such as links. These changes are not from a copy.
    const wanted = { ...(await compareViews(earlier, view)), left: [] };
    const { made, refused } = await this.#addValid(
      wanted,
      origin,
      (valid) => changesOf(valid, (path) => view.files.get(path) ?? null),
      { needsReview: true },
    );
    this.#notify();
    return [...this.#entries(made), ...refused.map(refusedEntry)];
  }

  /** Adds changes to those that wait. @param madeOf the changes to add, of those that are allowed */
  #addValid(
    collected: Collected,
    origin: ChangeOrigin,
    madeOf: (valid: ValidChanges) => readonly MadeChange[],
    review: Pick<Change, 'needsReview'> = {},
  ): Promise<Pick<ValidChanges, 'refused'> & { readonly made: readonly Change[] }> {
    const added = this.#additions.then(async () => {
      const valid = await validateChanges(collected, this.view, this.limits);
      const changes = madeOf(valid).map(({ path, base, content, kind = kindOf(base, content) }) => {
        return { id: this.#deps.newId(), path, kind, base, content, origin, ...review };
      });
      this.#pending = addChanges(this.#pending, changes);
      return { made: changes, refused: valid.refused };
    });
    this.#additions = added.catch(() => undefined);
    return added;
  }

  /**
   * Writes changes one after the other. Changes that cannot be written stay pending, with the reason. Never rejects.
   * @param hasMore whether changes of the same calls are not among them
   */
  write(changes: readonly Change[], hasMore = false): Promise<void> {
    const done = this.#writes.then(() => this.#writeAll(changes, hasMore));
    this.#writes = done;
    return done;
  }

  /** Writes the tool's file over the folder's current one. If that has changed again, the user must decide again. */
  async overwrite(change: Change): Promise<void> {
    if (!this.#pending.includes(change)) return;
    const base = this.#folder.view.files.get(change.path) ?? null;
    const { content } = change;
    const isOfFile = (one: Change): boolean => one.path === change.path && !isFolderChange(one);
    const elsewhere = this.#pending.filter((one) => !isOfFile(one));
    const othersOfFile = this.#pending.filter((one) => isOfFile(one) && one !== change);
    const chosen = { ...change, base, kind: kindOf(base, content) };
    // Only the first change of a file can be written without a decision: see `findConflicts`.
    this.#pending = [...elsewhere, chosen, ...othersOfFile];
    await this.write([chosen]);
  }

  /** Writes the tool's file to another path, if that is free. @returns why it was not possible, or null */
  async saveBeside(change: Change, path: string): Promise<string | null> {
    const { content } = change;
    if (content === null) return 'There is no file to save.';
    const file = { ...content, path };
    const nothingElse = { removed: [], folders: [], foldersGone: [], left: [] };
    const valid = await validateChanges({ ...nothingElse, files: [file] }, this.view, this.limits);
    const [refused] = valid.refused;
    if (refused) return `It cannot be saved as “${path}”: ${refused.reason}.`;
    if (this.view.files.has(path)) return `The file “${path}” already exists.`;
    const beside: Change = {
      ...change,
      id: this.#deps.newId(),
      path,
      kind: 'added',
      base: null,
      content: file,
    };
    this.#pending = [...this.#pending.filter((one) => one !== change), beside];
    await this.write([beside]);
    return null;
  }

  discard(changes: readonly Change[]): void {
    const gone = new Set(changes.map(({ id }) => id));
    this.#pending = this.#pending.filter(({ id }) => !gone.has(id));
    this.#notify();
  }

  dispose(): void {
    this.#folder.dispose();
  }

  async #writeAll(changes: readonly Change[], hasMore: boolean): Promise<void> {
    const isAlone = changes.length === 1 && !hasMore;
    let anyStays = hasMore || changes.some((one) => this.asking.has(one));
    for (const change of sortForWriting(changes)) {
      if (!this.#pending.includes(change)) continue;
      const isRemoval = change.content === null && change.kind !== 'folder-added';
      // The old path of a moved file is not removed while the new one may not be written yet. A removal alone moves
      // nothing: `writeChange` finds out whether it needs a decision.
      if (isRemoval && anyStays && !isAlone) continue;
      const written = await writeChange(change, this.disk, this.#folder);
      if (written !== 'written') anyStays = true;
      const error = typeof written === 'string' ? undefined : written.error;
      this.#pending = this.#pending.flatMap((one) => {
        if (one !== change) return [one];
        const { error: _, ...rest } = one;
        return written === 'written' ? [] : [error === undefined ? rest : { ...rest, error }];
      });
      this.#notify();
    }
  }

  #entries(made: readonly Change[]): WorkspaceEntry[] {
    const asks = this.asking;
    // A change that continues an earlier one is pending with the id of that one, but with its own content. So contents are
    // compared, by identity, and paths where there is no content: of folders and removed files.
    const keyOf = ({ path, kind, content }: Change): unknown => content ?? `${kind} ${path}`;
    const pending = new Map(this.#pending.map((one) => [keyOf(one), one]));
    return made.flatMap((change): WorkspaceEntry[] => {
      const { path, kind } = change;
      const waiting = pending.get(keyOf(change));
      if (waiting === undefined) return [{ path, what: kind, state: 'written' }];
      if (waiting.error !== undefined)
        return [{ path, what: kind, state: 'failed', reason: waiting.error }];
      const why = isFolderChange({ kind }) ? null : runsByItself(path);
      const reason = why === null ? {} : { reason: why };
      return [{ path, what: kind, state: asks.has(waiting) ? 'asks' : 'waiting', ...reason }];
    });
  }

  #notify(): void {
    this.emit(undefined);
  }
}

function refusedEntry({ path, reason }: ValidChanges['refused'][number]): WorkspaceEntry {
  return { path, what: 'changed', state: 'refused', reason };
}

type Written = 'written' | 'asks' | { readonly error: string };

/**
 * Writes a change, and records in `folder` what it finds on disk. Never rejects.
 * @returns `asks` if the file in the folder is no longer the one that the tool had
 */
async function writeChange(
  change: Change,
  disk: WorkspaceDisk,
  folder: FolderOnDisk,
): Promise<Written> {
  const { path, kind, base, content } = change;
  try {
    if (kind === 'folder-added') {
      await disk.makeFolder(path);
      folder.noteFolder(path, 'made');
      return 'written';
    }
    if (kind === 'folder-removed') {
      await disk.removeFolder(path);
      folder.noteFolder(path, 'removed');
      return 'written';
    }
    const now = await disk.read(path);
    if (sameContent(now, content)) {
      folder.note(path, now);
      return 'written';
    }
    // @mutant a newer file on disk is not written over => never
    if (!sameContent(now, base)) {
      folder.note(path, now);
      return 'asks';
    }
    if (content === null) await disk.remove(path);
    folder.note(path, content === null ? null : await disk.write(path, content.bytes));
    return 'written';
  } catch (thrown) {
    return { error: errorMessage(thrown) };
  }
}

/** Describes what happened and what to do about it. */
function errorMessage(thrown: unknown): string {
  const name = thrown instanceof DOMException ? thrown.name : '';
  switch (name) {
    case 'QuotaExceededError':
      return 'The disk or the browser’s storage quota is full. Free up space and write the file again.';
    case 'NotAllowedError':
    case 'SecurityError':
      return 'The browser denied write access. Allow writing, then write the file again.';
    case 'NotFoundError':
      return 'The folder no longer exists. Restore it, or save the file elsewhere.';
    case 'TypeMismatchError':
      return 'A file and a folder have the same name. Rename one on disk, or save the file under another name.';
    case 'NoModificationAllowedError':
    case 'InvalidModificationError':
      return 'Another program or tab is using the file. Close it there and write the file again.';
    default:
      return `${errorText(thrown)} Try again, or save the file elsewhere.`;
  }
}
