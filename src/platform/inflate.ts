/** Unpacks one entry of a zip file with the browser's own decompressor: in slices, checked, and never more than it should be. */

import { createPacer } from '../scan/pace.ts';
import { ToolError } from '../spec/error.ts';
import { zipAgain } from '../folder/zip-records.ts';

export interface Packed {
  /** The entry's data as they lie in the zip file. */
  readonly data: Blob;
  readonly isStored: boolean;
  /** What is to come out. */
  readonly bytes: number;
  readonly crc: number;
}

/** Deflate makes at most 1,032 bytes of one, so that one piece never becomes more than 4 MB at once. */
const pieceBytes = 4096;
const windowBytes = 256 * 1024;
const storedBlockBytes = 0xff_ff;

/**
 * @returns the content in pieces, exactly `bytes` in all
 * @throws {ToolError} where more comes out, or less, or something else
 */
export async function inflate(packed: Packed): Promise<BlobPart[]> {
  // As gzip, so that the browser checks length and checksum; there is no other way to have it do so.
  const { readable, writable } = new DecompressionStream('gzip');
  const feeding = feed(writable.getWriter(), gzip(packed));
  // Whoever reads hears of it too.
  feeding.catch(() => undefined);
  const pieces: BlobPart[] = [];
  let bytes = 0;
  const reader = readable.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.byteLength;
      if (bytes > packed.bytes) throw new Error('too much');
      pieces.push(value);
    }
    await feeding;
    return pieces;
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
  content: Blob,
): Promise<void> {
  const pacer = createPacer();
  for (let at = 0; at < content.size; at += windowBytes) {
    const window = new Uint8Array(await content.slice(at, at + windowBytes).arrayBuffer());
    for (let from = 0; from < window.byteLength; from += pieceBytes) {
      await writer.ready;
      await writer.write(window.subarray(from, from + pieceBytes));
      if (pacer.due()) await pacer.rest();
    }
  }
  await writer.close();
}

/** The same data as a gzip file. */
function gzip({ data, isStored, bytes, crc }: Packed): Blob {
  const head = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
  const tail = new DataView(new ArrayBuffer(8));
  tail.setUint32(0, crc, true);
  tail.setUint32(4, bytes, true);
  return new Blob([head, ...(isStored ? storedBlocks(data) : [data]), tail]);
}

/** Deflate's way to say something without compressing it. */
function storedBlocks(data: Blob): BlobPart[] {
  const parts: BlobPart[] = [];
  for (let at = 0; at < data.size; at += storedBlockBytes) {
    const block = data.slice(at, at + storedBlockBytes);
    parts.push(blockHead(block.size, false), block);
  }
  return [...parts, blockHead(0, true)];
}

function blockHead(bytes: number, isLast: boolean): ArrayBuffer {
  const head = new DataView(new ArrayBuffer(5));
  head.setUint8(0, isLast ? 1 : 0);
  head.setUint16(1, bytes, true);
  head.setUint16(3, bytes ^ 0xff_ff, true);
  return head.buffer;
}
