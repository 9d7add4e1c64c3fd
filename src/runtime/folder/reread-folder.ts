/** Reads a folder again: which of its files need not be read, and how a few named ones are read without listing it. */

import { composeName } from '../spec/composed-name.ts';
import type { FolderFile, FolderSnapshot } from '../spec/folder.ts';
import { wait } from '../async/wait.ts';
import type { Limits } from '../spec/limits.ts';
import { readingStopped } from './folder-problems.ts';
import type { FolderSource, SourceFile } from './source.ts';
import { createPacer } from '../async/pace.ts';
import { sameBytes } from '../spec/bytes.ts';

/** The files that may have changed: those at these paths, those whose size or time differs, or all. */
export type RereadScope = ReadonlySet<string> | 'changed' | 'every';

/** Files from an earlier reading, which need not be read again. */
export interface KnownFiles {
  /** Returns the file if it cannot have changed. Then it is not even opened. */
  untouched(path: string): FolderFile | undefined;
  /** Returns the file if its size and time have not changed. Then its bytes are not read. */
  same(path: string, file: SourceFile): FolderFile | undefined;
  /** Returns the file as it was read before. */
  old(path: string): FolderFile | undefined;
}

/** Returns the files of `before` that need not be read again. */
export function findKnownFiles(before: FolderSnapshot, scope: RereadScope): KnownFiles {
  const files = new Map(before.files.map((file) => [file.path, file]));
  const nothing = (): undefined => undefined;
  const old = (path: string): FolderFile | undefined => files.get(path);
  if (scope === 'every') return { untouched: nothing, same: nothing, old };
  if (scope === 'changed') {
    return {
      old,
      untouched: nothing,
      same: (path, { size, lastModified }) =>
        unless(files.get(path), (file) => file.size !== size || file.modifiedAt !== lastModified),
    };
  }
  return {
    old,
    untouched: (path) => unless(files.get(path), () => liesIn(composeName(path), scope)),
    same: nothing,
  };
}

/** Combines two scopes. */
export function widen(a: RereadScope | null, b: RereadScope): RereadScope {
  if (a === null || a === b) return b;
  if (a === 'every' || b === 'every') return 'every';
  if (a === 'changed' || b === 'changed') return 'changed';
  return new Set([...a, ...b]);
}

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

/** Bytes that are compared in one step. */
const stepBytes = 1024 * 1024;

/**
 * Returns the earlier bytes if the new ones are the same. The files of two snapshots are compared several times, and the
 * same object takes no time. Does not block the page.
 */
export async function keepSameBytes(
  before: Uint8Array | undefined,
  now: Uint8Array,
): Promise<Uint8Array> {
  if (before?.byteLength !== now.byteLength) return now;
  const pacer = createPacer();
  for (let from = 0; from < now.byteLength; from += stepBytes) {
    const end = from + stepBytes;
    if (!sameBytes(before.subarray(from, end), now.subarray(from, end))) return now;
    if (pacer.mustRest()) await pacer.rest();
  }
  return before;
}

function unless(
  file: FolderFile | undefined,
  changed: (file: FolderFile) => boolean,
): FolderFile | undefined {
  return file === undefined || changed(file) ? undefined : file;
}

/** Returns whether the scope contains the path or one of its parent folders. */
function liesIn(path: string, scope: ReadonlySet<string>): boolean {
  if (scope.has(path)) return true;
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    if (scope.has(path.slice(0, end))) return true;
  return false;
}
