/** Which edits are held back. */

import { expect, test } from 'vitest';
import type { Inspection } from '../spec/tool.ts';
import type { Problem } from '../spec/folder.ts';
import { holdBack, type FileVersions } from './hold-back.ts';
import type { ScannedFile } from './scan.ts';
import { fakeInspection, fakeTool } from './tool.fixture.ts';

function scanned(file: string, over: Partial<Inspection>): ScannedFile {
  return { file, hash: '', fingerprint: '', inspection: fakeInspection(file, over) };
}

const error = (message: string, severity: Problem['severity'] = 'error'): Problem => {
  const place = { file: 'any.py', line: 1, column: null };
  return { severity, code: 'odd', message, expected: '', hint: '', ...place };
};

const tools = (...names: string[]) => ({ tools: names.map((name) => fakeTool(name)) });

/** A file with one tool that needs these files, with or without an error on disk. */
function file(name: string, imports: string[], broken = false): FileVersions {
  const good = { ...tools(`${name}:f`), imports };
  const bad = { problems: [error('no')], imports };
  return {
    inUse: scanned(`${name}.py`, good),
    onDisk: scanned(`${name}.py`, broken ? bad : good),
  };
}

function held(changed: string[], ...versions: FileVersions[]) {
  const { broken, files, paths } = holdBack(new Set(changed), versions);
  return { broken: [...broken], files: [...files], paths: [...paths].sort() };
}

const nothing = { broken: [], files: [], paths: [] };

test('valid edits are not held back', () => {
  expect(held(['a.py', 'h.py'], file('a', ['h.py']), file('b', []))).toEqual(nothing);
});

test('an error that removes tools holds back the file, and the changed files that it needs', () => {
  expect(
    held(['a.py', 'h.py', 'b.py'], file('a', ['h.py', 'same.py'], true), file('b', [])),
  ).toEqual({
    broken: ['a.py'],
    files: ['a.py'],
    paths: ['a.py', 'h.py'],
  });
});

test('files that share a held-back file are held back too, over any number of steps', () => {
  const versions = [
    file('d', ['y.py']),
    file('a', ['x.py'], true),
    file('b', ['x.py', 'y.py']),
    file('c', ['z.py']),
  ];
  expect(held(['x.py', 'y.py', 'z.py', 'b.py'], ...versions)).toEqual({
    broken: ['a.py'],
    files: ['a.py', 'b.py', 'd.py'],
    paths: ['b.py', 'x.py', 'y.py'],
  });
});

test('a helper that is removed stays in use while a file needs it', () => {
  const broken = {
    inUse: scanned('a.py', { ...tools('a:f'), imports: ['h.py'] }),
    onDisk: scanned('a.py', { problems: [error('no module h')] }),
  };
  expect(held(['h.py'], broken).paths).toEqual(['h.py']);
});

test('tools that are removed without an error are gone; a warning is not an error', () => {
  const without = {
    inUse: scanned('a.py', tools('a:f', 'a:g')),
    onDisk: scanned('a.py', tools('a:f')),
  };
  expect(held(['a.py'], without)).toEqual(nothing);
  const warned = {
    inUse: scanned('a.py', tools('a:f')),
    onDisk: scanned('a.py', { problems: [error('odd', 'warning')] }),
  };
  expect(held(['a.py'], warned)).toEqual(nothing);
});

test('a spec that never worked holds nothing back, nor does a new invalid one', () => {
  const bad = [error('c is wrong')];
  const renamed = {
    inUse: scanned('a.py', { ...tools('a:f', 'a:g'), problems: bad }),
    onDisk: scanned('a.py', { ...tools('a:f', 'a:h'), problems: bad }),
  };
  const added = {
    inUse: scanned('b.py', tools('b:f')),
    onDisk: scanned('b.py', { ...tools('b:f'), problems: bad }),
  };
  expect(held(['a.py', 'b.py'], renamed, added)).toEqual(nothing);
});

test('a new file with an error has no previous version to keep', () => {
  const fresh = { inUse: undefined, onDisk: scanned('a.py', { problems: [error('no')] }) };
  expect(held(['a.py'], fresh)).toEqual(nothing);
});
