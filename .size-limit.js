/** Budgets, compressed: the shell, and a playground in another page until Python is wanted. */
import { readFileSync } from 'node:fs';

/** A page and the files that it loads at once. */
function shellOf(/** @type {string} */ page) {
  const text = readFileSync(new URL(`dist/${page}`, import.meta.url), 'utf8');
  const loaded = [...text.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="\.\/(assets\/[^"]+)"/g)];
  return [`dist/${page}`, ...loaded.map(([, path = '']) => `dist/${path}`)];
}

export default [
  {
    name: 'shell',
    path: shellOf('index.html'),
    limit: '60 kB',
    gzip: true,
  },
  {
    name: 'playground, until Python is wanted',
    path: ['dist/cloche-playground.js', ...shellOf('playground.html')],
    limit: '20.1 kB',
    gzip: true,
  },
];
