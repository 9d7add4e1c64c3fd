/** Observes changes of a folder on disk through Chromium's FileSystemObserver. */

import type { ChangeNotice } from './source.ts';

// TypeScript's DOM library lacks this type, because only Chromium has it.
interface ObserverRecord {
  /** Null if the file or folder is gone. */
  readonly changedHandle: FileSystemHandle | null;
  readonly type: 'appeared' | 'disappeared' | 'modified' | 'moved' | 'unknown' | 'errored';
  readonly relativePathComponents: readonly string[];
  readonly relativePathMovedFrom: readonly string[] | null;
}

interface Observer {
  observe(handle: FileSystemDirectoryHandle, options: { recursive: boolean }): Promise<void>;
  disconnect(): void;
}

type ObserverClass = new (callback: (records: readonly ObserverRecord[]) => void) => Observer;

/** Files that were reported as changed, by path. */
export type ChangedFiles = ReadonlyMap<string, FileSystemFileHandle>;

/** Resolves to a function that stops observing, or to null if this browser or this folder cannot be observed. */
export async function observeFolder(
  handle: FileSystemDirectoryHandle,
  onNotice: (notice: ChangeNotice, files: ChangedFiles) => void,
): Promise<(() => void) | null> {
  const found: unknown = Reflect.get(globalThis, 'FileSystemObserver');
  if (typeof found !== 'function') return null;
  try {
    const observer = new (found as ObserverClass)((records) =>
      onNotice(noticeOf(records), filesOf(records)),
    );
    await observer.observe(handle, { recursive: true });
    return () => observer.disconnect();
  } catch {
    return null;
  }
}

/** Converts observer records to a change notice. */
export function noticeOf(records: readonly ObserverRecord[]): ChangeNotice {
  const paths = new Set<string>();
  for (const { type, relativePathComponents, relativePathMovedFrom } of records) {
    if (type === 'errored') return 'ended';
    // A change of the folder itself has no path.
    if (type === 'unknown' || relativePathComponents.length === 0) return 'anything';
    paths.add(relativePathComponents.join('/'));
    if (relativePathMovedFrom) paths.add(relativePathMovedFrom.join('/'));
  }
  return [...paths];
}

function filesOf(records: readonly ObserverRecord[]): ChangedFiles {
  return new Map(
    records.flatMap(({ changedHandle, relativePathComponents: path }) =>
      isFile(changedHandle) ? [[path.join('/'), changedHandle]] : [],
    ),
  );
}

function isFile(handle: FileSystemHandle | null): handle is FileSystemFileHandle {
  return handle?.kind === 'file';
}
