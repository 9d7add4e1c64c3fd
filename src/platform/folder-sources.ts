/** Tools folders as the browser hands them over: the directory picker, a drop, an upload. */

import type { FolderSource, FolderWalk, SourceEntry } from '../folder/source.ts';
import { ToolError } from '../spec/error.ts';
import { droppedEntry } from './dropped-entries.ts';

interface PickerWindow {
  showDirectoryPicker?: (options: {
    mode: 'read';
    id: string;
  }) => Promise<FileSystemDirectoryHandle>;
}

interface HandleItem {
  getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>;
}

/** The browser has a directory picker, and may show it here. */
export function canPickFolder(): boolean {
  return typeof (window as PickerWindow).showDirectoryPicker === 'function';
}

/** Asks the person for a folder. @returns null where they call it off */
export async function pickFolder(): Promise<FolderSource | null> {
  const { showDirectoryPicker } = window as PickerWindow;
  if (!showDirectoryPicker)
    throw new ToolError(
      'not-supported',
      'This browser has no folder picker.',
      'Upload the folder, or drop it on the page.',
    );
  try {
    return handleSource(await showDirectoryPicker.call(window, { mode: 'read', id: 'tools' }));
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return null;
    throw thrown;
  }
}

/**
 * What was dropped: one folder, or files that make a folder together. Call it while the drop event is handled.
 * @throws {ToolError} where it is neither
 */
export async function droppedFolder(data: DataTransfer): Promise<FolderSource> {
  const items = [...data.items].filter(({ kind }) => kind === 'file');
  // All is taken before the first wait: a drop's data are gone after it.
  const handles = items.map((item) => (item as HandleItem).getAsFileSystemHandle?.() ?? null);
  const entries = items.map((item) => item.webkitGetAsEntry());
  const files = [...data.files];
  const [handle] = await Promise.all(handles.map((asked) => asked?.catch(() => null) ?? null));
  if (items.length === 1 && handle?.kind === 'directory')
    return handleSource(handle as FileSystemDirectoryHandle);
  const [entry] = entries;
  if (items.length === 1 && entry?.isDirectory)
    return droppedEntry(entry as FileSystemDirectoryEntry);
  if (entries.some((dropped) => dropped?.isDirectory))
    throw new ToolError(
      'bad-input',
      'Several things were dropped, folders among them.',
      'Drop one folder at a time.',
    );
  if (files.length === 0)
    throw new ToolError(
      'bad-input',
      'What was dropped is neither a folder nor a file.',
      'Drop a folder of Python files.',
    );
  return filesSource(files.length === 1 ? (files[0]?.name ?? 'files') : 'dropped files', files);
}

/** The files of a directory input, with their paths. */
export function uploadedFolder(files: readonly File[]): FolderSource {
  const [root = 'folder'] = files[0]?.webkitRelativePath.split('/') ?? [];
  return filesSource(root === '' ? 'folder' : root, files);
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

/** A folder behind a handle, which can be read again. */
export function handleSource(handle: FileSystemDirectoryHandle): FolderSource {
  return {
    name: handle.name,
    kind: 'directory-handle',
    rereadable: true,
    entries: (signal, walk) => walkHandle(signal, walk, handle),
  };
}

async function* walkHandle(
  signal: AbortSignal,
  walk: FolderWalk,
  root: FileSystemDirectoryHandle,
): AsyncGenerator<SourceEntry> {
  const waiting: { path: string; handle: FileSystemDirectoryHandle }[] = [
    { path: '', handle: root },
  ];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    try {
      for await (const child of next.handle.values()) {
        signal.throwIfAborted();
        const path = next.path === '' ? child.name : `${next.path}/${child.name}`;
        if (child.kind === 'file')
          yield { path, file: () => (child as FileSystemFileHandle).getFile() };
        else if (walk.enter(path))
          waiting.push({ path, handle: child as FileSystemDirectoryHandle });
      }
    } catch (thrown) {
      if (signal.aborted || next.path === '') throw thrown;
      walk.unlisted(next.path, thrown);
    }
  }
}
