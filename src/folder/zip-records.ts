/** Parses the central directory of a zip file. Its sizes are not trusted when files are unpacked. */

import { ToolError } from '../spec/error.ts';

/** The position of the central directory. */
export interface ZipTable {
  readonly at: number;
  readonly bytes: number;
  /** Added to every offset in the directory, because a zip may follow other data. */
  readonly shift: number;
  readonly entries: number;
}

export interface ZipRecord {
  readonly path: string;
  readonly isFolder: boolean;
  readonly isEncrypted: boolean;
  /** An entry that is neither a file nor a folder, such as a symbolic link. */
  readonly isSpecial: boolean;
  /** 0 means stored, 8 deflate. */
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly headerAt: number;
  readonly modifiedAt: number;
}

/** Size of the end record with the longest possible comment. */
export const endBytes = 22 + 0xff_ff;
/** Size of a local header without its name and extra field. */
export const headerBytes = 30;

const endSign = 0x06_05_4b_50;
const recordSign = 0x02_01_4b_50;
const headerSign = 0x04_03_4b_50;
const recordBytes = 46;
const unknown16 = 0xff_ff;
const unknown32 = 0xff_ff_ff_ff;

/**
 * Finds the central directory.
 *
 * @param tail the last {@link endBytes} of the file, or all of it
 * @param size of the whole file, in bytes
 * @throws {ToolError} if it is not a zip file, or of an unsupported kind
 */
export function findTable(tail: Uint8Array, size: number): ZipTable {
  const view = viewOf(tail);
  const end = endRecordAt(view);
  if (end < 0) throw broken('is not a zip file, or it is truncated');
  const entries = view.getUint16(end + 10, true);
  const bytes = view.getUint32(end + 12, true);
  const offset = view.getUint32(end + 16, true);
  if (entries === unknown16 || bytes === unknown32 || offset === unknown32) {
    throw broken(
      'uses the Zip64 format, for more than 65,534 entries or 4 GB, which is not supported',
      'Zip only the folder that contains the tool files, without large data.',
    );
  }
  if (view.getUint16(end + 4, true) !== 0 || entries !== view.getUint16(end + 8, true))
    throw broken('is one part of a zip file in several parts');
  const at = size - tail.byteLength + end - bytes;
  if (at < offset) throw broken('is damaged: it is shorter than its directory says');
  return { at, bytes, shift: at - offset, entries };
}

/**
 * Yields the entries of a central directory.
 * @throws {ToolError} if the directory is invalid
 */
export function* zipRecords(table: ZipTable, content: Uint8Array): Generator<ZipRecord> {
  const view = viewOf(content);
  let at = 0;
  let count = 0;
  while (at < content.byteLength) {
    const left = content.byteLength - at;
    if (left < recordBytes || view.getUint32(at, true) !== recordSign) throw brokenTable();
    const nameBytes = view.getUint16(at + 28, true);
    const next =
      at + recordBytes + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > content.byteLength) throw brokenTable();
    const name = content.subarray(at + recordBytes, at + recordBytes + nameBytes);
    yield record(view, at, name, table.shift);
    at = next;
    count += 1;
  }
  if (count % 0x1_00_00 !== table.entries) throw brokenTable();
}

/**
 * Returns the offset of an entry's data from the start of its local header.
 * @throws {ToolError} if there is no such header
 */
export function dataOffset(header: Uint8Array): number {
  const view = viewOf(header);
  if (header.byteLength < headerBytes || view.getUint32(0, true) !== headerSign)
    throw new ToolError('bad-input', 'the zip file is damaged here', zipAgain);
  return headerBytes + view.getUint16(26, true) + view.getUint16(28, true);
}

export const zipAgain = 'Zip the folder again and open the new file.';

function record(view: DataView, at: number, name: Uint8Array, shift: number): ZipRecord {
  const flags = view.getUint16(at + 8, true);
  const madeOn = view.getUint8(at + 5);
  const mode = madeOn === 3 || madeOn === 19 ? view.getUint16(at + 40, true) >> 12 : 0;
  const path = zipName(name, (flags & 0x8_00) !== 0);
  return {
    path,
    isFolder: path.endsWith('/'),
    isEncrypted: (flags & 0x20_41) !== 0,
    isSpecial: ![0, 4, 8].includes(mode),
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    packedBytes: view.getUint32(at + 20, true),
    bytes: view.getUint32(at + 24, true),
    headerAt: view.getUint32(at + 42, true) + shift,
    modifiedAt: dosTime(view.getUint16(at + 14, true), view.getUint16(at + 12, true)),
  };
}

/** Searches backwards, because the comment may contain any bytes. */
function endRecordAt(view: DataView): number {
  for (let at = view.byteLength - 22; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== endSign) continue;
    if (at + 22 + view.getUint16(at + 20, true) <= view.byteLength) return at;
  }
  return -1;
}

/** Zip files contain no time zone; assumes the computer's own. */
function dosTime(date: number, time: number): number {
  const made = new Date(
    1980 + (date >> 9),
    ((date >> 5) & 15) - 1,
    date & 31,
    time >> 11,
    (time >> 5) & 63,
    (time & 31) * 2,
  );
  return made.getTime();
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function brokenTable(): ToolError {
  return broken('is damaged: its directory is inconsistent');
}

/** Callers that know the file's name put it in front of the message. */
function broken(fault: string, hint = zipAgain): ToolError {
  return new ToolError('bad-input', fault, hint);
}

const upperHalf =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes a name in a zip file: as UTF-8 if it is marked so or valid, otherwise as CP437. */
export function zipName(bytes: Uint8Array, saysUtf8: boolean): string {
  if (saysUtf8) return lenient.decode(bytes);
  try {
    // Many programs write UTF-8 without the mark, and CP437 names are hardly ever valid UTF-8.
    return strict.decode(bytes);
  } catch {
    return Array.from(bytes, (byte) =>
      byte < 0x80 ? String.fromCharCode(byte) : (upperHalf[byte - 0x80] ?? ''),
    ).join('');
  }
}
