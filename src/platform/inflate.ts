/** Unpacks one entry of a zip file with the browser's own decompressor: in slices, checked, and never more than it should be. */

import type { ReadPart } from '../folder/block-reader.ts';
import { zipAgain } from '../folder/zip-records.ts';
import type { Pacer } from '../async/pace.ts';
import { ToolError } from '../spec/error.ts';

export interface Packed {
  /** Where the entry's data lie. */
  readonly at: number;
  readonly packedBytes: number;
  readonly isStored: boolean;
  /** What is to come out. */
  readonly bytes: number;
  readonly crc: number;
}

/** Deflate makes at most 1,032 bytes of one, so that one piece never becomes more than 4 MB at once. */
const pieceBytes = 4096;
const windowBytes = 256 * 1024;
const storedBlockBytes = 0xff_ff;

type Piece = Uint8Array<ArrayBuffer>;

/**
 * @returns the content, exactly `bytes` of it
 * @throws {ToolError} where more comes out, or less, or something else
 */
export async function inflate(read: ReadPart, packed: Packed, pacer: Pacer): Promise<Piece> {
  // As gzip, so that the browser checks length and checksum; there is no other way to have it do so.
  const { readable, writable } = new DecompressionStream('gzip');
  const feeding = feed(writable.getWriter(), gzip(read, packed), pacer);
  // Whoever reads hears of it too.
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

/** The same data as a gzip file. */
async function* gzip(read: ReadPart, packed: Packed): AsyncGenerator<Piece> {
  yield Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
  const most = packed.isStored ? storedBlockBytes : windowBytes;
  for (let done = 0; done < packed.packedBytes; done += most) {
    const part = await read(packed.at + done, Math.min(most, packed.packedBytes - done));
    // Deflate's way to say something without compressing it.
    if (packed.isStored) yield blockHead(part.byteLength, false);
    yield part;
  }
  if (packed.isStored) yield blockHead(0, true);
  const tail = new DataView(new ArrayBuffer(8));
  tail.setUint32(0, packed.crc, true);
  tail.setUint32(4, packed.bytes, true);
  yield new Uint8Array(tail.buffer);
}

function blockHead(bytes: number, isLast: boolean): Piece {
  const head = new DataView(new ArrayBuffer(5));
  head.setUint8(0, isLast ? 1 : 0);
  head.setUint16(1, bytes, true);
  head.setUint16(3, bytes ^ 0xff_ff, true);
  return new Uint8Array(head.buffer);
}
