import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '../../runtime/storage/db.ts';
import { openServerStore } from './server-store.ts';

test('a server that another tab has removed is not stored again, and tabs notify each other', async () => {
  const database = await openDatabase('/servers/', () => {});
  const open = () => openServerStore(() => Promise.resolve(database), '/servers/');
  const [first, second] = [open(), open()];
  const heard: string[] = [];
  first.observe(() => heard.push('first'));
  second.observe(() => heard.push('second'));
  const server = { id: 'a', key: 'a', url: 'https://a.example/', addedAt: 1, pinned: [] };
  await first.add(server);
  const changed = { ...server, key: 'b' };
  await second.put(changed);
  expect(await first.list()).toEqual([changed]);
  await second.remove('a');
  await first.put(server);
  expect(await second.list()).toEqual([]);
  await vi.waitFor(() => expect(heard).toEqual(['second', 'first']));
});

test('keys are replaced only if they are still those of the sign-in before', async () => {
  const database = await openDatabase('/keys/', () => {});
  const store = openServerStore(() => Promise.resolve(database), '/keys/');
  const keysOf = (state: string) => ({
    headers: [],
    signedIn: { origins: [], state, secrets: [] },
  });
  await store.putKeys('a', keysOf('first'), null);
  await store.putKeys('a', keysOf('first, refreshed'), 'first');
  expect(await store.keys('a')).toEqual(keysOf('first, refreshed'));
  // Another page signs in again, and a refresh of the sign-in before comes late.
  await store.putKeys('a', keysOf('second'), null);
  await store.putKeys('a', keysOf('late'), 'first, refreshed');
  expect(await store.keys('a')).toEqual(keysOf('second'));
  await store.putKeys('a', null, null);
  await store.putKeys('a', keysOf('late'), 'second');
  expect(await store.keys('a')).toBeUndefined();
});
