/** Reads many small parts of a Blob in a few large blocks, because browsers take milliseconds for each read. */

export const blockBytes = 1024 * 1024;
/** The highest number of blocks in memory at once. */
const maxBlocks = 32;

/** Reads `bytes` bytes at offset `at`; fewer at the end of the Blob. */
export type ReadPart = (at: number, bytes: number) => Promise<Uint8Array<ArrayBuffer>>;

/** @param check called with each block that is read; if it throws, so does reading any part of the block */
export function blockReader(
  blob: Blob,
  check: (block: Uint8Array<ArrayBuffer>, index: number) => Promise<void> = () => Promise.resolve(),
): ReadPart {
  const load = async (index: number): Promise<Uint8Array<ArrayBuffer>> => {
    const part = blob.slice(index * blockBytes, (index + 1) * blockBytes);
    const bytes = new Uint8Array(await part.arrayBuffer());
    await check(bytes, index);
    return bytes;
  };
  const blocks = new Map<number, Promise<Uint8Array<ArrayBuffer>>>();
  const block = (index: number): Promise<Uint8Array<ArrayBuffer>> => {
    const known = blocks.get(index);
    // Moves the block to the end of the map: the least recently used one comes first.
    blocks.delete(index);
    const found = known ?? load(index);
    blocks.set(index, found);
    const [oldest] = blocks.keys();
    if (blocks.size > maxBlocks && oldest !== undefined) blocks.delete(oldest);
    return found;
  };
  return async (at, bytes) => {
    const end = Math.min(at + bytes, blob.size);
    const from = at % blockBytes;
    const first = (await block(Math.floor(at / blockBytes))).subarray(from, from + end - at);
    if (first.byteLength >= end - at) return first;
    const part = new Uint8Array(end - at);
    part.set(first);
    for (let filled = first.byteLength; filled < part.byteLength;) {
      const next = await block(Math.floor((at + filled) / blockBytes));
      const piece = next.subarray(0, part.byteLength - filled);
      if (piece.byteLength === 0) throw new Error('The file was truncated while it was read.');
      part.set(piece, filled);
      filled += piece.byteLength;
    }
    return part;
  };
}
