/**
 * Unpacks one entry of a zip file with the browser's decompressor: in slices, verified, and within its declared size.
 */

import type { ReadPart } from '../folder/block-reader.ts';
import { zipAgain } from './zip-records.ts';
import type { Pacer } from '../async/pace.ts';
import { ToolError } from '../spec/error.ts';

export interface Packed {
  /** Offset of the entry's data. */
  readonly at: number;
  readonly packedBytes: number;
  readonly isStored: boolean;
  /** The declared size of the unpacked content. */
  readonly bytes: number;
  readonly crc: number;
}

/** Deflate expands data at most 1,032 times, so that one piece never becomes more than 4 MB. */
const pieceBytes = 4096;
const windowBytes = 256 * 1024;
const storedBlockBytes = 0xff_ff;

type Piece = Uint8Array<ArrayBuffer>;

/**
 * Returns the unpacked content, exactly `bytes` long.
 *
 * @throws {ToolError} if the content has another size, or is damaged
 */
export async function inflate(read: ReadPart, packed: Packed, pacer: Pacer): Promise<Piece> {
  // The data is unpacked as gzip, the only format for which the browser verifies length and
  // checksum.
  const { readable, writable } = new DecompressionStream('gzip');
  const feeding = feed(writable.getWriter(), gzip(read, packed), pacer);
  // Errors also reach the reader.
  feeding.catch(() => undefined);
  const content = new Uint8Array(packed.bytes);
  const reader = readable.getReader();
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const from = bytes;
      bytes += value.byteLength;
      if (bytes > packed.bytes) throw new Error('too much');
      content.set(value, from);
    }
    await feeding;
    return content;
  } catch {
    await reader.cancel().catch(() => undefined);
    throw new ToolError(
      'bad-input',
      bytes > packed.bytes
        ? 'its content is larger than the zip file says'
        : 'its content is damaged in the zip file',
      zipAgain,
    );
  }
}

async function feed(
  writer: WritableStreamDefaultWriter<BufferSource>,
  pieces: AsyncIterable<Piece>,
  pacer: Pacer,
): Promise<void> {
  for await (const piece of pieces) {
    for (let at = 0; at < piece.byteLength; at += pieceBytes) {
      if (pacer.mustRest()) await pacer.rest();
      await writer.write(piece.subarray(at, at + pieceBytes));
    }
  }
  await writer.close();
}

/** Wraps the entry's data in a gzip file. */
async function* gzip(read: ReadPart, packed: Packed): AsyncGenerator<Piece> {
  yield Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
  const maxPart = packed.isStored ? storedBlockBytes : windowBytes;
  for (let done = 0; done < packed.packedBytes; done += maxPart) {
    const part = await read(packed.at + done, Math.min(maxPart, packed.packedBytes - done));
    // A stored block of deflate, which contains uncompressed data.
    if (packed.isStored) yield blockHead(part.byteLength, { isLast: false });
    yield part;
  }
  if (packed.isStored) yield blockHead(0, { isLast: true });
  const tail = new DataView(new ArrayBuffer(8));
  // @mutant the checksum of an entry => packed.crc -> 0 [src/runtime/zip/zip-source.test.ts]
  tail.setUint32(0, packed.crc, true);
  tail.setUint32(4, packed.bytes, true);
  yield new Uint8Array(tail.buffer);
}

function blockHead(bytes: number, { isLast }: { isLast: boolean }): Piece {
  const head = new DataView(new ArrayBuffer(5));
  head.setUint8(0, isLast ? 1 : 0);
  head.setUint16(1, bytes, true);
  head.setUint16(3, bytes ^ 0xff_ff, true);
  return new Uint8Array(head.buffer);
}
