/** The folders that were opened here: several are known, one is open, the last one is reopened at the next visit. */

import { errorText, ToolError } from '../spec/error.ts';
import type { FolderSnapshot } from '../spec/folder.ts';
import type { Limits } from '../spec/limits.ts';
import { copySource, manifestDigest, manifestOf, piecesOf } from './folder-copy.ts';
import type { KnownFolder, LastFolder } from './known-folder.ts';
import { KnownList, type KnownFoldersState, type KnownListDeps } from './known-list.ts';
import type { FolderSource } from './source.ts';

export interface KnownFoldersDeps extends KnownListDeps {
  /** Takes the id of each source whose folder is known. */
  readonly ids: WeakMap<FolderSource, string>;
  readonly last: LastFolder;
  readonly limits: Pick<Limits, 'knownFolders'>;
  fromHandle(handle: FileSystemDirectoryHandle): FolderSource;
  samples(): FolderSource;
  /** Whether a folder may be read; asks the person where `ask` is set and it has to. */
  readonly mayRead: (handle: FileSystemDirectoryHandle, ask: boolean) => Promise<boolean>;
  /** Does the work while no other tab does such work. */
  alone(work: () => Promise<void>): Promise<void>;
  /** Gives the page its turn where that is due. */
  readonly turn: () => Promise<void>;
  readonly now: () => number;
  readonly newId: () => string;
}

export class KnownFolders {
  readonly #deps: KnownFoldersDeps;
  readonly #list: KnownList;
  readonly #ids: WeakMap<FolderSource, string>;
  /** Removed from the list while they were open. */
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

  /** The folder to begin with, where it can be had without asking; else it is `waiting`. */
  async reopen(): Promise<FolderSource | null> {
    const { last, mayRead } = this.#deps;
    const folder = this.#list.find(last.get());
    if (folder === undefined) return null;
    const allowed = folder.handle === null || (await mayRead(folder.handle, false));
    // One that has taken the page with it before is not opened unasked.
    if (allowed && last.attempt()) return this.#openKnown(folder);
    this.#list.change({ waiting: folder });
    return null;
  }

  /**
   * A known folder, to be opened. May ask the person, so call it while a click is handled.
   * @throws {ToolError} where it cannot be had any more
   */
  async open(id: string): Promise<FolderSource> {
    // Another tab may have kept another copy since.
    await this.#list.load();
    const folder = this.#list.find(id);
    if (folder === undefined) throw gone('This folder is no longer in the list.');
    return this.#openKnown(folder);
  }

