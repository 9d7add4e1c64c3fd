import { expect, test } from 'vitest';
import { base64Blob, base64Bytes, drawable, extensionOf } from './media.ts';

test('raster pictures are drawn, SVG in its own way, and other types are not', () => {
  const types = [
    'image/png',
    ' IMAGE/JPEG; q=1',
    'image/svg+xml',
    'text/html',
    'image/png+xml',
    '',
  ];
  expect(types.map(drawable)).toEqual(['raster', 'raster', 'svg', 'no', 'no', 'no']);
});

test('downloads get an extension for their type, never one chosen by the tool', () => {
  const types = [
    'image/png',
    'image/jpeg',
    'text/csv; charset=utf-8',
    'application/x-msdownload',
    'image/../../x',
    'constructor',
  ];
  expect(types.map(extensionOf)).toEqual(['png', 'jpg', 'csv', 'bin', 'bin', 'bin']);
});

const never = new AbortController().signal;

test('bytes are decoded correctly over several slices', async () => {
  const bytes = Uint8Array.from({ length: 2_500_001 }, (_, i) => (i * 31) % 256);
  const data = Buffer.from(bytes).toString('base64');
  const blob = await base64Blob(never, data, 'image/png');
  expect(blob.type).toBe('image/png');
  expect(base64Bytes(data)).toBe(bytes.length);
  expect(Buffer.from(await blob.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true);
});

test('an empty text gives an empty blob', async () => {
  expect((await base64Blob(never, '', 'x/y')).size).toBe(0);
  expect(base64Bytes('')).toBe(0);
});

test('text that is not base64 is rejected', async () => {
  await expect(base64Blob(never, '§§§§', 'x/y')).rejects.toThrow();
});

test('an abort between slices ends decoding', async () => {
  const stop = new AbortController();
  const work = base64Blob(stop.signal, 'A'.repeat(1 << 22), 'x/y');
  stop.abort(new Error('gone'));
  await expect(work).rejects.toThrow('gone');
});
