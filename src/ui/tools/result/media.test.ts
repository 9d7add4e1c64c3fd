import { expect, test } from 'vitest';
import { drawable, extensionOf } from './media.ts';

test('raster pictures are drawn, SVG in its own way, anything else is not', () => {
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

test('downloads get a fitting ending, never one that the tool spells out', () => {
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
