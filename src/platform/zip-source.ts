/** A zip file as a tools folder. This module is loaded when the first zip file is opened. */

import { blockReader, type ReadPart } from '../folder/block-reader.ts';
import { fileInMemory, type FolderSource, type SourceEntry } from '../folder/source.ts';
import { pathFault, skippedName } from '../folder/path-rules.ts';
import {
  dataOffset,
  endBytes,
  findTable,
  headerBytes,
  zipAgain,
  zipRecords,
  type ZipRecord,
} from '../folder/zip-records.ts';
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
 * @throws {ToolError} if the file is not a zip file, is damaged, or exceeds the limits
 */
export async function openZip(file: File, limits: Limits): Promise<FolderSource> {
  const zip: OpenZip = { read: blockReader(file), limits, pacer: createPacer() };
  const records = await readTable(zip, file.size).catch((error: unknown) => {
    throw refused(file.name, error);
  });
  const top = topFolder(records);
  const entries = records.map((record) => entryOf(zip, record, top));
  return {
    name: top ?? (file.name.replace(/\.zip$/i, '') || 'zip file'),
    kind: 'zip',
    rereadable: false,
    async *entries(signal) {
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
  readonly limits: Limits;
  /** Shared by all entries: many small files block the page as long as a large one. */
  readonly pacer: Pacer;
}

async function readTable({ read, limits, pacer }: OpenZip, size: number): Promise<ZipRecord[]> {
  const tailAt = Math.max(0, size - endBytes);
  const table = findTable(await read(tailAt, endBytes), size);
  const maxEntries = limits.folderFiles * entriesPerFile;
  if (table.bytes > maxEntries * tableBytesPerEntry) throw tooManyEntries(maxEntries);
  const content = await read(table.at, table.bytes);
  const records: ZipRecord[] = [];
  let entries = 0;
  for (const record of zipRecords(table, content)) {
    entries += 1;
    // The entry count in the file itself is not reliable.
    if (entries > maxEntries) throw tooManyEntries(maxEntries);
    if (!record.isFolder && !isMacOsFile(record.path)) records.push(record);
    if (pacer.mustRest()) await pacer.rest();
  }
  return records;
}

/** Files that macOS adds to zip files. */
function isMacOsFile(path: string): boolean {
  return path.startsWith('__MACOSX/') || /(^|\/)\.DS_Store$/.test(path);
}

/** Returns the folder that contains everything, if there is one. */
function topFolder(records: readonly ZipRecord[]): string | undefined {
  const [first] = records;
  const top = first?.path.slice(0, first.path.indexOf('/') + 1) ?? '';
  const name = top.slice(0, -1);
  if (pathFault(name) !== undefined || skippedName(name) !== undefined) return undefined;
  return records.every(({ path }) => path.startsWith(top)) ? name : undefined;
}

function entryOf(
  { read, limits, pacer }: OpenZip,
  record: ZipRecord,
  top: string | undefined,
): SourceEntry {
  return {
    path: top === undefined ? record.path : record.path.slice(top.length + 1),
    size: record.bytes,
    async file() {
      const fault = faultOf(record, limits);
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

function faultOf(record: ZipRecord, limits: Limits): ToolError | undefined {
  if (record.isEncrypted)
    return new ToolError('not-supported', 'it is encrypted.', 'Zip the folder without a password.');
  if (record.isSpecial)
    return new ToolError(
      'not-supported',
      'it is a symbolic link, not a file.',
      'Replace it with the file and zip the folder again.',
    );
  if (record.method !== 0 && record.method !== 8)
    return new ToolError(
      'not-supported',
      `it is compressed by ${methodName(record.method)}, which browsers cannot unpack.`,
      'Zip the folder with the usual method, deflate.',
    );
  if (record.bytes > limits.fileBytes)
    return new ToolError('limit', 'it is larger than the limit for one file.', zipAgain);
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

function methodName(method: number): string {
  return `${methodNames.get(method) ?? 'an unknown method'} (method ${method})`;
}

function tooManyEntries(most: number): ToolError {
  return new ToolError(
    'limit',
    `holds more than ${most.toLocaleString('en')} entries`,
    'Zip only the folder that contains the tool files, without packages and caches.',
  );
}

function refused(name: string, error: unknown): ToolError {
  if (error instanceof ToolError)
    return new ToolError(error.code, `“${name}” ${error.message}.`, error.hint);
  return new ToolError('bad-input', `“${name}” could not be read: ${errorText(error)}`, zipAgain);
}
