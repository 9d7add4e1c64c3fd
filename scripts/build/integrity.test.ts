/** The hashes in a built page. */

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { withHashes } from '../../tests/support/integrity.ts';
import { addIntegrity, checkStyles } from './integrity.ts';

const page = `<head>
    <meta content="script-src 'self' 'sha256-a'; worker-src 'self'">
    <script type="module" crossorigin src="./assets/index-1.js"></script>
  </head>`;
const files = [
  { name: 'assets/late-2.js', content: 'late()' },
  { name: 'assets/index-1.js', content: 'import("./late-2.js")' },
  { name: 'assets/late-3.css', content: new TextEncoder().encode('a{}') },
];

function hash(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`;
}

test('the page has the hash of every script and style, and its policy the hash of their list', () => {
  const map = JSON.stringify({
    integrity: {
      './assets/index-1.js': hash('import("./late-2.js")'),
      './assets/late-2.js': hash('late()'),
      './assets/late-3.css': hash('a{}'),
    },
  });
  expect(addIntegrity(page, files)).toBe(`<head>
    <meta content="script-src 'self' 'sha256-a' '${hash(map)}'; worker-src 'self'">
    <script type="importmap">${map}</script>
    <script type="module" crossorigin src="./assets/index-1.js" integrity="${hash('import("./late-2.js")')}"></script>
  </head>`);
});

test('what the tests write is what the build would have written', () => {
  const other = files.map(({ name, content }) => ({ name, content: `${String(content)}\n` }));
  const contents = new Map(other.map(({ name, content }) => [name, content]));
  expect(withHashes(addIntegrity(page, files), contents)).toBe(addIntegrity(page, other));
  const without = withHashes(addIntegrity(page, files), new Map());
  expect(without).toContain('<script type="importmap">{"integrity":{}}</script>');
  expect(without).not.toContain('integrity="');
});

test.each([
  ['a page without a policy', page.replace('worker-src', 'style-src')],
  ['a page with two module scripts', page.replace(/<script.*<\/script>/, '$&$&')],
  ['a script that is not in the build', page.replace('index-1', 'index-2')],
])('%s is refused', (_, changed) => {
  expect(() => addIntegrity(changed, files)).toThrow();
});

test('another helper of Vite is refused, rather than left without a check', () => {
  expect(checkStyles('if (a) { link.href = dep.href; }')).toContain('link.integrity = ');
  expect(() => checkStyles('link.src = dep.href;')).toThrow('link');
});
