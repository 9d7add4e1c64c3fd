/** Stores one snapshot of Python's memory across visits, and returns it only if it is complete. Its hash is checked later. */

import { asFields } from '../spec/guards.ts';
import { maxSnapshotBytes, type MemorySnapshot, type SnapshotStore } from '../spec/interpreter.ts';
import type { Database, StoredContent } from './db.ts';
import { openContents } from './kept-content.ts';

interface Manifest {
  readonly version: 1;
  readonly key: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The id of the only snapshot. */
const id = 'python';

/** @param storage `navigator.storage`; undefined if the page is not a secure context */
export function openSnapshotStore(
  storage: Pick<StorageManager, 'getDirectory'> | undefined,
  basePath: string,
  database: () => Promise<Database>,
): SnapshotStore {
  const folders = ['cloche-snapshots', encodeURIComponent(basePath)];
  const kept = openContents<Manifest>(storage, { folders, store: 'snapshots' }, database);
  return {
    read: async () => {
      const stored = await kept.read(id);
      return stored && snapshotOf(stored);
    },
    write: async ({ key, content, sha256 }) => {
      // Remove the old snapshot first: there may not be room for two.
      await kept.remove(id);
      await kept.write(id, { version: 1, key, bytes: content.size, sha256 }, [content]);
    },
    clear: () => kept.remove(id),
    bytes: async () => (await kept.read(id))?.content.size ?? 0,
  };
}

/** Returns null if the content is truncated or was not written by this app. */
function snapshotOf({ manifest, content }: StoredContent): MemorySnapshot | null {
  const { version, key, bytes, sha256 } = asFields(manifest);
  if (version !== 1 || typeof key !== 'string' || typeof sha256 !== 'string') return null;
  if (!(content instanceof Blob) || content.size !== bytes || content.size > maxSnapshotBytes)
    return null;
  return { key, content, sha256 };
}
