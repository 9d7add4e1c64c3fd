/** Fakes of what known folders depend on. */

import type { FolderSnapshot } from '../spec/folder.ts';
import { defaultLimits } from '../spec/limits.ts';
import type { CopyManifest, CopyStore, StoredCopy } from './folder-copy.ts';
import type { FolderStore, KnownFolder, LastFolder } from './known-folder.ts';
import { KnownFolders, type KnownFoldersDeps } from './known-folders.ts';
import { readFolder } from './read-folder.ts';
import type { FolderSource } from './source.ts';
import { fakeSource } from './source.fixture.ts';

/** Storage that outlives a visit. */
export class FakeBrowser {
  readonly folders = new Map<string, KnownFolder>();
  readonly copies = new Map<string, StoredCopy>();
  /** Ids of the folders in the private file system. */
  readonly own = new Set<string>();
  /** The error of storing folders, while set. */
  storeFails: Error | null = null;
  copiesFail: Error | null = null;
  readable = true;
  /** The user's answer to a permission prompt. */
  answer = true;
  asked = 0;
  attempts = 0;
  lastId: string | null = null;
  #ids = 0;
  #clock = 1_000;

  /** Starts a new visit, with the list loaded. */
  async visit(change: Partial<KnownFoldersDeps> = {}): Promise<KnownFolders> {
    const known = new KnownFolders({ ...this.#deps(), ...change });
    await known.load();
    return known;
  }

  readonly ids = new WeakMap<FolderSource, string>();

  get last(): LastFolder {
    return {
      get: () => this.lastId,
      set: (id) => {
        this.lastId = id;
      },
      attempt: () => (this.attempts += 1) <= 2,
      settled: () => {
        this.attempts = 0;
      },
    };
  }

  #deps(): KnownFoldersDeps {
    return {
      store: this.#store(),
      copies: this.#copyStore(),
      ids: this.ids,
      last: this.last,
      limits: { knownFolders: 3 },
      fromHandle: (handle) => fakeSource({}, { name: handle.name, kind: 'directory', handle }),
      samples: () => fakeSource({}, { name: 'samples', kind: 'samples' }),
      own: {
        open: (id, name) => {
          this.own.add(id);
          return Promise.resolve(fakeSource({}, { name, kind: 'own' }));
        },
        remove: (id) => Promise.resolve(void this.own.delete(id)),
      },
      mayRead: (_handle, { ask }) => {
        if (this.readable || !ask) return Promise.resolve(this.readable);
        this.asked += 1;
        return Promise.resolve(this.answer);
      },
      alone: (work) => work(),
      turn: () => Promise.resolve(),
      now: () => (this.#clock += 1),
      newId: () => `id-${(this.#ids += 1)}`,
      report: (thrown) => {
        throw thrown;
      },
    };
  }

  #store(): FolderStore {
    const guarded = async <T>(work: () => T): Promise<T> => {
      await Promise.resolve();
      if (this.storeFails) throw this.storeFails;
      return work();
    };
    return {
      all: () => guarded(() => [...this.folders.values()]),
      put: (folder) => guarded(() => void this.folders.set(folder.id, folder)),
      remove: (id) => guarded(() => void this.folders.delete(id)),
    };
  }

  #copyStore(): CopyStore {
    return {
      write: async (id: string, manifest: CopyManifest, pieces) => {
        await Promise.resolve();
        const deps = [...pieces];
        if (this.copiesFail) throw this.copiesFail;
        this.copies.set(id, { manifest, content: new Blob(deps) });
      },
      read: (id) => Promise.resolve(this.copies.get(id) ?? null),
      remove: (id) => Promise.resolve(void this.copies.delete(id)),
      ids: () => Promise.resolve([...this.copies.keys()]),
    };
  }
}

/** Returns a handle for the folder on disk called `place`. */
function fakeHandle(place: string): FileSystemDirectoryHandle {
  const handle = {
    name: place,
    place,
    isSameEntry: (other: { place: string }) => Promise.resolve(other.place === place),
  };
  return handle as unknown as FileSystemDirectoryHandle;
}

export function onDisk(place: string): FolderSource {
  return fakeSource({}, { name: place, kind: 'directory', handle: fakeHandle(place) });
}

export function fakeSnapshot(files: Readonly<Record<string, string>>): FolderSnapshot {
  return {
    id: 'snapshot',
    name: 'folder',
    problems: [],
    folders: [],
    files: Object.entries(files).map(([path, text]) => {
      const bytes = new TextEncoder().encode(text);
      return { path, bytes, size: bytes.byteLength, modifiedAt: 7 };
    }),
  };
}

/** The default files of an upload. */
export const files: Readonly<Record<string, string>> = {
  'a.py': 'a',
  'data/b.bin': 'b'.repeat(1_500_000),
};

export const upload = (name = 'tools'): FolderSource => fakeSource({}, { name });

/** Opens a folder as the app does: it is remembered, and a copy is stored. */
export async function open(
  known: KnownFolders,
  source: FolderSource,
  content: Readonly<Record<string, string>> = files,
): Promise<void> {
  await known.remember(source, fakeSnapshot(content));
  await known.storeCopy(source, fakeSnapshot(content));
}

/** Returns path, size and time of every file, and the messages of all problems. */
export async function contents(source: FolderSource): Promise<unknown[]> {
  const { signal } = new AbortController();
  const { files: read, problems } = await readFolder(
    signal,
    source,
    defaultLimits,
    () => undefined,
  );
  return [
    ...read.map(({ path, bytes, modifiedAt }) => [path, bytes.byteLength, modifiedAt]),
    ...problems.map(({ message }) => message),
  ];
}

export const names = ({ state }: KnownFolders): string[] => state.folders.map(({ name }) => name);
