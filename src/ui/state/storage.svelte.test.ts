import { expect, test } from 'vitest';
import { Storage } from './storage.svelte.ts';

test('every deed is followed by a new measurement', async () => {
  const done: string[] = [];
  const usage = { offline: 1, total: 2, quota: 3, persisted: false };
  const storage = new Storage(
    Promise.resolve({
      usage: () => Promise.resolve({ ...usage, total: done.length }),
      persist: () => Promise.resolve(done.push('persist') < 0),
      storeOffline: () => Promise.resolve(void done.push('store')),
      removeOffline: () => Promise.resolve(void done.push('remove')),
    }),
  );
  expect([storage.usage, storage.refused]).toEqual([null, false]);
  await storage.storeOffline();
  await storage.removeOffline();
  expect(storage.usage).toEqual({ ...usage, total: 2 });
  await storage.persist();
  expect([storage.usage?.total, storage.refused]).toEqual([3, true]);
  expect(done).toEqual(['store', 'remove', 'persist']);
});
