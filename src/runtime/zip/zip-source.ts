/** A zip file as a tools folder. This module is loaded when the first zip file is opened. */

import { blockReader, type ReadPart } from '../folder/block-reader.ts';
import {
  fileInMemory,
  type FolderSource,
  type GuessedNames,
  type SourceEntry,
} from '../folder/source.ts';
import { decodeNames, pathInside } from './zip-names.ts';
import { parentFolders, showPath } from '../folder/path-rules.ts';
import { skippedName } from '../folder/file-names.ts';
import { archiveHeadBytes, noArchive, otherArchive } from './other-archives.ts';
import {
  dataOffset,
  endBytes,
  findTable,
  headerBytes,
  zipAgain,
  zipRecords,
  type ZipRecord,
} from './zip-records.ts';
import { createPacer, type Pacer } from '../async/pace.ts';
import { errorText, ToolError } from '../spec/error.ts';
import type { Limits } from '../spec/limits.ts';
import { inflate } from './inflate.ts';

/** A zip file may have this many times as many entries as a folder may have files: entries of skipped folders count. */
const entriesPerFile = 4;
/** Far more than the names, extra fields and comments of one entry. */
const tableBytesPerEntry = 1024;

/**
 * Reads the table of contents. Files are unpacked individually when they are read.
 *
 * @param use a wheel must have plain paths, because Python's installer reads it again by its own rules
 * @throws {ToolError} if the file is not a zip file, is damaged, or exceeds the limits
 */
export async function openZip(
  file: File,
  limits: Limits,
  use: 'folder' | 'wheel' = 'folder',
): Promise<FolderSource> {
  const zip: OpenZip = { read: blockReader(file), size: file.size, limits, pacer: createPacer() };
  const { files, refused, guess } = await readTable(zip, use).catch(async (error: unknown) => {
    if (use === 'wheel') throw refusal(file.name, error);
    const head = await zip.read(0, archiveHeadBytes).catch(() => null);
    throw (
      otherArchive(file.name, head ?? none) ??
      (head === null ? undefined : noArchive(file.name, head)) ??
      refusal(file.name, error)
    );
  });
  const top = topFolder(files);
  const entries = files.map((one) => entryOf(zip, one, top));
  return {
    name: top ?? (file.name.replace(/\.zip$/i, '') || 'zip file'),
    kind: 'zip',
    rereadable: false,
    async *entries(signal, walk) {
      if (guess !== undefined) walk.guessed?.(guess);
      for (const { path, fault } of refused.slice(0, limits.folderFiles))
        walk.refused?.(path, fault);
      for (const entry of entries) {
        if (zip.pacer.mustRest()) await zip.pacer.rest();
        signal.throwIfAborted();
        yield entry;
      }
    },
  };
}

interface OpenZip {
  readonly read: ReadPart;
  /** Size of the whole zip file in bytes. */
  readonly size: number;
  readonly limits: Limits;
  /** Shared by all entries: many small files block the page as long as a large one. */
  readonly pacer: Pacer;
}

interface ZippedFile {
  readonly path: string;
  readonly record: ZipRecord;
}

interface Contents {
  readonly files: readonly ZippedFile[];
  /** Entries with a path that leads out of the folder, or that no file system can store. */
  readonly refused: readonly { readonly path: string; readonly fault: string }[];
  readonly guess: GuessedNames | undefined;
}

async function readTable(zip: OpenZip, use: 'folder' | 'wheel'): Promise<Contents> {
  const records = await readRecords(zip);
  const { names, guess } = await decodeNames(
    records.map(({ name }) => name),
    typeof navigator === 'undefined' ? [] : navigator.languages,
    zip.pacer,
  );
  const files: ZippedFile[] = [];
  const refused: { path: string; fault: string }[] = [];
  for (const [index, record] of records.entries()) {
    if (zip.pacer.mustRest()) await zip.pacer.rest();
    const name = names[index] ?? '';
    const isFolder = record.isMarkedFolder || /[/\\]$/.test(name);
    const { path, fault } = pathInside(name);
    if (
      // @mutant a wheel has plain paths => use === 'wheel' -> false [src/runtime/packages/check-wheel.test.ts]
      use === 'wheel' &&
      (fault !== undefined || guess !== undefined || path !== name.replace(/\/$/, ''))
    )
      throw new ToolError('bad-input', `has an entry with an invalid path, “${showPath(name)}”`);
    if (isFolder || isMacOsFile(path)) continue;
    if (fault === undefined) files.push({ path, record });
    else refused.push({ path, fault });
  }
  return { files: withoutFolders(files), refused, guess };
}

