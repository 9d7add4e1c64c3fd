/** Differences between two snapshots. */

import { expect, test } from 'vitest';
import { listChangedPaths, changesBetween } from './folder.ts';
import { fakeFolder } from '../folder/folder.fixture.ts';

test('reports written and removed files', () => {
  const before = fakeFolder({ 'a.py': '1', 'b.py': '2', 'c.py': '3' });
  const after = fakeFolder({ 'a.py': '1', 'b.py': '9', 'd.py': '4' });
  const changes = changesBetween(before, after);
  expect(changes.written.map(({ path }) => path)).toEqual(['b.py', 'd.py']);
  expect([changes.removed, changes.cameOrWent]).toEqual([['c.py'], true]);
  expect([...listChangedPaths(changes)]).toEqual(['c.py', 'b.py', 'd.py']);
});

test('the same bytes are no change, whatever their time, and an edit adds or removes no file', () => {
  const before = fakeFolder({ 'a.py': '1' });
  const touched = { ...before, files: [{ ...before.files[0]!, modifiedAt: 7 }] };
  expect(changesBetween(before, touched)).toEqual({ written: [], removed: [], cameOrWent: false });
  expect(changesBetween(before, fakeFolder({ 'a.py': '2' })).cameOrWent).toBe(false);
});
