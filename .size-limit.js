/** The shell's budget: the script and style that index.html loads before the first paint, compressed. */
import { readFileSync } from 'node:fs';

const page = readFileSync(new URL('dist/index.html', import.meta.url), 'utf8');
const loaded = [...page.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="\.\/(assets\/[^"]+)"/g)];

export default [
  {
    name: 'shell',
    path: loaded.map(([, path = '']) => `dist/${path}`),
    limit: '60 kB',
    gzip: true,
  },
];
