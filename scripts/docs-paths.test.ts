/** Tests that the source files and tests that the docs name exist. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from './dist.mjs';
import { filesBelow } from './isolated-tests.ts';

const sources = [
  ...['.ts', '.svelte'].flatMap((ending) => filesBelow(projectFolder, ending)),
  ...namesIn('tests', '.ts'),
];
const docs = ['README.md', 'CONTRIBUTING.md', ...namesIn('docs', '.md')];

/** A path with a folder, or a test: names such as `tools.ts` may be files of the reader. */
const path = /`((?:[\w-]+\/)+[\w.-]+\.(?:ts|svelte)|[\w.-]+\.test\.ts)`/g;

test('the source files and tests that the docs name exist', () => {
  const named = docs.flatMap((doc) =>
    Array.from(
      readFileSync(join(projectFolder, doc), 'utf8').matchAll(path),
      ([, name = '']) => [doc, name] as const,
    ),
  );
  expect(named.length).toBeGreaterThan(200);
  const known = new Set(sources.flatMap(endsOf));
  expect(named.filter(([, name]) => !known.has(name))).toEqual([]);
});

/** A path, and the ends of it that the docs may write instead. */
function endsOf(whole: string): string[] {
  const parts = whole.split('/');
  return parts.map((_, from) => parts.slice(from).join('/'));
}

function namesIn(folder: string, ending: string): string[] {
  return readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith(ending));
}