  /** `source` was chosen anew in place of the open folder, whose copy it replaces. */
  replacesOpen(source: FolderSource): void {
    const id = this.#open === null ? undefined : this.#ids.get(this.#open);
    // One of another name is another folder: the copy of this one is not to be lost.
    if (id === undefined || this.#open?.name !== source.name || this.#open.kind !== source.kind)
      return;
    this.#ids.set(source, id);
  }

  /** Whether the files of the open folder can be read now; asks where it has to. */
  async permit(): Promise<boolean> {
    const handle = this.#open?.handle;
    return handle === undefined || this.#deps.mayRead(handle, true);
  }

  /** A folder was opened and read. */
  remember(source: FolderSource, snapshot: FolderSnapshot): Promise<void> {
    this.#open = source;
    this.#remembering = this.#after(this.#remembering, () => this.#remember(source, snapshot));
    return this.#remembering;
  }

  /** Resolves when what was opened last is known. Never rejects. */
  remembered(): Promise<void> {
    return this.#remembering;
  }

  /** Keeps a copy of an open folder that cannot be read again. */
  keep(source: FolderSource, snapshot: FolderSnapshot): Promise<void> {
    const needsCopy = source.kind === 'upload' || source.kind === 'zip';
    if (!needsCopy || source.copiedAt !== undefined) return Promise.resolve();
    this.#copying = this.#after(this.#copying, async () => {
      await this.#remembering;
      await this.#deps.alone(() => this.#copy(source, snapshot));
    });
    return this.#copying;
  }

  /** Opening has come to an end, good or bad. */
  settled(): void {
    this.#deps.last.settled();
  }

  /** No folder is open any more: the next visit begins without one. */
  closed(): void {
    this.#open = null;
    this.#deps.last.set(null);
    this.#list.change({ current: null, copiedAt: null, waiting: null });
  }

  /** Takes a folder off the list, with its copy. Files on disk stay as they are. */
  async remove(id: string): Promise<void> {
    const { last } = this.#deps;
    if (this.#open !== null && this.#ids.get(this.#open) === id) this.#forgotten.add(this.#open);
    if (last.get() === id) last.set(null);
    await this.#list.remove(id);
  }

  /** Something about known folders that a person should hear. */
  tell(notice: string): void {
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
    if (handle !== null) {
      if (await this.#deps.mayRead(handle, true)) return this.#deps.fromHandle(handle);
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
    throw gone(`This browser has no complete copy of “${name}”.`);
  }

  async #remember(source: FolderSource, snapshot: FolderSnapshot): Promise<void> {
    if (this.#forgotten.has(source)) return;
    const { now, newId, last, limits } = this.#deps;
    // What another tab has noted of the folder since is not to be set back.
    await this.#list.load();
    const known = this.#list.find(this.#ids.get(source)) ?? (await this.#same(source));
    const id = known?.id ?? this.#ids.get(source) ?? newId();
    this.#ids.set(source, id);
    if (this.#open === source) {
      last.set(id);
      this.#list.change({ current: id, copiedAt: source.copiedAt ?? null, waiting: null });
    }
    await this.#list.put({
      id,
      name: source.name,
      kind: source.kind,
      openedAt: now(),
      files: snapshot.files.length,
      bytes: snapshot.files.reduce((sum, { size }) => sum + size, 0),
      handle: source.handle ?? null,
      copy: known?.copy ?? null,
    });
    for (const old of this.state.folders.slice(limits.knownFolders))
      await this.#list.remove(old.id);
  }

  /** The known folder that this is, as far as that can be told. */
  async #same(source: FolderSource): Promise<KnownFolder | undefined> {
    const { folders } = this.state;
    if (source.kind === 'samples') return folders.find(({ kind }) => kind === 'samples');
    if (source.handle === undefined) return undefined;
    for (const folder of folders) {
      // A handle whose folder is gone may reject: it is then not this one.
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
      // Another tab may have removed the folder, or kept the same files.
      const isWholeList = await this.#list.load();
      const before = this.#list.find(this.#ids.get(source));
      if (before === undefined) return;
      const twin = this.state.folders.find(
        ({ kind, name, copy }) =>
          kind === source.kind && name === source.name && copy?.digest === digest,
      );
      const copy = { id: twin?.copy?.id ?? newId(), at: now(), digest };
      if (twin === undefined) await copies.write(copy.id, manifest, piecesOf(files));
      // It may have been removed, or opened again, while the copy was written.
      const folder = this.#list.find(before.id);
      if (folder !== undefined)
        await this.#list.put({ ...folder, id: twin?.id ?? folder.id, copy });
      if (twin !== undefined && twin.id !== before.id)
        await this.#become(source, before.id, twin.id);
      if (isWholeList) await this.#list.sweep();
    } catch (thrown) {
      this.#list.change({ notice: noCopy(source.name, thrown) });
    }
  }

  /** The same files were known before: one of the two is enough. */
  async #become(source: FolderSource, from: string, to: string): Promise<void> {
    this.#ids.set(source, to);
    if (this.state.current === from) {
      this.#deps.last.set(to);
      this.#list.change({ current: to });
    }
    await this.#list.remove(from);
  }

  #after(before: Promise<void>, work: () => Promise<void>): Promise<void> {
    return before.then(work).catch((thrown: unknown) => {
      this.#deps.report(thrown);
    });
  }
}

function gone(message: string): ToolError {
  return new ToolError('not-found', message, 'Choose the folder or zip file again.');
}

function noCopy(name: string, thrown: unknown): string {
  const full = thrown instanceof DOMException && thrown.name === 'QuotaExceededError';
  const why = full ? 'the browser’s storage is full' : errorText(thrown);
  return `Could not store a copy of “${name}”: ${why}. It stays open here. On your next visit, choose it again.`;
}
