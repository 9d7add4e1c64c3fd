/** When the workspace's folder is read again. */

import { expect, test } from 'vitest';
import type { ChangeNotice, FolderSource } from '../folder/source.ts';
import { defaultLimits } from '../spec/limits.ts';
import { FolderOnDisk } from './folder-on-disk.ts';
import { FakeDisk } from './workspace.fixture.ts';

const { signal } = new AbortController();

/** @param observe starts to observe; it is given what the observer calls with each notice */
function observed(observe: NonNullable<FolderSource['observe']>) {
  const disk = new FakeDisk({ a: 'old' });
  const clock = { now: 0 };
  const folder = new FolderOnDisk({ ...disk.source, observe }, defaultLimits, () => clock.now);
  const paths = async (): Promise<string[]> => {
    clock.now += 2_000;
    await folder.refresh(signal);
    return [...folder.view.files.keys()];
  };
  return { disk, paths };
}

const stop = (): void => undefined;

test('an observed folder is not read again until a change is reported', async () => {
  let notify: (notice: ChangeNotice) => void = stop;
  const { disk, paths } = observed((onNotice) => {
    notify = onNotice;
    return Promise.resolve(stop);
  });
  await paths();
  disk.put('b', 'new');
  const unread = await paths();
  notify(['b']);
  expect([unread, await paths()]).toEqual([['a'], ['a', 'b']]);
});

test('a folder that cannot be observed is read again', async () => {
  for (const observe of [() => Promise.resolve(null), () => Promise.reject(new Error('no'))]) {
    const { disk, paths } = observed(observe);
    await paths();
    disk.put('b', 'new');
    expect(await paths()).toEqual(['a', 'b']);
  }
});

test('once observing has ended, the folder is read again, even if the observer ended before it was ready', async () => {
  const { disk, paths } = observed((onNotice) => {
    onNotice('ended');
    return Promise.resolve(stop);
  });
  await paths();
  // The notice itself makes it read again once.
  await paths();
  disk.put('b', 'new');
  expect(await paths()).toEqual(['a', 'b']);
});

test('once observing has ended during a first reading that fails, the folder is read again', async () => {
  let notify: (notice: ChangeNotice) => void = stop;
  const { disk, paths } = observed((onNotice) => {
    notify = onNotice;
    return Promise.resolve(stop);
  });
  disk.readable = false;
  await expect(paths()).rejects.toThrow();
  notify('ended');
  disk.readable = true;
  await paths();
  disk.put('b', 'new');
  expect(await paths()).toEqual(['a', 'b']);
});
