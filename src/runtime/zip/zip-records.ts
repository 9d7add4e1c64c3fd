/**
 * Parses the central directory of a zip file. Its sizes are not trusted when files are unpacked. Numbers that are added to a
 * position are the offsets of members in their record, as PKWARE's APPNOTE.TXT defines them.
 */

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
  /** The stored bytes, often in an unknown encoding. */
  readonly name: Uint8Array;
  /** Whether the creating program marked the entry as a folder. Other programs add a slash to the name instead. */
  readonly isMarkedFolder: boolean;
  readonly isEncrypted: boolean;
  /** A symbolic link: its content is the path that it leads to. */
  readonly isLink: boolean;
  /** 0 means stored, 8 deflate. */
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly headerAt: number;
  readonly modifiedAt: number;
}

/**
 * Number of bytes at the end of a file that are searched for the end record. A comment and other data may follow the
 * record.
 */
export const endBytes = 2 ** 20;
/** Size of a local header without its name and extra field. */
export const headerBytes = 30;

const endSign = 0x06_05_4b_50;
/** Number of possible end records that are examined. */
const maxEndRecords = 16;
const endRecordBytes = 22;
const locatorSign = 0x07_06_4b_50;
const locatorBytes = 20;
const longEndSign = 0x06_06_4b_50;
const longEndBytes = 56;
const recordSign = 0x02_01_4b_50;
const headerSign = 0x04_03_4b_50;
const signatureSign = 0x05_05_4b_50;
const recordBytes = 46;
const unknown32 = 0xff_ff_ff_ff;
/** Ids of extra fields. */
const zip64Field = 0x00_01;
const unicodePathField = 0x70_75;

/**
 * Finds the central directory.
 *
 * @param tail the last {@link endBytes} of the file, or all of it
 * @param size of the whole file, in bytes
 * @throws {ToolError} if it is not a zip file, or of an unsupported kind
 */
export function findTable(tail: Uint8Array, size: number): ZipTable {
  const view = viewOf(tail);
  const before = size - tail.byteLength;
  const ends = [...endRecords(view)];
  if (ends.length === 0) throw brokenZip('is not a zip file, or it is truncated');
  // A comment may contain the sign of the end record, or even a whole one that has no directory.
  for (const end of ends) {
    const table = tableAt(view, end, before);
    if (table !== undefined) return table;
  }
  // No record leads to an entry, so the last record is used: the zip may be empty.
  const [lastEnd = 0] = ends;
  const { isPart, entries, bytes, offset, tableEnd } = endAt(view, lastEnd);
  if (isPart) throw brokenZip('is one part of a split zip file');
  const at = before + tableEnd - bytes;
  if (at < offset) throw brokenZip('is damaged: it is shorter than its directory says');
  return { at, bytes, shift: at - offset, entries };
}

/** Reads the end record at a place, with its Zip64 record if there is one. @throws {ToolError} */
function endAt(view: DataView, end: number): End {
  return longEnd(view, end) ?? shortEnd(view, end);
}

/**
 * Returns the directory that an end record describes, if its first entry is there.
 *
 * @param before number of bytes of the file before those in view
 */
function tableAt(view: DataView, end: number, before: number): ZipTable | undefined {
  let about: End;
  try {
    about = endAt(view, end);
  } catch {
    return undefined;
  }
  const { isPart, entries, bytes, offset, tableEnd } = about;
  if (isPart || entries === 0) return undefined;
  const hasEntry = (at: number): boolean =>
    at >= before &&
    at + 4 <= before + view.byteLength &&
    view.getUint32(at - before, true) === recordSign;
  // The directory ends before the end record; some programs write something between the two.
  const at = before + tableEnd - bytes;
  if (at >= offset && (at < before || hasEntry(at)))
    return { at, bytes, shift: at - offset, entries };
  const isInside = offset + bytes <= before + tableEnd;
  return isInside && hasEntry(offset) ? { at: offset, bytes, shift: 0, entries } : undefined;
}

interface End {
  readonly isPart: boolean;
  readonly entries: number;
  readonly bytes: number;
  readonly offset: number;
  /** The end of the directory, relative to the tail. */
  readonly tableEnd: number;
}

function shortEnd(view: DataView, end: number): End {
  const entries = view.getUint16(end + 10, true);
  return {
    isPart: view.getUint16(end + 4, true) !== 0 || entries !== view.getUint16(end + 8, true),
    entries,
    bytes: view.getUint32(end + 12, true),
    offset: view.getUint32(end + 16, true),
    tableEnd: end,
  };
}

/** The end record of Zip64; undefined if there is none. Streamed small files have one too. */
function longEnd(view: DataView, end: number): End | undefined {
  const locator = end - locatorBytes;
  if (locator < 0 || view.getUint32(locator, true) !== locatorSign) return undefined;
  // The search begins at the usual size of the record; some programs append data to it.
  let at = locator - longEndBytes;
  while (at >= 0 && !isLongEndAt(view, at, locator)) at -= 1;
  if (at < 0) throw brokenZip('is damaged: its end record is inconsistent');
  const entries = wide(view, at + 32);
  return {
    isPart: view.getUint32(at + 16, true) !== 0 || entries !== wide(view, at + 24),
    entries,
    bytes: wide(view, at + 40),
    offset: wide(view, at + 48),
    tableEnd: at,
  };
}

