/** A dropped folder where the browser gives no handle for it (Firefox, Safari): read once, through the entries API. */

import type { FolderSource, FolderWalk, SourceEntry } from '../folder/source.ts';

export function droppedEntry(root: FileSystemDirectoryEntry): FolderSource {
  return {
    name: root.name,
    kind: 'upload',
    rereadable: false,
    entries: (signal, walk) => walkEntries(signal, walk, root),
  };
}

async function* walkEntries(
  signal: AbortSignal,
  walk: FolderWalk,
  root: FileSystemDirectoryEntry,
): AsyncGenerator<SourceEntry> {
  const waiting: { path: string; entry: FileSystemDirectoryEntry }[] = [{ path: '', entry: root }];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    try {
      for (const child of await childrenOf(next.entry)) {
        signal.throwIfAborted();
        const path = next.path === '' ? child.name : `${next.path}/${child.name}`;
        if (child.isFile) yield { path, file: () => fileOf(child as FileSystemFileEntry) };
        else if (walk.enter(path)) waiting.push({ path, entry: child as FileSystemDirectoryEntry });
      }
    } catch (thrown) {
      if (signal.aborted || next.path === '') throw thrown;
      walk.unlisted(next.path, thrown);
    }
  }
}

/** The reader hands over a hundred or so at a time; an empty batch is the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (batch.length === 0) return all;
    all.push(...batch);
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => {
    entry.file(resolve, reject);
  });
}
