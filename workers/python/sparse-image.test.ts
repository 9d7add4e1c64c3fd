import { describe, expect, it } from 'vitest';
import { onlyHead, packImage, readImage, writeImage } from './sparse-image.ts';

const pageBytes = 4096;
const heapBytes = 1_000_000;

/** An image of `pages` pages with the given bytes, by offset. */
function image(pages: number, filled: Record<number, number> = {}): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(pages * pageBytes);
  for (const [at, byte] of Object.entries(filled)) made[Number(at)] = byte;
  return made;
}

async function packed(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  return new Blob(packImage(bytes)).arrayBuffer();
}

/** The image after it was packed and written into an empty heap. */
async function again(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { byteLength, runs } = readImage(await packed(bytes), heapBytes);
  const heap = new Int8Array(byteLength);
  writeImage(heap, { byteOffset: 0, byteLength }, runs);
  return new Uint8Array(heap.buffer);
}

describe('a packed image', () => {
  it.each([
    ['nothing', image(3)],
    ['first and last byte', image(4, { 0: 1, [4 * pageBytes - 1]: 2 })],
    [
      'pages side by side',
      image(5, { [pageBytes]: 1, [2 * pageBytes + 9]: 2, [4 * pageBytes]: 3 }),
    ],
    ['an incomplete page', new Uint8Array([0, 0, 0, 0, 7, 0, 0, 8])],
  ])('unpacks to the same bytes: %s', async (_, bytes) => {
    expect(await again(bytes)).toEqual(bytes);
  });

  it('contains no empty pages', async () => {
    const { byteLength } = await packed(image(100, { [50 * pageBytes]: 1 }));
    expect(byteLength).toBe(pageBytes + 6 * 4);
  });

  it('can be made from a part of a buffer', async () => {
    const whole = image(3, { 0: 9, [pageBytes]: 5, [2 * pageBytes]: 6 });
    const part = whole.subarray(pageBytes);
    expect(await again(part)).toEqual(Uint8Array.from(part));
  });
});

describe('an image that is written into a heap', () => {
  const head = 48;

  it('replaces everything after its head', async () => {
    const whole = image(6, { 0: 9, [head]: 1, [2 * pageBytes + 7]: 2, [6 * pageBytes - 1]: 3 });
    const { runs } = readImage(await packed(whole), heapBytes);
    const part = whole.subarray(head);
    for (const before of [0, 7]) {
      // The heap may be longer.
      const heap = new Int8Array(7 * pageBytes).fill(before);
      writeImage(heap, part, runs);
      expect(new Uint8Array(heap.buffer, 0, part.byteLength)).toEqual(Uint8Array.from(part));
      expect(heap.subarray(part.byteLength).every((byte) => byte === before)).toBe(true);
    }
  });

  it('does not write pages that are empty in both', async () => {
    const empty = image(5, { [pageBytes]: 1 });
    const { runs } = readImage(await packed(empty), heapBytes);
    const writes: [number, number][] = [];
    class Watched extends Int8Array<ArrayBuffer> {
      override set(from: ArrayLike<number>, at = 0): void {
        writes.push([at, from.length]);
      }

      override fill(_: number, from = 0, to = 0): this {
        writes.push([from, to - from]);
        return this;
      }
    }
    const heap = new Watched(new ArrayBuffer(5 * pageBytes));
    new Int8Array(heap.buffer)[3 * pageBytes + 5] = 1;
    writeImage(heap, empty, runs);
    expect(writes).toEqual([
      [pageBytes, pageBytes],
      [3 * pageBytes, pageBytes],
    ]);
  });
});

describe('the array that Pyodide is given', () => {
  it.each([
    ['within a page', 48],
    ['over an empty page', 2 * pageBytes + 16],
  ])('has only the head of the snapshot: %s', async (_, headBytes) => {
    const whole = image(4, { [headBytes - 1]: 5, [headBytes]: 6, [3 * pageBytes]: 7 });
    new Uint32Array(whole.buffer)[1] = headBytes;
    const expected = whole.slice();
    expected.fill(0, headBytes);
    expect(onlyHead(readImage(await packed(whole), heapBytes))).toEqual(expected);
  });

  it('is empty if the image has no head', async () => {
    const whole = image(3, { [pageBytes]: 1 });
    expect(onlyHead(readImage(await packed(whole), heapBytes))).toEqual(image(3));
  });
});

describe('an invalid image', () => {
  it('is rejected if it is cut off anywhere', async () => {
    const whole = await packed(image(3, { [pageBytes]: 1 }));
    for (const length of [0, 8, 16, 20, whole.byteLength - 1])
      expect(() => readImage(whole.slice(0, length), heapBytes), String(length)).toThrow(
        /snapshot/,
      );
  });

  it('is rejected if it has another version', async () => {
    const whole = await packed(image(1));
    new Uint32Array(whole)[1] = 99;
    expect(() => readImage(whole, heapBytes)).toThrow('not a snapshot of this format');
  });

  it('is rejected if it is larger than the heap', async () => {
    const whole = await packed(image(3));
    expect(() => readImage(whole, 2 * pageBytes)).toThrow('larger than the heap limit');
  });

  it('is rejected if a run lies outside it', async () => {
    const whole = await packed(image(2, { 0: 1 }));
    new Uint32Array(whole)[5] = 3 * pageBytes;
    expect(() => readImage(whole, heapBytes)).toThrow('truncated');
    new Uint32Array(whole).set([pageBytes, 0], 4);
    expect(() => readImage(whole, heapBytes)).toThrow('truncated');
  });
});
