/** Reads an opened folder: its files within the limits, and problems for those left out. */

import { wait } from '../async/wait.ts';
import { errorText, ToolError } from '../spec/error.ts';
import type { FolderFile, FolderSnapshot, Problem } from '../spec/folder.ts';
import type { Limits } from '../spec/limits.ts';
import {
  countProblems,
  folderTooLarge,
  readingStopped,
  tooLarge,
  unreadable,
} from './folder-problems.ts';
import { keepSameBytes, type KnownFiles } from './reread-folder.ts';
import { listFolder } from './list-folder.ts';
import { comparePaths, folderName } from './path-rules.ts';
import { isRefused } from './permission.ts';
import type { FolderSource, SourceEntry, SourceFile } from './source.ts';

/** Progress of a reading. */
export interface ReadProgress {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Reads every file within the rules and limits, in a fixed order. A bad file does not affect others. Rejects
 * with a ToolError only if aborted, or if the folder itself cannot be read.
 */
export async function readFolder(
  signal: AbortSignal,
  source: FolderSource,
  limits: Limits,
  onProgress: (progress: ReadProgress) => void,
  known: KnownFiles = nothingKnown,
): Promise<FolderSnapshot> {
  const list = await listFolder(signal, source, limits).catch((error: unknown) => {
    throw unlistable(source, error);
  });
  const problems = [...list.problems];
  const reading: Reading = { signal, source, limits, known, problems, skipped: [], room: 0 };
  const promising = withinLimits(reading, list.entries, ({ size = 0 }) => size);
  const opened = await openAll(reading, promising);
  const accepted = withinLimits(reading, opened, ({ file }) => file.size);
  if (reading.skipped.length > 0) reading.problems.push(folderTooLarge(reading.skipped, limits));
  const files = await readAll(reading, accepted, onProgress);
  return {
    id: crypto.randomUUID(),
    name: folderName(source.name),
    ...(source.functionsAreTools && { functionsAreTools: true }),
    folders: list.folders,
    files: files.sort((a, b) => comparePaths(a.path, b.path)),
    problems: countProblems(reading.problems),
  };
}

/** Number of files that are read at once. More are not faster; fewer wait for each other. */
const width = 8;

const nothing = (): undefined => undefined;
const nothingKnown: KnownFiles = { untouched: nothing, same: nothing, old: nothing };

interface Reading {
  readonly signal: AbortSignal;
  readonly source: FolderSource;
  readonly limits: Limits;
  readonly known: KnownFiles;
  readonly problems: Problem[];
  /** Paths of files that exceed the folder's size limit. */
  readonly skipped: string[];
  /** Bytes left within the folder's size limit. */
  room: number;
}

interface OpenedEntry {
  readonly path: string;
  readonly entry: SourceEntry;
  readonly file: SourceFile;
  /** The file from the earlier reading, if it has not changed. */
  readonly kept?: FolderFile;
}

async function openAll(reading: Reading, entries: readonly SourceEntry[]): Promise<OpenedEntry[]> {
  const opened = await mapInFlight(
    entries,
    width,
    async (entry): Promise<OpenedEntry | undefined> => {
      const kept = reading.known.untouched(entry.path);
      if (kept) return { path: entry.path, entry, file: asSource(kept), kept };
      try {
        const file = await wait(reading.signal, entry.file(), { onAbort: readingStopped });
        return { path: entry.path, entry, file };
      } catch (error) {
        giveUp(reading, entry, error);
        return undefined;
      }
    },
  );
  return opened.filter((one) => one !== undefined);
}

/**
 * Returns the candidates within the size limits. Uses sizes known before reading, so that the result does not
 * depend on the order of reading. Runs before opening, if sizes are listed, and again afterwards.
 */
function withinLimits<T extends { readonly path: string }>(
  reading: Reading,
  candidates: readonly T[],
  sizeOf: (one: T) => number,
): T[] {
  const { limits, problems, skipped } = reading;
  const accepted: T[] = [];
  reading.room = limits.folderBytes;
  for (const one of candidates) {
    const size = sizeOf(one);
    // @mutant the size limit of a file => never
    if (size > limits.fileBytes) problems.push(tooLarge(one.path, size, limits));
    // @mutant the size limit of a folder => never
    else if (size > reading.room) skipped.push(one.path);
    else {
      reading.room -= size;
      accepted.push(one);
    }
  }
  return accepted;
}

async function readAll(
  reading: Reading,
  accepted: readonly OpenedEntry[],
  onProgress: (progress: ReadProgress) => void,
): Promise<FolderFile[]> {
  const done = { files: 0, bytes: 0 };
  const read = await mapInFlight(accepted, width, async (opened) => {
    const file = await readOne(reading, opened);
    done.files += 1;
    done.bytes += file?.size ?? 0;
    onProgress({ ...done });
    return file;
  });
  return read.filter((file) => file !== undefined);
}

async function readOne(
  reading: Reading,
  { path, entry, file, kept = reading.known.same(path, file) }: OpenedEntry,
): Promise<FolderFile | undefined> {
  if (kept) return kept;
  try {
    return await bytesOf(reading, entry, file);
  } catch {
    // The file was probably written after it was opened, which makes the old File unreadable.
    return readAgain(reading, entry, file.size);
  }
}

async function readAgain(
  reading: Reading,
  entry: SourceEntry,
  reserved: number,
): Promise<FolderFile | undefined> {
  try {
    const file = await wait(reading.signal, entry.file(), { onAbort: readingStopped });
    const growth = file.size - reserved;
    if (file.size > reading.limits.fileBytes || growth > reading.room) {
      reading.problems.push(tooLarge(entry.path, file.size, reading.limits));
      return undefined;
    }
    reading.room -= growth;
    return await bytesOf(reading, entry, file);
  } catch (error) {
    giveUp(reading, entry, error);
    return undefined;
  }
}

async function bytesOf(
  reading: Reading,
  entry: SourceEntry,
  file: SourceFile,
): Promise<FolderFile> {
  const read = new Uint8Array(
    await wait(reading.signal, file.arrayBuffer(), { onAbort: readingStopped }),
  );
  const bytes = await keepSameBytes(reading.known.old(entry.path)?.bytes, read);
  return { path: entry.path, size: bytes.byteLength, modifiedAt: file.lastModified, bytes };
}

function asSource({ size, modifiedAt, bytes }: FolderFile): SourceFile {
  return {
    size,
    lastModified: modifiedAt,
    arrayBuffer: () => Promise.resolve(new Uint8Array(bytes).buffer),
  };
}

function giveUp(reading: Reading, entry: SourceEntry, error: unknown): void {
  if (reading.signal.aborted) throw readingStopped();
  // No other file can be read either. As none of them is gone, their tools must stay.
  if (isRefused(error)) throw unlistable(reading.source, error);
  reading.problems.push(unreadable(entry.path, error));
}

function unlistable(source: FolderSource, error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  return new ToolError(
    'not-found',
    `The folder “${source.name}” could not be read: ${errorText(error)}`,
    'It may have been moved, or the permission has expired. Open it again.',
  );
}

/** Returns results in the order of the items. After the first rejection, no further item is started. */
export async function mapInFlight<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  // The workers share this iterator: each takes the next item.
  const rest = items.entries();
  let failed = false;
  const runNext = async (): Promise<void> => {
    for (const [index, item] of rest) {
      if (failed) return;
      try {
        results[index] = await work(item, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, runNext));
  return results;
}
