import { crc32, deflateSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import { takeImage } from './images.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A PNG of this size without pixel data. */
function png(width: number, height: number): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // The picture has eight bits of red, green and blue.
  header.set([8, 2], 8);
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync('')), chunk('IEND', '')];
  return Uint8Array.from(Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]));
}

function chunk(type: string, content: Buffer | string): Buffer {
  const body = Buffer.concat([Buffer.from(type), Buffer.from(content)]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(body.length - 4, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** Counts what would be decoded. */
function decoding(): { readonly count: number } {
  const decoded = { count: 0 };
  vi.stubGlobal('createImageBitmap', () => {
    decoded.count += 1;
    return Promise.reject(new Error('It is not decoded in this test.'));
  });
  return decoded;
}

test('an image is judged before it is decoded, by what its bytes say', async () => {
  const decoded = decoding();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  const refused: readonly (readonly [Blob, RegExp])[] = [
    [new Blob([png(30_000, 30_000)], { type: 'image/png' }), /: it is 30,000 pixels by 30,000/],
    [new Blob([png(30_000, 30_000)], { type: 'image/jpeg' }), /: it is 30,000 pixels by 30,000/],
    [new Blob([svg], { type: 'image/png' }), /: its data is not PNG, JPEG, GIF, WebP or BMP/],
    [new Blob([new Uint8Array(25_000_000)]), /: it is 25 MB; the limit is 24 MB/],
  ];
  for (const [file, reason] of refused) await expect(takeImage(file)).rejects.toThrow(reason);
  expect(decoded.count).toBe(0);
  // The control: an ordinary image, and one that a result would only draw on request, are decoded.
  for (const size of [100, 6_000])
    await expect(takeImage(new Blob([png(size, size)]))).rejects.toThrow('cannot be attached.');
  expect(decoded.count).toBe(2);
});
