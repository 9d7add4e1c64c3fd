/** Which files interpreters get when the files of a folder change. */

import { expect, it } from 'vitest';
import { changesBetween, type FolderChanges, type FolderSnapshot } from '../spec/folder.ts';
import { fakeFolder } from '../folder/folder.fixture.ts';
import { defaultLimits } from '../spec/limits.ts';
import { FolderFiles } from './folder-files.ts';
import type { SettingValues } from '../spec/setting.ts';
import type { PristinePython } from './interpreter.ts';

const { signal } = new AbortController();

/** Records the files that it gets. */
function fakePython(onUpdate: () => void = () => undefined) {
  const log: string[] = [];
  const python = {
    openFolder: (_: AbortSignal, { files }: FolderSnapshot) => {
      log.push(`open ${files.map(({ path }) => path).join()}`);
      onUpdate();
      return Promise.resolve();
    },
    setSettings: (_: AbortSignal, values: SettingValues) => {
      log.push(`settings of ${Object.keys(values).join()}`);
      return Promise.resolve(new Set(Object.keys(values)));
    },
    updateFiles: (_: AbortSignal, __: unknown, { written, removed }: FolderChanges) => {
      log.push(`write ${written.map(({ path }) => path).join()}, remove ${removed.join()}`);
      return Promise.resolve(new Set(written.map(({ path }) => path)));
    },
  };
  return { python: python as unknown as PristinePython, log };
}

function change(files: FolderFiles, after: FolderSnapshot): void {
  files.change(after, changesBetween(files.now.folder, after));
}

it('includes changes that happen while files are being copied', async () => {
  const files = new FolderFiles(fakeFolder({ 'a.py': '1', 'b.py': '1' }), defaultLimits);
  const { python, log } = fakePython(() => {
    change(files, fakeFolder({ 'a.py': '2', 'b.py': '1' }));
    change(files, fakeFolder({ 'a.py': '2', 'c.py': '1' }));
  });
  await files.copyTo(signal, python);
  expect(log).toEqual(['open a.py,b.py', 'write a.py,c.py, remove b.py']);
  expect(files.versionOf(python)).toBe(files.now);
});

it('copies what an interpreter lacks, and nothing if it has a newer version', async () => {
  const files = new FolderFiles(fakeFolder({ 'a.py': '1', 'b.py': '1' }), defaultLimits);
  const { python, log } = fakePython();
  await files.copyTo(signal, python);
  change(files, fakeFolder({ 'a.py': '2', 'b.py': '1' }));
  const older = files.now;
  change(files, fakeFolder({ 'a.py': '2', 'b.py': '3' }));
  expect(await files.updateTo(signal, python, files.now)).toEqual(new Set(['a.py', 'b.py']));
  expect(await files.updateTo(signal, python, older)).toEqual(new Set());
  expect(log).toEqual(['open a.py,b.py', 'write a.py,b.py, remove ']);
});

it('sets the values of settings in interpreters that lack them', async () => {
  const files = new FolderFiles(fakeFolder({ 'a.py': '1' }), defaultLimits);
  const [early, late] = [fakePython(), fakePython()];
  await files.copyTo(signal, early.python);
  files.setSettings({ 'a.py': { Valves: { key: 'k' } } });
  expect(await files.updateTo(signal, early.python, files.now)).toEqual(new Set(['a.py']));
  await files.copyTo(signal, late.python);
  await files.bringUpToDate(signal, late.python);
  expect(early.log).toEqual(['open a.py', 'write , remove ', 'settings of a.py']);
  expect(late.log).toEqual(['open a.py', 'settings of a.py']);
});

it('stores unchanged files once, however often the folder is read', () => {
  const before = fakeFolder({ 'a.py': '1', 'b.py': '1' });
  const files = new FolderFiles(before, defaultLimits);
  const after = fakeFolder({ 'a.py': '2', 'b.py': '1' });
  change(files, after);
  expect(files.now.folder.files[0]).toBe(after.files[0]);
  expect(files.now.folder.files[1]).toBe(before.files[1]);
});
