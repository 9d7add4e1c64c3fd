/** The folders that were opened in this browser. One of them is open; the last one is reopened at the next visit. */

import { errorText, ToolError } from '../spec/error.ts';
import type { FolderSnapshot } from '../spec/folder.ts';
import type { Limits } from '../spec/limits.ts';
import { copySource, manifestDigest, manifestOf, piecesOf } from './folder-copy.ts';
import type { KnownFolder, LastFolder } from './known-folder.ts';
import { KnownList, type KnownFoldersState, type KnownListDeps } from './known-folder-list.ts';
import type { MayAsk } from './permission.ts';
import type { FolderSource } from './source.ts';

export interface KnownFoldersDeps extends KnownListDeps {
  /** Maps each source of a known folder to the folder's id. Filled here. */
  readonly ids: WeakMap<FolderSource, string>;
  readonly last: LastFolder;
  readonly limits: Pick<Limits, 'knownFolders'>;
  fromHandle(handle: FileSystemDirectoryHandle): FolderSource;
  samples(): FolderSource;
  /** The user's own folders in the browser's private file system, by the ids of known folders. */
  readonly own: {
    open(id: string, name: string): Promise<FolderSource>;
    remove(id: string): Promise<void>;
  };
  /** Whether a folder may be read. If `ask` is true, asks the user where necessary. */
  readonly mayRead: (handle: FileSystemDirectoryHandle, may: MayAsk) => Promise<boolean>;
  /** Runs the work while no other tab runs such work. */
  alone(work: () => Promise<void>): Promise<void>;
  /** Yields to the page if it has been blocked for long. */
  readonly turn: () => Promise<void>;
  readonly now: () => number;
  readonly newId: () => string;
}

export class KnownFolders {
  readonly #deps: KnownFoldersDeps;
  readonly #list: KnownList;
  readonly #ids: WeakMap<FolderSource, string>;
  /** Folders that were removed from the list while they were open. */
  readonly #forgotten = new WeakSet<FolderSource>();
  #open: FolderSource | null = null;
  #remembering: Promise<void> = Promise.resolve();
  #copying: Promise<void> = Promise.resolve();

  constructor(deps: KnownFoldersDeps) {
    this.#deps = deps;
    this.#ids = deps.ids;
    this.#list = new KnownList(deps);
  }

  get state(): KnownFoldersState {
    return this.#list.state;
  }

  observe(listener: (state: KnownFoldersState) => void): () => void {
    return this.#list.observe(listener);
  }

  async load(): Promise<void> {
    await this.#list.load();
  }

  /** Returns the folder to reopen, or null. A folder that needs permission becomes `waiting`. */
  async reopen(): Promise<FolderSource | null> {
    const { last, mayRead } = this.#deps;
    const folder = this.#list.find(last.get());
    if (folder === undefined) return null;
    const allowed = folder.handle === null || (await mayRead(folder.handle, { ask: false }));
    // Do not reopen a folder automatically if it has crashed the page before.
    if (allowed && last.attempt()) return this.#openKnown(folder);
    this.#list.change({ waiting: folder });
    return null;
  }

  /**
   * Returns the source of a known folder. May show a permission prompt, so call it while a click is handled.
   * @throws {ToolError} if the folder is no longer available
   */
  async open(id: string): Promise<FolderSource> {
    // Another tab may have stored another copy meanwhile.
    await this.#list.load();
    const folder = this.#list.find(id);
    if (folder === undefined) throw goneError('This folder is no longer in the list.');
    return this.#openKnown(folder);
  }

  /**
   * Creates a folder of the user's own, which is listed from now on.
   * @throws {ToolError} if the browser cannot store it
   */
  async create(name: string): Promise<FolderSource> {
    const { own, newId, now } = this.#deps;
    const id = newId();
    const source = await own.open(id, name);
    this.#ids.set(source, id);
    const empty = { files: 0, bytes: 0, handle: null, copy: null };
    await this.#list.put({ id, name, kind: 'own', openedAt: now(), ...empty });
    return source;
  }

