/** Snapshots of folders for tests. */

import type { FolderFile, FolderSnapshot } from '../spec/folder.ts';

export function fakeFile(path: string, text: string, modifiedAt = 0): FolderFile {
  const bytes = new TextEncoder().encode(text);
  return { path, size: bytes.byteLength, modifiedAt, bytes };
}

/** Returns a folder with these files, text by path. */
export function fakeFolder(files: Readonly<Record<string, string>>): FolderSnapshot {
  const all = Object.entries(files).map(([path, text]) => fakeFile(path, text));
  return { id: '1', name: 'folder', files: all, folders: [], problems: [] };
}
