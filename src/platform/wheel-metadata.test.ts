/** METADATA of intact and damaged wheels. */

import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { defaultLimits } from '../spec/limits.ts';
import { wheelMetadata } from './check-wheel.ts';

const { signal } = new AbortController();
const filename = 'x-1-py3-none-any.whl';
const text = 'Metadata-Version: 2.1\nName: x\nVersion: 1\nSummary: é\n';

function wheel(files: Record<string, string>): Blob {
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
      wheel({ 'x/__init__.py': '', 'x-1.dist-info/RECORD': '', 'x-1.dist-info/METADATA': text }),
    ),
  ).toBe(text);
});

test('METADATA is extracted from a wheel that contains nothing else', async () => {
  expect(await metadata(wheel({ 'x-1.dist-info/METADATA': text, 'x-1.dist-info/WHEEL': '' }))).toBe(
    text,
  );
});

test('a METADATA file elsewhere in the wheel is ignored', async () => {
  expect(
    await metadata(
      wheel({
        'a/x-1.dist-info/METADATA': 'hidden',
        'x/METADATA': 'data',
        'x-1.dist-info/METADATA': text,
      }),
    ),
  ).toBe(text);
});

test.each([
  ['no METADATA', wheel({ 'x/__init__.py': '', 'y/__init__.py': '' })],
  [
    'METADATA that is larger than any',
    wheel({ 'x-1.dist-info/METADATA': 'x'.repeat(2 ** 22 + 1) }),
  ],
  ['no zip', new Blob(['not a zip'])],
  ['nothing', new Blob([])],
])('%s', async (_, content) => {
  await expect(metadata(content)).rejects.toThrow(/x-1-py3-none-any/);
});

test('a damaged wheel is reported', async () => {
  const bytes = new Uint8Array(await wheel({ 'x-1.dist-info/METADATA': text }).arrayBuffer());
  bytes.fill(0, 40, 80);
  await expect(metadata(new Blob([bytes]))).rejects.toThrow(/./);
});

test('an abort rejects with the signal’s reason', async () => {
  const reason = new Error('another folder');
  const content = wheel({ 'x-1.dist-info/METADATA': text });
  await expect(metadata(content, AbortSignal.abort(reason))).rejects.toBe(reason);
});