  /** Treats `source` as a new version of the open folder, whose copy it replaces. */
  replacesOpen(source: FolderSource): void {
    const id = this.#open === null ? undefined : this.#ids.get(this.#open);
    // A different name means a different folder, whose copy must not overwrite this one.
    if (id === undefined || this.#open?.name !== source.name || this.#open.kind !== source.kind)
      return;
    this.#ids.set(source, id);
  }

  /** Whether the open folder's files can be read now. Asks the user where necessary. */
  async permit(): Promise<boolean> {
    const handle = this.#open?.handle;
    return handle === undefined || this.#deps.mayRead(handle, { ask: true });
  }

  /** Records that a folder has been opened and read. */
  remember(source: FolderSource, snapshot: FolderSnapshot): Promise<void> {
    this.#open = source;
    // The folder is shown as open at once, so that nothing is stored for the previous one. Its id
    // is null unless it was opened by that id.
    this.#showOpen(source, this.#forgotten.has(source) ? null : (this.#ids.get(source) ?? null));
    this.#remembering = this.#runAfter(this.#remembering, () => this.#remember(source, snapshot));
    return this.#remembering;
  }

  /** Resolves when the most recently opened folder has been recorded. Never rejects. */
  remembered(): Promise<void> {
    return this.#remembering;
  }

  /** Stores a copy of an open folder that cannot be read again. */
  storeCopy(source: FolderSource, snapshot: FolderSnapshot): Promise<void> {
    const needsCopy = source.kind === 'upload' || source.kind === 'zip';
    if (!needsCopy || source.copiedAt !== undefined) return Promise.resolve();
    this.#copying = this.#runAfter(this.#copying, async () => {
      await this.#remembering;
      await this.#deps.alone(() => this.#copy(source, snapshot));
    });
    return this.#copying;
  }

  /** Records that opening has ended, successfully or not. */
  openingEnded(): void {
    this.#deps.last.settled();
  }

  /** Records that no folder is open, so that the next visit starts without one. */
  closed(): void {
    this.#open = null;
    this.#deps.last.set(null);
    this.#list.change({ current: null, copiedAt: null, waiting: null });
  }

  /**
   * Removes a folder and its copy from the list. A folder of the user's own is deleted; files on disk are not changed.
   * @throws if deleting fails; the folder then stays in the list
   */
  async remove(id: string): Promise<void> {
    const { last, own } = this.#deps;
    // Deletes first: if that fails, the files can still be reached through the list.
    if (this.#list.find(id)?.kind === 'own') await own.remove(id);
    if (this.#open !== null && this.#ids.get(this.#open) === id) this.#forgotten.add(this.#open);
    if (last.get() === id) last.set(null);
    await this.#list.remove(id);
  }

  /** Shows a notice about known folders to the user. */
  showNotice(notice: string): void {
    this.#list.change({ notice });
  }

  dismissNotice(): void {
    this.#list.change({ notice: null });
  }

  async #openKnown(folder: KnownFolder): Promise<FolderSource> {
    const source = await this.#sourceOf(folder);
    this.#ids.set(source, folder.id);
    return source;
  }

  async #sourceOf(folder: KnownFolder): Promise<FolderSource> {
    const { name, kind, handle, copy } = folder;
    if (kind === 'samples') return this.#deps.samples();
    if (kind === 'own') return this.#deps.own.open(folder.id, name);
    if (handle !== null) {
      if (await this.#deps.mayRead(handle, { ask: true })) return this.#deps.fromHandle(handle);
      throw new ToolError(
        'not-supported',
        `The browser denied access to “${name}”.`,
        'Choose it again and allow access, or use “Open folder”.',
      );
    }
    const stored = copy === null ? null : await this.#deps.copies.read(copy.id).catch(() => null);
    const source =
      stored && copy && copySource({ name, kind, copiedAt: copy.at }, stored, this.#deps.turn);
    if (source) return source;
    throw goneError(`This browser has no complete copy of “${name}”.`);
  }

  async #remember(source: FolderSource, snapshot: FolderSnapshot): Promise<void> {
    if (this.#forgotten.has(source)) return;
    const { now, newId, last, limits } = this.#deps;
    // Do not overwrite what another tab has recorded meanwhile.
    await this.#list.load();
    const known = this.#list.find(this.#ids.get(source)) ?? (await this.#findSame(source));
    const id = known?.id ?? this.#ids.get(source) ?? newId();
    this.#ids.set(source, id);
    if (this.#open === source) {
      last.set(id);
      this.#showOpen(source, id);
    }
    await this.#list.put({
      id,
      name: source.name,
      kind: source.kind,
      openedAt: now(),
      files: snapshot.files.length,
      bytes: snapshot.files.reduce((sum, { size }) => sum + size, 0),
      // A folder of the user's own is opened by its id.
      handle: source.kind === 'own' ? null : (source.handle ?? null),
      copy: known?.copy ?? null,
    });
    // Folders of the user's own stay in the list, because their files are nowhere else.
    for (const old of this.state.folders.slice(limits.knownFolders))
      // @mutant editing: a folder of one’s own is never removed to make room => without if (old.kind !== 'own')
      if (old.kind !== 'own') await this.#list.remove(old.id);
  }

  #showOpen({ copiedAt }: FolderSource, current: string | null): void {
    this.#list.change({ current, copiedAt: copiedAt ?? null, waiting: null });
  }

  /** Returns the known folder that is the same, if that can be determined. */
  async #findSame(source: FolderSource): Promise<KnownFolder | undefined> {
    const { folders } = this.state;
    if (source.kind === 'samples') return folders.find(({ kind }) => kind === 'samples');
    if (source.handle === undefined || source.kind === 'own') return undefined;
    for (const folder of folders) {
      // A handle whose folder no longer exists may reject. Then it is not the same folder.
      const same = await folder.handle?.isSameEntry(source.handle).catch(() => false);
      if (same === true) return folder;
    }
    return undefined;
  }

  async #copy(source: FolderSource, { files }: FolderSnapshot): Promise<void> {
    const { copies, now, newId } = this.#deps;
    try {
      const manifest = await manifestOf(files);
      const digest = await manifestDigest(manifest);
      // Another tab may have removed the folder, or stored the same files.
      const isWholeList = await this.#list.load();
      const before = this.#list.find(this.#ids.get(source));
      if (before === undefined) return;
      const twin = this.state.folders.find(
        ({ kind, name, copy }) =>
          kind === source.kind && name === source.name && copy?.digest === digest,
      );
      const copy = { id: twin?.copy?.id ?? newId(), at: now(), digest };
      if (twin === undefined) await copies.write(copy.id, manifest, piecesOf(files));
      // The folder may have been removed or opened again while its copy was written.
      const folder = this.#list.find(before.id);
      if (folder !== undefined)
        await this.#list.put({ ...folder, id: twin?.id ?? folder.id, copy });
      if (twin !== undefined && twin.id !== before.id)
        await this.#mergeInto(source, before.id, twin.id);
      if (isWholeList) await this.#list.sweep();
    } catch (thrown) {
      this.#list.change({ notice: noCopy(source.name, thrown) });
    }
  }

  /** Replaces a folder by another one with the same files. */
  async #mergeInto(source: FolderSource, from: string, to: string): Promise<void> {
    this.#ids.set(source, to);
    if (this.state.current === from) {
      this.#deps.last.set(to);
      this.#list.change({ current: to });
    }
    await this.#list.remove(from);
  }

  #runAfter(before: Promise<void>, work: () => Promise<void>): Promise<void> {
    return before.then(work).catch((thrown: unknown) => this.#deps.report(thrown));
  }
}

function goneError(message: string): ToolError {
  return new ToolError('not-found', message, 'Choose the folder or zip file again.');
}

function noCopy(name: string, thrown: unknown): string {
  const full = thrown instanceof DOMException && thrown.name === 'QuotaExceededError';
  const why = full ? 'the browser’s storage is full' : errorText(thrown);
  return `Could not store a copy of “${name}”: ${why}. It stays open here. On your next visit, choose it again.`;
}
