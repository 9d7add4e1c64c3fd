/**
 * A dropped folder in browsers that give no handle for it (Firefox, Safari). It can be read once, through the entries
 * API.
 */

import type { FolderSource } from '../folder/source.ts';
import { walkFolders, type Child } from './walk-folders.ts';

export function droppedEntry(root: FileSystemDirectoryEntry): FolderSource {
  return {
    name: root.name,
    kind: 'upload',
    rereadable: false,
    entries: (signal, walk) => walkFolders(signal, walk, root, children),
  };
}

async function* children(
  folder: FileSystemDirectoryEntry,
): AsyncGenerator<Child<FileSystemDirectoryEntry>> {
  const reader = folder.createReader();
  // Returns about a hundred entries at a time; an empty batch is the end.
  for (let batch = await next(reader); batch.length > 0; batch = await next(reader)) {
    for (const child of batch) {
      const { name } = child;
      if (isFolder(child)) yield { name, folder: child };
      else if (isFile(child)) yield { name, file: () => fileOf(child) };
    }
  }
}

export function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function next(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => {
    reader.readEntries(resolve, reject);
  });
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => {
    entry.file(resolve, reject);
  });
}
