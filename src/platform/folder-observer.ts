/** Changes of a folder on disk as the browser tells them (Chromium's FileSystemObserver). */

import type { ChangeNotice } from '../folder/source.ts';

// Chromium's own, not in TypeScript's DOM library.
interface ObserverRecord {
  readonly type: 'appeared' | 'disappeared' | 'modified' | 'moved' | 'unknown' | 'errored';
  readonly relativePathComponents: readonly string[];
  readonly relativePathMovedFrom: readonly string[] | null;
}

interface Observer {
  observe(handle: FileSystemDirectoryHandle, options: { recursive: boolean }): Promise<void>;
  disconnect(): void;
}

type ObserverClass = new (callback: (records: readonly ObserverRecord[]) => void) => Observer;

/** Resolves to what ends the observing, or to null where this browser, or this folder, cannot be observed. */
export async function observeFolder(
  handle: FileSystemDirectoryHandle,
  onNotice: (notice: ChangeNotice) => void,
): Promise<(() => void) | null> {
  const found: unknown = Reflect.get(globalThis, 'FileSystemObserver');
  if (typeof found !== 'function') return null;
  try {
    const observer = new (found as ObserverClass)((records) => {
      onNotice(noticeOf(records));
    });
    await observer.observe(handle, { recursive: true });
    return () => {
      observer.disconnect();
    };
  } catch {
    return null;
  }
}

/** What some records come to. */
export function noticeOf(records: readonly ObserverRecord[]): ChangeNotice {
  const paths = new Set<string>();
  for (const { type, relativePathComponents, relativePathMovedFrom } of records) {
    if (type === 'errored') return 'ended';
    // About the folder itself nothing can be told by a path.
    if (type === 'unknown' || relativePathComponents.length === 0) return 'anything';
    paths.add(relativePathComponents.join('/'));
    if (relativePathMovedFrom) paths.add(relativePathMovedFrom.join('/'));
  }
  return [...paths];
}
