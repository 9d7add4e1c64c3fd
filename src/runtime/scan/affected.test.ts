/** Which files are inspected again after a change. */

import { expect, test } from 'vitest';
import { changesBetween } from '../spec/folder.ts';
import { fakeFolder } from '../folder/folder.fixture.ts';
import { findAffectedFiles } from './affected.ts';
import { createPacer } from '../async/pace.ts';
import type { ScannedFile } from './scan.ts';
import { fakeInspection } from './tool.fixture.ts';

type Files = Record<string, string>;

async function affected(before: Files, after: Files, imports: Record<string, string[]> = {}) {
  const old = fakeFolder(before);
  const now = fakeFolder(after);
  const known = new Map(
    Object.keys(before).map((file): [string, ScannedFile] => [
      file,
      {
        file,
        hash: '',
        fingerprint: '',
        inspection: fakeInspection(file, { imports: imports[file] ?? [] }),
      },
    ]),
  );
  const files = await findAffectedFiles(now, changesBetween(old, now), known, old, createPacer());
  return files.map(({ path }) => path);
}

test('the changed file and files that need it, but no others', async () => {
  const before = { 'a.py': '1', 'b.py': '1', 'c.py': '1', '_h.py': '1', 'rates.json': '1' };
  const imports = { 'a.py': ['_h.py'], 'b.py': ['rates.json'] };
  expect(await affected(before, { ...before, 'c.py': '2' }, imports)).toEqual(['c.py']);
  expect(await affected(before, { ...before, '_h.py': '2' }, imports)).toEqual(['a.py']);
  expect(await affected(before, { ...before, 'rates.json': '2' }, imports)).toEqual(['b.py']);
  const { '_h.py': _, ...without } = before;
  expect(await affected(before, without, imports)).toEqual(['a.py']);
  expect(await affected(before, before, imports)).toEqual([]);
});

test('a new file, and files that mention its name', async () => {
  const before = {
    'a.py': 'import late',
    'b.py': 'import later',
    'c.py': 'open("x+y.json")',
    'd.py': 'from pkg import x',
    'e.py': '',
    'f.py': 'open(f"{name}.json")',
  };
  const come = (file: string) => affected(before, { ...before, [file]: '' });
  expect(await come('late.py')).toEqual(['a.py', 'late.py']);
  expect(await come('x+y.json')).toEqual(['c.py', 'f.py']);
  expect(await come('data/z.json')).toEqual(['f.py']);
  expect(await come('pkg/__init__.py')).toEqual(['d.py']);
  expect(await come('.hidden')).toEqual([]);
});

test('files that need a file that mentions the new one', async () => {
  const before = {
    'a.py': 'import _h',
    '_h.py': 'try:\n    import late\nexcept ImportError: pass',
  };
  expect(await affected(before, { ...before, '_late.py': '' }, { 'a.py': ['_h.py'] })).toEqual([]);
  const imports = { 'a.py': ['_h.py'] };
  expect(await affected(before, { ...before, 'sub/late.py': '' }, imports)).toEqual(['a.py']);
});
