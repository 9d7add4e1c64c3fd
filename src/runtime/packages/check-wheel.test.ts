/** Wheels that can and cannot be unpacked, and METADATA of intact and damaged ones. */

import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { defaultLimits } from '../spec/limits.ts';
import { checkWheel, wheelMetadata } from './check-wheel.ts';

const { signal } = new AbortController();
const filename = 'x-1-py3-none-any.whl';

function wheel(): Uint8Array<ArrayBuffer> {
  const module = new TextEncoder().encode('x = "a module"\n'.repeat(40));
  return new Uint8Array(zipSync({ 'x/__init__.py': module, 'x-1.dist-info/METADATA': module }));
}

function check(content: BlobPart, stop = signal): Promise<void> {
  return checkWheel(stop, new Blob([content]), filename, defaultLimits);
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

test.each(['../x.py', '/x.py', 'x\\y.py', './x.py'])(
  'a wheel with the path %s fails',
  async (path) => {
    await expect(check(wheelOf({ [path]: '' }))).rejects.toThrow(/an entry with an invalid path/);
  },
);

test('a file that is not a zip file fails', async () => {
  const bytes = new TextEncoder().encode('<html>');
  await expect(check(bytes)).rejects.toMatchObject({ code: 'package-broken' });
});

test('a wheel that is too large when unpacked is not unpacked', async () => {
  const bytes = wheel();
  const view = new DataView(bytes.buffer);
  const table = view.getUint32(bytes.length - 6, true);
  // The size of the first entry in the table of contents.
  view.setUint32(table + 24, 512 * 2 ** 20, true);
  await expect(check(bytes)).rejects.toMatchObject({
    code: 'package-limit',
    message: `${filename} unpacks to 513 MB, more than the limit of 512 MB`,
  });
});

test('an abort rejects with the signal’s reason', async () => {
  const reason = new Error('another folder');
  await expect(check(wheel(), AbortSignal.abort(reason))).rejects.toBe(reason);
});

const text = 'Metadata-Version: 2.1\nName: x\nVersion: 1\nSummary: é\n';

function wheelOf(files: Record<string, string>): Blob {
  const encoder = new TextEncoder();
  const bytes = Object.entries(files).map(([path, content]) => [path, encoder.encode(content)]);
  return new Blob([zipSync(Object.fromEntries(bytes) as Record<string, Uint8Array>)]);
}

function metadata(content: Blob, stop = signal): Promise<string> {
  return wheelMetadata(stop, content, filename, defaultLimits);
}

test('METADATA is extracted from a wheel', async () => {
  expect(
    await metadata(
      wheelOf({ 'x/__init__.py': '', 'x-1.dist-info/RECORD': '', 'x-1.dist-info/METADATA': text }),
    ),
  ).toBe(text);
});

test('METADATA is extracted from a wheel that contains nothing else', async () => {
  expect(
    await metadata(wheelOf({ 'x-1.dist-info/METADATA': text, 'x-1.dist-info/WHEEL': '' })),
  ).toBe(text);
});

test('a METADATA file elsewhere in the wheel is ignored', async () => {
  expect(
    await metadata(
      wheelOf({
        'a/x-1.dist-info/METADATA': 'hidden',
        'x/METADATA': 'data',
        'x-1.dist-info/METADATA': text,
      }),
    ),
  ).toBe(text);
});

test.each([
  ['no METADATA', wheelOf({ 'x/__init__.py': '', 'y/__init__.py': '' })],
  [
    'METADATA that is larger than any',
    wheelOf({ 'x-1.dist-info/METADATA': 'x'.repeat(2 ** 22 + 1) }),
  ],
  ['no zip', new Blob(['not a zip'])],
  ['nothing', new Blob([])],
])('%s', async (_, content) => {
  await expect(metadata(content)).rejects.toThrow(/x-1-py3-none-any/);
});

test('a damaged wheel is reported', async () => {
  const bytes = new Uint8Array(await wheelOf({ 'x-1.dist-info/METADATA': text }).arrayBuffer());
  bytes.fill(0, 40, 80);
  await expect(metadata(new Blob([bytes]))).rejects.toThrow(/./);
});

test('an abort rejects with the signal’s reason', async () => {
  const reason = new Error('another folder');
  const content = wheelOf({ 'x-1.dist-info/METADATA': text });
  await expect(metadata(content, AbortSignal.abort(reason))).rejects.toBe(reason);
});
