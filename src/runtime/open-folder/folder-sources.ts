/** Opens tools folders from the browser's inputs: the directory picker, a drop, an upload, a zip file. */

import type { FolderSource } from '../folder/source.ts';
import { errorText, ToolError } from '../spec/error.ts';
import type { Limits } from '../spec/limits.ts';
import { handleSource, walkFolders, type Child } from '../folder/handle-source.ts';

export function canPickFolder(): boolean {
  return directoryPicker() !== undefined;
}

/**
 * Asks the user for a folder.
 *
 * @returns null if the user cancels
 * @throws {ToolError} if the browser has no picker, or does not show it
 */
export async function pickFolder(): Promise<FolderSource | null> {
  const show = directoryPicker();
  if (show === undefined) throw noPicker('This browser has no folder picker.');
  try {
    return handleSource(await show.call(globalThis, { mode: 'read', id: 'tools' }));
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return null;
    throw noPicker(errorText(thrown));
  }
}

/**
 * Opens what was dropped: one folder, one zip file, or files that form a folder. Call it while the drop event is
 * handled.
 *
 * @throws {ToolError} if it is none of these
 */
export async function droppedFolder(data: DataTransfer, limits: Limits): Promise<FolderSource> {
  // Read everything before the first `await`: the data of a drop are gone after it.
  const items = [...data.items].filter(({ kind }) => kind === 'file');
  const handles = items.map(handleOf);
  const entries = items.map((item) => item.webkitGetAsEntry());
  const files = [...data.files];
  const [handle] = await Promise.all(handles);
  const [entry] = entries;
  if (items.length === 1) {
    if (handle) return handleSource(handle);
    if (entry && isFolder(entry)) return droppedEntry(entry);
  }
  if (entries.some((one) => one !== null && isFolder(one))) {
    throw notOpened('You dropped several items, including folders.', 'Drop one folder at a time.');
  }
  const [file] = files;
  if (files.length === 1 && file !== undefined && /\.zip$/i.test(file.name))
    return zippedFolder(file, limits);
  return droppedFiles(files);
}

/** @throws {ToolError} if the file is not a zip file, is damaged, or exceeds the limits */
export async function zippedFolder(file: File, limits: Limits): Promise<FolderSource> {
  const { openZip } = await import('../zip/zip-source.ts');
  return openZip(file, limits);
}

/** A folder with the files of a directory input, by their paths. */
export function uploadedFolder(files: readonly File[]): FolderSource {
  const [root = ''] = files[0]?.webkitRelativePath.split('/') ?? [];
  return filesSource(root === '' ? 'uploaded files' : root, files);
}

async function droppedFiles(files: readonly File[]): Promise<FolderSource> {
  const [first, ...others] = files;
  if (first === undefined) {
    throw notOpened(
      'The dropped item is neither a folder nor a file.',
      'Drop the folder that contains your tool files.',
    );
  }
  if (!files.some(({ name }) => name.endsWith('.py'))) {
    const { refuseArchives } = await import('../zip/other-archives.ts');
    await refuseArchives(files);
    const what = others.length === 0 ? `“${first.name}” is` : `These ${files.length} files are`;
    throw notOpened(
      `${what} neither a folder nor a zip or Python file.`,
      'Drop the folder that contains your tool files, a zip of it, or .py files.',
    );
  }
  return filesSource(others.length === 0 ? first.name : 'dropped files', files);
}

function filesSource(name: string, files: readonly File[]): FolderSource {
  return {
    name,
    kind: 'upload',
    rereadable: false,
    async *entries() {
      for (const file of files) {
        await Promise.resolve();
        const path = file.webkitRelativePath.split('/').slice(1).join('/') || file.name;
        yield { path, size: file.size, file: () => Promise.resolve(file) };
      }
    },
  };
}

/** Returns the handle of a dropped folder; null for a file, or if the browser gives none. */
async function handleOf(item: HandleItem): Promise<FileSystemDirectoryHandle | null> {
  try {
    const handle = await item.getAsFileSystemHandle?.();
    return handle?.kind === 'directory' ? handle : null;
  } catch {
    // The browser gives no handle for a protected folder, which may still be readable as an entry.
    return null;
  }
}

// TypeScript's DOM library lacks this type, because only Chromium has the picker.
type DirectoryPicker = (options: {
  mode: 'read';
  id: string;
}) => Promise<FileSystemDirectoryHandle>;

interface HandleItem extends DataTransferItem {
  getAsFileSystemHandle?: () => Promise<FileSystemDirectoryHandle | FileSystemFileHandle | null>;
}

function directoryPicker(): DirectoryPicker | undefined {
  const show: unknown = Reflect.get(globalThis, 'showDirectoryPicker');
  return typeof show === 'function' ? (show as DirectoryPicker) : undefined;
}

function noPicker(message: string): ToolError {
  return new ToolError(
    'not-supported',
    message,
    'Drop the folder on the page, or use “Upload folder”.',
  );
}

function notOpened(message: string, hint: string): ToolError {
  return new ToolError('bad-input', message, hint);
}

/** A dropped folder in browsers that give no handle for it (Firefox, Safari). It can be read once. */
function droppedEntry(root: FileSystemDirectoryEntry): FolderSource {
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
  // Each read returns about a hundred entries; an empty batch is the end.
  for (let batch = await nextEntries(reader); batch.length > 0; batch = await nextEntries(reader)) {
    for (const child of batch) {
      const { name } = child;
      if (isFolder(child)) yield { name, folder: child };
      else if (isFile(child)) yield { name, file: () => fileOf(child) };
    }
  }
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function nextEntries(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
