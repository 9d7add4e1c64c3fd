/** The rules for paths. */

import { expect, test } from 'vitest';
import {
  isSkippedFolder,
  isToolFile,
  liesInSkippedFolder,
  pathFault,
  shownPath,
} from './path-rules.ts';

test('accepts every ordinary name in any language', () => {
  const names = [
    'a.py',
    'CON.py',
    'a/b/c.txt',
    '天気.py',
    '👩‍🔬.py',
    'e\u0301.py',
    ' .py',
    '...',
    '__proto__',
  ];
  expect(names.filter((name) => pathFault(name) !== undefined)).toEqual([]);
});

test('refuses what could leave the folder or break a file system', () => {
  const names = [
    '',
    '/a.py',
    'C:/a.py',
    'c:a.py',
    'a//b.py',
    'a/',
    '.',
    '../x.py',
    'a/../b.py',
    'a/./b.py',
    '..\\x.py',
    'a\0.py',
    'a\n.py',
    'a\u007f.py',
    'a\u0085.py',
    'a\ud800.py',
    'a'.repeat(1_001),
  ];
  expect(names.filter((name) => pathFault(name) === undefined)).toEqual([]);
});

test('skips folders of other programs, packages and caches, but not files with similar names', () => {
  const skipped = ['.git', 'node_modules', '.venv', '__pycache__', '.mypy_cache', '.idea'];
  expect(skipped.filter((name) => !isSkippedFolder(name))).toEqual([]);
  expect(['lib', 'venv', 'node_modules2'].filter(isSkippedFolder)).toEqual([]);
  expect(liesInSkippedFolder('a/.git/config')).toBe(true);
  expect(liesInSkippedFolder('a/.gitignore')).toBe(false);
});

test('tool files are .py files directly in the folder, neither hidden nor private', () => {
  const paths = [
    'a.py',
    'a.b.py',
    '_a.py',
    '.a.py',
    '.py',
    'sub/a.py',
    'a.PY',
    'a.pyc',
    'a',
    '天.py',
  ];
  expect(paths.filter(isToolFile)).toEqual(['a.py', 'a.b.py', '天.py']);
});

test('shows hostile names in one short line', () => {
  expect(shownPath('a\n\0\ud800b')).toBe('a\ufffd\ufffd\ufffdb');
  expect(shownPath('x'.repeat(5_000))).toHaveLength(201);
});
