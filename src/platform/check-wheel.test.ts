/** Checks of wheels that can and cannot be unpacked. */

import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { defaultLimits } from '../spec/limits.ts';
import { checkWheel } from './check-wheel.ts';

const { signal } = new AbortController();
const filename = 'x-1-py3-none-any.whl';

function wheel(): Uint8Array<ArrayBuffer> {
  const module = new TextEncoder().encode('x = "a module"\n'.repeat(40));
  return new Uint8Array(zipSync({ 'x/__init__.py': module, 'x-1.dist-info/METADATA': module }));
}

function check(bytes: Uint8Array<ArrayBuffer>, stop = signal): Promise<void> {
  return checkWheel(stop, new Blob([bytes]), filename, defaultLimits);
}

test('an intact wheel passes', async () => {
  await expect(check(wheel())).resolves.toBeUndefined();
});

test('a wheel with a damaged module fails, even if its table and METADATA are intact', async () => {
  const bytes = wheel();
  // After the local header and the name of the first entry.
  bytes.fill(0x55, 30 + 'x/__init__.py'.length, 30 + 'x/__init__.py'.length + 12);
  await expect(check(bytes)).rejects.toMatchObject({
    code: 'package-broken',
    message: `${filename} cannot be unpacked: its content is damaged in the zip file`,
  });
});

test('a file that is not a zip file fails', async () => {
  const bytes = new TextEncoder().encode('<html>');
  await expect(check(bytes)).rejects.toMatchObject({ code: 'package-broken' });
});

test('a wheel that is too large when unpacked is not unpacked', async () => {
  const bytes = wheel();
  const view = new DataView(bytes.buffer);
  const table = view.getUint32(bytes.length - 6, true);
  // The size of the first entry in the table of contents.
  view.setUint32(table + 24, 600 * 2 ** 20, true);
  await expect(check(bytes)).rejects.toMatchObject({
    code: 'package-limit',
    message: `${filename} unpacks to 600 MB, more than the limit of 512 MB`,
  });
});

test('an abort rejects with the signal’s reason', async () => {
  const reason = new Error('another folder');
  await expect(check(wheel(), AbortSignal.abort(reason))).rejects.toBe(reason);
});
