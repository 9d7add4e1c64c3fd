import { expect, test } from 'vitest';
import { sha256Of } from './sha256.ts';

const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

test('bytes of any kind have the hash that FIPS 180 gives for them', async () => {
  const bytes = new TextEncoder().encode('abc');
  const shared = new Uint8Array(new SharedArrayBuffer(3));
  shared.set(bytes);
  const within = new TextEncoder().encode('xabcx').subarray(1, 4);
  const hashes = [bytes, bytes.slice().buffer, shared, within].map(sha256Of);
  expect(await Promise.all(hashes)).toEqual([abc, abc, abc, abc]);
});
