/** Creates valid and invalid zip files byte by byte, for tests. */

import { constants, crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string | Uint8Array;
  readonly content?: string | Uint8Array;
  /** What lies in the file, where it is not the content as the method packs it. */
  readonly packed?: Uint8Array;
  /** 8 (deflate) unless said otherwise; 0 stores. */
  readonly method?: number;
  readonly flags?: number;
  /** Unix mode, such as 0o120777 for a symbolic link. */
  readonly mode?: number;
  /** What the table of contents says of the content. */
  readonly claims?: { readonly bytes?: number; readonly crc?: number };
}

const utf8 = 0x8_00;

export function makeZip(entries: readonly ZipEntry[], comment = ''): Buffer<ArrayBuffer> {
  const bodies: Buffer[] = [];
  const table: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const { body, record } = makeEntry(entry, at);
    bodies.push(body);
    table.push(record);
    at += body.byteLength;
  }
  const size = table.reduce((sum, record) => sum + record.byteLength, 0);
  const end = Buffer.alloc(22 + comment.length);
  end.writeUInt32LE(0x06_05_4b_50, 0);
  end.writeUInt16LE(entries.length % 0x1_00_00, 8);
  end.writeUInt16LE(entries.length % 0x1_00_00, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  end.write(comment, 22, 'latin1');
  return Buffer.concat([...bodies, ...table, end]);
}

function makeEntry(entry: ZipEntry, at: number): { body: Buffer; record: Buffer } {
  const { name, content = '', method = 8, flags = utf8, mode = 0o100644, claims = {} } = entry;
  const path = Buffer.from(name);
  const bytes = Buffer.from(content);
  const packed = entry.packed ?? (method === 8 ? deflateRawSync(bytes) : bytes);
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0);
  shared.writeUInt16LE(flags, 2);
  shared.writeUInt16LE(method, 4);
  shared.writeUInt16LE((14 << 11) | (5 << 5), 6);
  shared.writeUInt16LE((46 << 9) | (11 << 5) | 22, 8);
  shared.writeUInt32LE(claims.crc ?? crcOf(bytes), 10);
  shared.writeUInt32LE(packed.byteLength, 14);
  shared.writeUInt32LE(claims.bytes ?? bytes.byteLength, 18);
  shared.writeUInt16LE(path.byteLength, 22);
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE((mode << 16) >>> 0, 6);
  tail.writeUInt32LE(at, 10);
  return {
    body: Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), shared, path, packed]),
    // Made on Unix.
    record: Buffer.concat([Buffer.from([0x50, 0x4b, 1, 2, 20, 3]), shared, tail, path]),
  };
}

/** Zeros as deflate packs them, however many: most of it is the same few kilobytes again and again. */
export function packedZeros(megabytes: number): Uint8Array {
  const one = deflateRawSync(Buffer.alloc(2 ** 20), { finishFlush: constants.Z_SYNC_FLUSH });
  const last = Buffer.from([3, 0]);
  return Buffer.concat([...Array.from({ length: megabytes }, () => one), last]);
}

function crcOf(bytes: Buffer): number {
  return crc32(bytes);
}
