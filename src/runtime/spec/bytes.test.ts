import { expect, test } from 'vitest';
import { fromBase64, sha256Of, toBase64, utf8Text } from './bytes.ts';

const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

test('bytes of any kind have the hash that FIPS 180 gives for them', async () => {
  const bytes = new TextEncoder().encode('abc');
  const shared = new Uint8Array(new SharedArrayBuffer(3));
  shared.set(bytes);
  const within = new TextEncoder().encode('xabcx').subarray(1, 4);
  const hashes = [bytes, bytes.slice().buffer, shared, within].map(sha256Of);
  expect(await Promise.all(hashes)).toEqual([abc, abc, abc, abc]);
});

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

test('bytes are text only if they are UTF-8', () => {
  expect(utf8Text(new TextEncoder().encode('\ufeffsüß'))).toBe('süß');
  expect(utf8Text(Uint8Array.of(0x66, 0xfc, 0x72))).toBeNull();
});
