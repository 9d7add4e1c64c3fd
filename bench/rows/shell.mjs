/** Gzipped script and style that the page needs before its first paint: index.html with its styles, and its scripts. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { distFolder } from '../../scripts/dist.mjs';

export default async function shell() {
  const html = await readFile(join(distFolder, 'index.html'), 'utf8');
  const files = [
    ...html.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="\.\/([^"]+\.(?:js|css))"/g),
  ];
  let bytes = 0;
  const names = ['index.html', ...files.map(([, file = '']) => file)];
  for (const file of names)
    bytes += gzipSync(await readFile(join(distFolder, file)), { level: 9 }).byteLength;
  return [{ name: 'shell', unit: 'bytes', ours: bytes, floor: 60_000, spread: 0, target: 1 }];
}
