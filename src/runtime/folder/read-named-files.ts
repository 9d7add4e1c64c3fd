/** Reads only the named files of a folder that has been read before, without listing it again. */

import { wait } from '../async/wait.ts';
import { composeName } from '../spec/composed-name.ts';
import type { FolderFile, FolderSnapshot } from '../spec/folder.ts';
import type { Limits } from '../spec/limits.ts';
import { readingStopped } from './folder-problems.ts';
import { keepSameBytes } from './kept-bytes.ts';
import type { FolderSource } from './source.ts';

/** More files are read faster by listing the folder. */
const maxNamed = 20;

/**
 * Returns the folder with the present content of these files.
 *
 * @param paths files of `before` that have been written
 * @returns null if the folder must be listed: another file is named, or one is gone, cannot be read, exceeds a limit, or
 * is a Python file that has become empty, which its program has probably not finished writing. Never rejects.
 */
export async function readNamed(
  signal: AbortSignal,
  source: FolderSource,
  limits: Pick<Limits, 'fileBytes' | 'folderBytes'>,
  before: FolderSnapshot,
  paths: ReadonlySet<string>,
): Promise<FolderSnapshot | null> {
  const { open } = source;
  if (open === undefined || paths.size > maxNamed) return null;
  const known = new Map(before.files.map((file) => [file.path, file]));
  const named = before.files.filter(({ path }) => paths.has(composeName(path)));
  // If another file has the same name in another Unicode form, the report does not say which of them has changed.
  if (named.length > paths.size) return null;
  const onAbort = readingStopped;
  const read = async (path: string): Promise<FolderFile | null> => {
    const old = known.get(path);
    if (old === undefined) return null;
    const file = await wait(signal, open(path), { onAbort });
    if (file.size > limits.fileBytes) return null;
    const read = new Uint8Array(await wait(signal, file.arrayBuffer(), { onAbort }));
    const bytes = await keepSameBytes(old.bytes, read);
    if (bytes.length === 0 && old.size > 0 && path.endsWith('.py')) return null;
    return { path, size: bytes.length, modifiedAt: file.lastModified, bytes };
  };
  const now = await Promise.all([...paths].map(read)).catch(() => [null]);
  const written = new Map<string, FolderFile>();
  for (const file of now) {
    if (file === null) return null;
    written.set(file.path, file);
  }
  const files = before.files.map((file) => written.get(file.path) ?? file);
  if (files.reduce((sum, { size }) => sum + size, 0) > limits.folderBytes) return null;
  return { ...before, id: crypto.randomUUID(), files };
}