/** Leaves out empty entries that contain others: some programs do not mark folders as such. */
function withoutFolders(files: readonly ZippedFile[]): readonly ZippedFile[] {
  const folders = new Set(files.flatMap(({ path }) => parentFolders(path)));
  return files.filter(({ path, record }) => record.bytes > 0 || !folders.has(path));
}

async function readRecords({ read, size, limits, pacer }: OpenZip): Promise<ZipRecord[]> {
  const tailAt = Math.max(0, size - endBytes);
  const table = findTable(await read(tailAt, endBytes), size);
  const maxEntries = limits.folderFiles * entriesPerFile;
  if (table.bytes > maxEntries * tableBytesPerEntry) throw tooManyEntries(maxEntries);
  const content = await read(table.at, table.bytes);
  const records: ZipRecord[] = [];
  for (const record of zipRecords(table, content)) {
    records.push(record);
    // The entry count in the file itself is not reliable.
    // @mutant a zip's entries are bounded => removed
    if (records.length > maxEntries) throw tooManyEntries(maxEntries);
    if (pacer.mustRest()) await pacer.rest();
  }
  return records;
}

const none = new Uint8Array();

/**
 * Files that macOS adds to folders and zip files: attributes of other files, and icons. They stay in a folder that is
 * zipped again on another system.
 */
function isMacOsFile(path: string): boolean {
  return /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|\._[^/]*$|Icon\r$)/.test(path);
}

/** Returns the folder that contains everything, if there is one. */
function topFolder(files: readonly ZippedFile[]): string | undefined {
  const [first] = files;
  const slash = first?.path.indexOf('/') ?? -1;
  const name = first?.path.slice(0, slash) ?? '';
  if (slash < 0 || skippedName(name) !== undefined) return undefined;
  return files.every(({ path }) => path.startsWith(`${name}/`)) ? name : undefined;
}

function entryOf(
  { read, size, limits, pacer }: OpenZip,
  { path, record }: ZippedFile,
  top: string | undefined,
): SourceEntry {
  return {
    path: top === undefined ? path : path.slice(top.length + 1),
    size: record.bytes,
    async file() {
      const fault = faultOf(record, size, limits);
      if (fault !== undefined) throw fault;
      const header = await read(record.headerAt, headerBytes);
      const { packedBytes, bytes, crc, modifiedAt } = record;
      const at = record.headerAt + dataOffset(header);
      const isStored = record.method === 0;
      const content = await inflate(read, { at, packedBytes, isStored, bytes, crc }, pacer);
      return fileInMemory(content, modifiedAt, async () => {
        if (pacer.mustRest()) await pacer.rest();
      });
    },
  };
}

function faultOf(record: ZipRecord, size: number, limits: Limits): ToolError | undefined {
  if (record.isEncrypted)
    return new ToolError('not-supported', 'it is encrypted.', 'Zip the folder without a password.');
  // @mutant a symbolic link in a zip is not read as a file => never
  if (record.isLink)
    return new ToolError(
      'not-supported',
      'it is a symbolic link, not a file.',
      'Replace it with the file and zip the folder again.',
    );
  if (record.method !== 0 && record.method !== 8)
    return new ToolError(
      'not-supported',
      `it is compressed by ${methodNames.get(record.method) ?? 'an unknown method'} (method ${record.method}), which browsers cannot unpack.`,
      'Zip the folder with the usual method, deflate.',
    );
  // @mutant what one entry of a zip unpacks to is bounded => never
  if (record.bytes > limits.fileBytes)
    return new ToolError('limit', 'it is larger than the limit for one file.', zipAgain);
  // Without this check, reading beyond the end would never finish.
  // @mutant an entry of a zip ends where the file ends => never
  if (record.headerAt + headerBytes + record.packedBytes > size)
    return new ToolError('bad-input', 'the zip file is damaged here', zipAgain);
  return undefined;
}

const methodNames: ReadonlyMap<number, string> = new Map([
  [1, 'Shrink'],
  [6, 'Implode'],
  [9, 'Deflate64'],
  [12, 'bzip2'],
  [14, 'LZMA'],
  [93, 'Zstandard'],
  [95, 'xz'],
  [98, 'PPMd'],
]);

function tooManyEntries(max: number): ToolError {
  return new ToolError(
    'limit',
    `holds more than ${max.toLocaleString('en')} entries`,
    'Zip only the folder that contains the tool files, without packages and caches.',
  );
}

function refusal(name: string, error: unknown): ToolError {
  if (error instanceof ToolError)
    return new ToolError(error.code, `“${name}” ${error.message}.`, error.hint);
  return new ToolError('bad-input', `“${name}” could not be read: ${errorText(error)}`, zipAgain);
}
