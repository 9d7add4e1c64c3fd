/** The shell's budget: index.html, with its styles, and the scripts that it loads, compressed. */
import { readFileSync } from 'node:fs';

const page = readFileSync(new URL('dist/index.html', import.meta.url), 'utf8');
const loaded = [...page.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="\.\/(assets\/[^"]+)"/g)];

export default [
  {
    name: 'shell',
    path: ['dist/index.html', ...loaded.map(([, path = '']) => `dist/${path}`)],
    limit: '60 kB',
    gzip: true,
  },
];
