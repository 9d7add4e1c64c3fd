import { expect, test } from 'vitest';
import type { FolderFile } from '../../../../runtime/spec/folder.ts';
import { findNeededFiles } from './needed-files.ts';

function folder(texts: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>): FolderFile[] {
  return Object.entries(texts).map(([path, text]) => {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    return { path, bytes, size: bytes.byteLength, modifiedAt: 0 };
  });
}

function paths(files: FolderFile[], ...start: string[]): string[] {
  return findNeededFiles(files, start)
    .map(({ path }) => path)
    .sort();
}

test('imports are followed, also through packages and with dots', () => {
  const files = folder({
    'main.py': 'import json, helper as h\nfrom lib.deep import (\n    one,\n    two,\n)\n',
    'helper.py': 'import main\n',
    'lib/__init__.py': 'from . import shared\n',
    'lib/deep/__init__.py': '',
    'lib/deep/one.py': 'from ..other import x\n',
    'lib/other.py': '',
    'lib/shared.py': '',
    'lib/unused.py': '',
    'unrelated.py': '',
  });
  expect(paths(files, 'main.py')).toEqual([
    'helper.py',
    'lib/__init__.py',
    'lib/deep/__init__.py',
    'lib/deep/one.py',
    'lib/other.py',
    'lib/shared.py',
    'main.py',
  ]);
});

test('files that the code names, and those that declare packages, are included', () => {
  const files = folder({
    'tools/a.py': 'open("rates.json"); open("shared/notes.md"); open("image.png")\n',
    'tools/rates.json': '{}',
    'shared/notes.md': '',
    'image.png': new Uint8Array([0xff, 0xfe]),
    'requirements.txt': 'attrs\n',
    'secret.txt': '',
  });
  expect(paths(files, 'tools/a.py')).toEqual([
    'requirements.txt',
    'shared/notes.md',
    'tools/a.py',
    'tools/rates.json',
  ]);
});