function isLongEndAt(view: DataView, at: number, end: number): boolean {
  if (view.getUint32(at, true) !== longEndSign) return false;
  return view.getBigUint64(at + 4, true) === BigInt(end - at - 12);
}

/** @throws {ToolError} if no file can be that large */
function wide(view: DataView, at: number): number {
  const value = Number(view.getBigUint64(at, true));
  if (!Number.isSafeInteger(value)) throw brokenTable();
  return value;
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
    // A digital signature may follow the entries.
    if (left >= 4 && count === table.entries && view.getUint32(at, true) === signatureSign) break;
    if (left < recordBytes || view.getUint32(at, true) !== recordSign) throw brokenTable();
    const nameEnd = at + recordBytes + view.getUint16(at + 28, true);
    const extraEnd = nameEnd + view.getUint16(at + 30, true);
    const next = extraEnd + view.getUint16(at + 32, true);
    if (next > content.byteLength) throw brokenTable();
    const name = content.subarray(at + recordBytes, nameEnd);
    yield record(view, at, name, extraFields(content.subarray(nameEnd, extraEnd)), table.shift);
    at = next;
    count += 1;
  }
  // Without a Zip64 record, the count of entries wraps at 65,536.
  if (count !== table.entries && count % 0x1_00_00 !== table.entries) throw brokenTable();
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

type ExtraFields = ReadonlyMap<number, DataView>;

/** Extra fields by their ids. Bytes after the last complete field are padding. */
function extraFields(extra: Uint8Array): ExtraFields {
  const fields = new Map<number, DataView>();
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.byteLength;) {
    const end = at + 4 + view.getUint16(at + 2, true);
    if (end > extra.byteLength) break;
    fields.set(view.getUint16(at, true), viewOf(extra.subarray(at + 4, end)));
    at = end;
  }
  return fields;
}

function record(
  view: DataView,
  at: number,
  name: Uint8Array,
  extra: ExtraFields,
  shift: number,
): ZipRecord {
  const flags = view.getUint16(at + 8, true);
  const madeOn = view.getUint8(at + 5);
  // Unix (3) and macOS (19) write the type of the file into the highest four bits: 4 is a folder, 10 a link.
  const unixType = madeOn === 3 || madeOn === 19 ? view.getUint16(at + 40, true) >> 12 : 0;
  const wideValues = extra.get(zip64Field);
  let nextWide = 0;
  // A value that does not fit into 32 bits is in the Zip64 field, which contains only such values, in the order of these calls.
  const sizeAt = (place: number): number => {
    const value = view.getUint32(place, true);
    if (value !== unknown32) return value;
    if (wideValues === undefined || nextWide + 8 > wideValues.byteLength) return value;
    nextWide += 8;
    return wide(wideValues, nextWide - 8);
  };
  const bytes = sizeAt(at + 24);
  const packedBytes = sizeAt(at + 20);
  const headerAt = sizeAt(at + 42) + shift;
  return {
    name: unicodeName(name, extra.get(unicodePathField)) ?? name,
    isMarkedFolder: unixType === 4 || (unixType === 0 && bytes === 0 && isDosFolder(view, at)),
    // One bit for each way: by password, strong, and with a hidden directory.
    isEncrypted: (flags & 0x20_41) !== 0,
    isLink: unixType === 10,
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    packedBytes,
    bytes,
    headerAt,
    modifiedAt: dosTime(view.getUint16(at + 14, true), view.getUint16(at + 12, true)),
  };
}

function isDosFolder(view: DataView, at: number): boolean {
  return (view.getUint8(at + 38) & 0x10) !== 0;
}

/** The UTF-8 name in an extra field, unless a program that does not know the field has renamed the entry. */
function unicodeName(name: Uint8Array, field: DataView | undefined): Uint8Array | undefined {
  if (field === undefined || field.byteLength < 6 || field.getUint8(0) !== 1) return undefined;
  if (field.getUint32(1, true) !== crc32(name)) return undefined;
  return new Uint8Array(field.buffer, field.byteOffset + 5, field.byteLength - 5);
}

function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0);
  }
  return ~crc >>> 0;
}

/** Yields the places of end records, the last one first: a comment may contain any bytes, so some may be none. */
function* endRecords(view: DataView): Generator<number> {
  let left = maxEndRecords;
  for (let at = view.byteLength - endRecordBytes; at >= 0 && left > 0; at -= 1) {
    if (view.getUint32(at, true) !== endSign) continue;
    if (at + endRecordBytes + view.getUint16(at + 20, true) > view.byteLength) continue;
    left -= 1;
    yield at;
  }
}

/**
 * Reads a date (bits for the year since 1980, the month and the day) and a time (bits for the hour, the minute and half of the
 * seconds). Zip files contain no time zone; assumes the computer's own.
 */
function dosTime(date: number, time: number): number {
  const modified = new Date(
    1980 + (date >> 9),
    ((date >> 5) & 15) - 1,
    date & 31,
    time >> 11,
    (time >> 5) & 63,
    (time & 31) * 2,
  );
  return modified.getTime();
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function brokenTable(): ToolError {
  return brokenZip('is damaged: its directory is inconsistent');
}

/** Callers that know the file's name put it in front of the message. */
function brokenZip(fault: string, hint = zipAgain): ToolError {
  return new ToolError('bad-input', fault, hint);
}
