import { describe, expect, it } from 'vitest';
import { packImage, unpackImage } from './sparse-image.ts';

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
    expect(unpackImage(await packed(bytes), heapBytes)).toEqual(bytes);
  });

  it('contains no empty pages', async () => {
    const { byteLength } = await packed(image(100, { [50 * pageBytes]: 1 }));
    expect(byteLength).toBe(pageBytes + 6 * 4);
  });

  it('can be made from a part of a buffer', async () => {
    const whole = image(3, { 0: 9, [pageBytes]: 5, [2 * pageBytes]: 6 });
    const part = whole.subarray(pageBytes);
    expect(unpackImage(await packed(part), heapBytes)).toEqual(Uint8Array.from(part));
  });
});

describe('an invalid image', () => {
  it('is rejected if it is cut off anywhere', async () => {
    const whole = await packed(image(3, { [pageBytes]: 1 }));
    for (const length of [0, 8, 16, 20, whole.byteLength - 1])
      expect(() => unpackImage(whole.slice(0, length), heapBytes), String(length)).toThrow(
        /snapshot/,
      );
  });

  it('is rejected if it has another version', async () => {
    const whole = await packed(image(1));
    new Uint32Array(whole)[1] = 99;
    expect(() => unpackImage(whole, heapBytes)).toThrow('not a snapshot of this format');
  });

  it('is rejected if it is larger than the heap', async () => {
    const whole = await packed(image(3));
    expect(() => unpackImage(whole, 2 * pageBytes)).toThrow('larger than the heap limit');
  });

  it('is rejected if a run lies outside it', async () => {
    const whole = await packed(image(2, { 0: 1 }));
    new Uint32Array(whole)[5] = 3 * pageBytes;
    expect(() => unpackImage(whole, heapBytes)).toThrow('truncated');
    new Uint32Array(whole).set([pageBytes, 0], 4);
    expect(() => unpackImage(whole, heapBytes)).toThrow('truncated');
  });
});
