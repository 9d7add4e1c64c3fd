import { expect, test } from 'vitest';
import { Storage } from './storage.svelte.ts';

test('every action is followed by a new measurement', async () => {
  const done: string[] = [];
  const usage = { offline: 1, snapshot: 4, packages: 5, total: 2, quota: 3, persisted: false };
  const storage = new Storage(
    Promise.resolve({
      usage: () => Promise.resolve({ ...usage, total: done.length }),
      persist: () => Promise.resolve(done.push('persist') < 0),
      storeOffline: () => Promise.resolve(void done.push('store')),
      removeOffline: () => Promise.resolve(void done.push('remove')),
      removeSnapshot: () => Promise.resolve(void done.push('remove snapshot')),
      removePackages: () => Promise.resolve(void done.push('remove packages')),
    }),
  );
  expect([storage.usage, storage.refused]).toEqual([null, false]);
  await storage.storeOffline();
  await storage.removeOffline();
  await storage.removeSnapshot();
  await storage.removePackages();
  expect(storage.usage).toEqual({ ...usage, total: 4 });
  await storage.persist();
  expect([storage.usage?.total, storage.refused]).toEqual([5, true]);
  expect(done).toEqual(['store', 'remove', 'remove snapshot', 'remove packages', 'persist']);
});

test('an outdated measurement is ignored', async () => {
  const usage = { offline: 1, snapshot: 0, packages: 0, total: 2, quota: 3, persisted: false };
  const measured: ((offline: number) => void)[] = [];
  const storage = new Storage(
    Promise.resolve({
      usage: () =>
        new Promise<typeof usage>((resolve) => {
          measured.push((offline) => {
            resolve({ ...usage, offline });
          });
        }),
      persist: () => Promise.resolve(true),
      storeOffline: () => Promise.resolve(),
      removeOffline: () => Promise.resolve(),
      removeSnapshot: () => Promise.resolve(),
      removePackages: () => Promise.resolve(),
    }),
  );
  const both = [storage.measure(), storage.measure()];
  await Promise.resolve();
  measured[1]?.(0);
  measured[0]?.(15);
  await Promise.all(both);
  expect(storage.usage?.offline).toBe(0);
});
