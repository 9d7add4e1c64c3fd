/** Names of files and folders that are skipped because they belong to another program. */

import { comparableName, lookalikeName } from './comparable-name.ts';

const skipped = new Set([
  'node_modules',
  '__pycache__',
  '.venv',
  '.tox',
  '.nox',
  '.eggs',
  '.ipynb_checkpoints',
  '.git',
  '.hg',
  '.svn',
  '.idea',
  '.vscode',
  '.cache',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  // macOS adds this folder to zip files, and other systems unpack it.
  '__macosx',
]);

/**
 * Returns the name that a file or folder has, or may be taken for, if it belongs to another program: caches, installed
 * packages, repositories. Such files and folders are skipped, and never written. `.git` may be a file, too.
 */
export function skippedName(name: string): string | undefined {
  // The short name that Windows gives to `.git`.
  if (/^git~\d+$/.test(comparableName(name))) return '.git';
  // @mutant lookalike letters are compared as equal => lookalikeName -> comparableName
  //   [src/runtime/folder/path-rules.test.ts]
  // @mutant names are compared as the most lenient file system does => lookalikeName(name) -> name
  //   [src/runtime/folder/path-rules.test.ts src/runtime/workspace/refused-path.test.ts]
  const alike = lookalikeName(name);
  return skipped.has(alike) ? alike : undefined;
}
