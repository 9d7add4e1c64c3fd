/** Copies of folders: in the browser's private file system, or in IndexedDB where that cannot be written from a page. */

import type { CopyStore, Piece } from '../folder/folder-copy.ts';
import type { Database } from './db.ts';

const encoder = new TextEncoder();

const contentFile = 'content';
const manifestFile = 'manifest.json';

/** @param storage `navigator.storage`, absent where the page is not secure */
export function openCopyStore(
  storage: Pick<StorageManager, 'getDirectory'> | undefined,
  basePath: string,
  database: () => Promise<Database>,
): CopyStore {
  const inDatabase = databaseCopies(database);
  if (!canWriteFiles() || typeof storage?.getDirectory !== 'function') return inDatabase;
  const inFiles = fileCopies(async (create) => {
    const root = await storage.getDirectory();
    // One for each base path of the origin, as the database is.
    const ours = await root.getDirectoryHandle('cloche', { create });
    return ours.getDirectoryHandle(encodeURIComponent(basePath), { create });
  });
  return {
    ...inFiles,
    // A private window of Firefox has the functions and refuses their use.
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

/** Safari had private files for years before a page could write them. */
function canWriteFiles(): boolean {
  const handle: unknown = Reflect.get(globalThis, 'FileSystemFileHandle');
  return typeof handle === 'function' && 'createWritable' in Object(handle.prototype);
}

type Folder = (create: boolean) => Promise<FileSystemDirectoryHandle>;

/** One sub-folder for each copy. Its manifest is written last: without one it is no copy. */
function fileCopies(folder: Folder): CopyStore {
  return {
    async write(id, manifest, pieces) {
      const all = await folder(true);
      const copy = await all.getDirectoryHandle(id, { create: true });
      try {
        await writeFile(copy, contentFile, pieces);
        await writeFile(copy, manifestFile, [encoder.encode(JSON.stringify(manifest))]);
      } catch (thrown) {
        await all.removeEntry(id, { recursive: true }).catch(() => undefined);
        throw thrown;
      }
    },
    async read(id) {
      try {
        const copy = await (await folder(false)).getDirectoryHandle(id);
        const text = await (await fileOf(copy, manifestFile)).text();
        return { manifest: JSON.parse(text) as unknown, content: await fileOf(copy, contentFile) };
      } catch (thrown) {
        if (isNotThere(thrown) || thrown instanceof SyntaxError) return null;
        throw thrown;
      }
    },
    async remove(id) {
      await unlessMissing(async () => (await folder(false)).removeEntry(id, { recursive: true }));
    },
    async ids() {
      const found: string[] = [];
      await unlessMissing(async () => {
        for await (const name of (await folder(false)).keys()) found.push(name);
      });
      return found;
    },
  };
}

function databaseCopies(database: () => Promise<Database>): CopyStore {
  return {
    async write(id, manifest, pieces) {
      const parts = Array.from(pieces, (piece) => new Blob([piece]));
      await (await database()).put('copies', { manifest, content: new Blob(parts) }, id);
    },
    read: async (id) => (await (await database()).get('copies', id)) ?? null,
    remove: async (id) => (await database()).delete('copies', id),
    ids: async () => (await database()).getAllKeys('copies'),
  };
}

async function writeFile(
  folder: FileSystemDirectoryHandle,
  name: string,
  pieces: Iterable<Piece>,
): Promise<void> {
  const file = await folder.getFileHandle(name, { create: true });
  const writable = await file.createWritable();
  try {
    for (const piece of pieces) await writable.write(piece);
    // Only now is the file what was written.
    await writable.close();
  } catch (thrown) {
    await writable.abort().catch(() => undefined);
    throw thrown;
  }
}

async function fileOf(folder: FileSystemDirectoryHandle, name: string): Promise<File> {
  return (await folder.getFileHandle(name)).getFile();
}

async function unlessMissing(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (!isNotThere(thrown)) throw thrown;
  }
}

function isNotThere(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'NotFoundError';
}
