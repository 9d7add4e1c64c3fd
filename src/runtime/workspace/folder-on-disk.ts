/** A workspace's folder: the interface that reads and writes it, and its contents. What may have changed is read again on demand. */

import { findKnownFiles, type RereadScope, widen } from '../folder/reread-folder.ts';
import { parentFolders } from '../folder/path-rules.ts';
import { skippedName } from '../folder/file-names.ts';
import { readFolder } from '../folder/read-folder.ts';
import type { FolderSource } from '../folder/source.ts';
import { wait } from '../async/wait.ts';
import type { FolderFile, FolderSnapshot } from '../spec/folder.ts';
import type { Limits } from '../spec/limits.ts';
import type { WorkspaceView } from './changes.ts';
import type { MayAsk } from '../folder/permission.ts';

/** Reads and writes a workspace's folder. */
export interface WorkspaceDisk {
  readonly source: FolderSource;
  /**
   * Whether the folder may be read. With `ask`, may show a permission prompt, which browsers allow
   * only while they handle a click.
   */
  mayRead(may: MayAsk): Promise<boolean>;
  mayWrite(may: MayAsk): Promise<boolean>;
  /** Reads a file as it is now; null if it does not exist. Rejects if it is unreadable or a folder. */
  read(path: string): Promise<FolderFile | null>;
  /** Writes a file completely, or leaves it as it was. Creates its parent folders. */
  write(path: string, bytes: Uint8Array): Promise<FolderFile>;
  remove(path: string): Promise<void>;
  makeFolder(path: string): Promise<void>;
  /** Removes a folder if it is empty. */
  removeFolder(path: string): Promise<void>;
}

/** Milliseconds that contents count as current if the browser does not report changes. */
const freshMs = 1_000;

/** Number of skipped folders that are listed; a project may have one in each of its parts. */
const maxSkipped = 100;

export class FolderOnDisk {
  readonly #source: FolderSource;
  readonly #limits: Limits;
  readonly #now: () => number;
  #snapshot: FolderSnapshot | null = null;
  #files = new Map<string, FolderFile>();
  #folders = new Set<string>();
  /** Created on the next access after a change, because many changes come at once. */
  #view: WorkspaceView | null = null;
  #skipped: readonly string[] = [];
  /** What may have changed since the last reading; null means nothing. */
  #scope: RereadScope | null = 'every';
  /** Stops the browser's reports of changes; null if the browser has none. */
  #observed: Promise<(() => void) | null> | null = null;
  #isObserving = false;
  #readAt = -Infinity;
  /** The reading that is under way. */
  #reading: Promise<void> | null = null;
  readonly #life = new AbortController();

  constructor(source: FolderSource, limits: Limits, now: () => number) {
    this.#source = source;
    this.#now = now;
    this.#limits = {
      ...limits,
      folderBytes: limits.workspaceBytes,
      folderFiles: limits.workspaceFiles,
    };
  }

  /** The folder as last read, including what was written since. */
  get view(): WorkspaceView {
    this.#view ??= { files: new Map(this.#files), folders: new Set(this.#folders) };
    return this.#view;
  }

  /** Messages about files that did not fit or could not be read. */
  get problems(): readonly string[] {
    const problems = this.#snapshot?.problems.filter(({ severity }) => severity !== 'note') ?? [];
    return problems.map(({ message }) => message);
  }

  /** Folders that were not searched, such as `.git`. */
  get skipped(): readonly string[] {
    return this.#skipped;
  }

  get isRead(): boolean {
    return this.#snapshot !== null;
  }

  /** Reads what may have changed; null if nothing can have changed. @throws {ToolError} if the folder cannot be read */
  refresh(signal: AbortSignal, scope?: RereadScope): Promise<void> | null {
    if (scope !== undefined) this.#scope = widen(this.#scope, scope);
    if (!this.#isObserving && this.#now() - this.#readAt > freshMs)
      this.#scope = widen(this.#scope, 'changed');
    if (this.#reading === null && this.#scope === null) return null;
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
    return wait(signal, this.#reading);
  }

  /** Records the new state of a file; null means removed. */
  note(path: string, file: FolderFile | null): void {
    this.#view = null;
    if (file === null) this.#files.delete(path);
    else this.#files.set(path, file);
    if (file !== null) for (const folder of parentFolders(path)) this.#folders.add(folder);
  }

  noteFolder(path: string, what: 'made' | 'removed'): void {
    this.#view = null;
    if (what === 'made')
      for (const folder of [...parentFolders(path), path]) this.#folders.add(folder);
    else this.#folders.delete(path);
  }

  dispose(): void {
    this.#life.abort();
    void this.#observed?.then((stop) => stop?.());
  }

  async #read(): Promise<void> {
    const { signal } = this.#life;
    await this.#observe();
    const scope = this.#scope ?? 'changed';
    this.#scope = null;
    try {
      const skipped: string[] = [];
      const before = this.#snapshot && { ...this.#snapshot, files: [...this.#files.values()] };
      const known = before === null ? undefined : findKnownFiles(before, scope);
      const source = recordingSkipped(this.#source, skipped);
      const ignore = (): void => undefined;
      const read = readFolder(signal, source, this.#limits, ignore, known);
      this.#snapshot = await read;
      this.#skipped = skipped;
      this.#readAt = this.#now();
      this.#files = new Map(this.#snapshot.files.map((file) => [file.path, file]));
      this.#folders = new Set(this.#snapshot.folders);
      this.#view = null;
    } catch (thrown) {
      this.#scope = 'every';
      throw thrown;
    }
  }

  /** Starts to observe before the first reading, so that no change is missed. */
  async #observe(): Promise<void> {
    this.#observed ??= this.#startObserving().catch(() => null);
    const stop = await this.#observed;
    if (this.#life.signal.aborted) stop?.();
    if (stop === null) this.#isObserving = false;
  }

  /** @returns a function that stops observing; null if the browser does not report changes */
  async #startObserving(): Promise<(() => void) | null> {
    // Set only here: the observer can report its end at any time from now on, and the folder is not observed again.
    this.#isObserving = true;
    const stop = await this.#source.observe?.((notice) => {
      if (notice === 'ended') this.#isObserving = false;
      // While writing, browsers use a temporary file with an additional extension.
      const realPath = (path: string): string => path.replace(/\.crswap$/i, '');
      const scope = typeof notice === 'string' ? 'changed' : new Set(notice.map(realPath));
      this.#scope = widen(this.#scope, scope);
    });
    return stop ?? null;
  }
}

function recordingSkipped(source: FolderSource, skipped: string[]): FolderSource {
  return {
    ...source,
    entries: (signal, walk) =>
      source.entries(signal, {
        ...walk,
        enter(path) {
          const isSkipped = skippedName(path.slice(path.lastIndexOf('/') + 1)) !== undefined;
          if (isSkipped && skipped.length < maxSkipped) skipped.push(path);
          return walk.enter(path);
        },
        unlisted: (path, error) => walk.unlisted(path, error),
      }),
  };
}
