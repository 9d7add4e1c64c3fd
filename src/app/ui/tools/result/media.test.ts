import { expect, test } from 'vitest';
import { base64Blob, base64Bytes, classifyDrawable, audioType } from './media.ts';

test('raster pictures are drawn, SVG in its own way, and other types are not', () => {
  const types = [
    'image/png',
    ' IMAGE/JPEG; q=1',
    'image/svg+xml',
    'text/html',
    'image/png+xml',
    '',
  ];
  expect(types.map(classifyDrawable)).toEqual(['raster', 'raster', 'svg', 'no', 'no', 'no']);
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

test('audio is recognised by its first bytes', () => {
  const starts = [
    ['RIFF\x24\x08\0\0WAVEfmt ', 'audio/wav'],
    ['RIFF\xff\xff\xff\xffWAVEfmt ', 'audio/wav'],
    ['OggS\0\x02', 'audio/ogg'],
    ['fLaC\0\0', 'audio/flac'],
    ['ID3\x04\0', 'audio/mpeg'],
    ['\xff\xfb\x90\x64', 'audio/mpeg'],
    ['\xff\xf3\x90\x64', 'audio/mpeg'],
    ['\0\0\0\x20ftypM4A ', 'audio/mp4'],
    ['RIFF\0\0\0\0WEBPVP8 ', null],
    ['<html><script>', null],
    ['\x89PNG\r\n', null],
    ['', null],
  ] as const;
  expect(starts.map(([bytes]) => audioType(btoa(bytes)))).toEqual(starts.map(([, type]) => type));
});
