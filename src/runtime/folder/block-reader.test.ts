import { expect, test } from 'vitest';
import { blockReader } from './block-reader.ts';

const MB = 1024 * 1024;
const content = Uint8Array.from({ length: 9 * MB + 5 }, (_, index) => (index >> 8) % 251);

test('every part has the right bytes, within and across blocks', async () => {
  const read = blockReader(new Blob([content]));
  const parts: [number, number][] = [
    [0, 1],
    [4 * MB - 1, 2],
    [4 * MB, 10],
    [3 * MB, 6 * MB],
    [0, content.length],
    [9 * MB, 5],
    [7, 0],
  ];
  for (const [at, bytes] of parts)
    expect(Buffer.compare(await read(at, bytes), content.subarray(at, at + bytes))).toBe(0);
});

test('there is nothing after the end', async () => {
  const read = blockReader(new Blob([content]));
  expect([
    (await read(9 * MB, 100)).byteLength,
    (await read(20 * MB, 100)).byteLength,
    (await blockReader(new Blob())(0, 10)).byteLength,
  ]).toEqual([5, 0, 0]);
});

test('parts of the same block share one read', async () => {
  let slices = 0;
  const blob = new Blob([content]);
  const slice = blob.slice.bind(blob);
  blob.slice = (...range) => {
    slices += 1;
    return slice(...range);
  };
  const read = blockReader(blob);
  await Promise.all(Array.from({ length: 100 }, (_, index) => read(index * 1000, 1000)));
  expect(slices).toBe(1);
});
