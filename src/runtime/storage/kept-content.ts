/** Stores large contents by id: in the browser's private file system, or in IndexedDB if pages cannot write to that. */

import { ignoreMissing, isMissing, writeFile, type Piece } from '../folder/file-handles.ts';
import type { Database, StoredContent } from './db.ts';

export interface KeptContents<Manifest> {
  /** Resolves when everything is stored. If it rejects, nothing is stored that {@link read} would return. */
  write(id: string, manifest: Manifest, pieces: Iterable<Piece>): Promise<void>;
  read(id: string): Promise<StoredContent | null>;
  remove(id: string): Promise<void>;
  ids(): Promise<readonly string[]>;
}

export interface Place {
  /** Nested folders from the root of the private file system. */
  readonly folders: readonly string[];
  readonly store: 'copies' | 'snapshots' | 'wheels';
}

const encoder = new TextEncoder();

const contentFile = 'content';
const manifestFile = 'manifest.json';

/** @param storage `navigator.storage`; undefined if the page is not a secure context */
export function openContents<Manifest>(
  storage: Pick<StorageManager, 'getDirectory'> | undefined,
  { folders, store }: Place,
  database: () => Promise<Database>,
): KeptContents<Manifest> {
  const inDatabase = databaseContents<Manifest>(store, database);
  if (!canWriteFiles() || typeof storage?.getDirectory !== 'function') return inDatabase;
  const inFiles = fileContents<Manifest>(async (create) => {
    let folder = await storage.getDirectory();
    const options = { create: create === 'create' };
    for (const name of folders) folder = await folder.getDirectoryHandle(name, options);
    return folder;
  });
  return {
    ...inFiles,
    // Private windows of Firefox have these functions, but reject every use.
    write: async (id, manifest, pieces) => {
      const refused = await storage.getDirectory().then(
        () => false,
        () => true,
      );
      await (refused ? inDatabase : inFiles).write(id, manifest, pieces);
    },
    read: async (id) => (await inFiles.read(id).catch(() => null)) ?? inDatabase.read(id),
    remove: async (id) => {
      await inFiles.remove(id).catch(() => undefined);
      await inDatabase.remove(id);
    },
    ids: async () => [...(await inFiles.ids().catch(() => [])), ...(await inDatabase.ids())],
  };
}

/** Returns whether pages can write private files, which they cannot in older versions of Safari. */
export function canWriteFiles(): boolean {
  const handle: unknown = Reflect.get(globalThis, 'FileSystemFileHandle');
  return typeof handle === 'function' && 'createWritable' in Object(handle.prototype);
}

type Folder = (create?: 'create') => Promise<FileSystemDirectoryHandle>;

/**
 * Keeps each content in a subfolder. The manifest is written last; a subfolder without one is
 * ignored.
 */
function fileContents<Manifest>(folder: Folder): KeptContents<Manifest> {
  return {
    async write(id, manifest, pieces) {
      const all = await folder('create');
      const copy = await all.getDirectoryHandle(id, { create: true });
      try {
        await writeFile(await copy.getFileHandle(contentFile, { create: true }), pieces);
        const file = await copy.getFileHandle(manifestFile, { create: true });
        await writeFile(file, [encoder.encode(JSON.stringify(manifest))]);
      } catch (thrown) {
        await all.removeEntry(id, { recursive: true }).catch(() => undefined);
        throw thrown;
      }
    },
    async read(id) {
      try {
        const copy = await (await folder()).getDirectoryHandle(id);
        const text = await (await fileOf(copy, manifestFile)).text();
        return { manifest: JSON.parse(text) as unknown, content: await fileOf(copy, contentFile) };
      } catch (thrown) {
        if (isMissing(thrown) || thrown instanceof SyntaxError) return null;
        throw thrown;
      }
    },
    async remove(id) {
      await ignoreMissing(async () => (await folder()).removeEntry(id, { recursive: true }));
    },
    async ids() {
      const found: string[] = [];
      await ignoreMissing(async () => {
        for await (const name of (await folder()).keys()) found.push(name);
      });
      return found;
    },
  };
}

function databaseContents<Manifest>(
  store: Place['store'],
  database: () => Promise<Database>,
): KeptContents<Manifest> {
  return {
    async write(id, manifest, pieces) {
      const parts = Array.from(pieces, (piece) => new Blob([piece]));
      const content = await new Blob(parts).arrayBuffer();
      await (await database()).put(store, { manifest, content }, id);
    },
    read: async (id) => {
      const stored = await (await database()).get(store, id);
      return stored === undefined ? null : { ...stored, content: blobOf(stored.content) };
    },
    remove: async (id) => (await database()).delete(store, id),
    ids: async () => (await database()).getAllKeys(store),
  };
}

/** A damaged entry is its reader's to refuse. */
function blobOf(content: ArrayBuffer | Blob): Blob {
  return content instanceof ArrayBuffer ? new Blob([content]) : content;
}

async function fileOf(folder: FileSystemDirectoryHandle, name: string): Promise<File> {
  return (await folder.getFileHandle(name)).getFile();
}
