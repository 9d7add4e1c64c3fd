import { expect, test } from 'vitest';
import { fromBase64, toBase64 } from './base64.ts';

test('bytes of every value survive a round trip, at every length around the end of a slice', () => {
  for (const length of [0, 1, 2, 3, 0x5fff, 0x6000, 0x6001, 70_000]) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 7) % 256);
    const text = toBase64(bytes);
    expect(text).toBe(Buffer.from(bytes).toString('base64'));
    expect(fromBase64(text)).toEqual(bytes);
  }
});

test('text that is not base64 gives null', () => {
  expect(['!', 'a', 'ab=c'].map(fromBase64)).toEqual([null, null, null]);
});
