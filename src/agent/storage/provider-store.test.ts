import 'fake-indexeddb/auto';
import { afterEach, expect, test } from 'vitest';
import type { StoredProvider } from '../providers/provider-types.ts';
import { openDatabase } from '../../runtime/storage/db.ts';
import { openProviderStore } from './provider-store.ts';

const database = await openDatabase('/providers/', () => {});
afterEach(async () => {
  await database.clear('providers');
  await database.clear('keys');
});

const provider: StoredProvider = {
  id: 'p1',
  kind: 'anthropic',
  name: 'Mine',
  baseUrl: '',
  headers: ['x-org'],
  models: [],
  byHand: [],
  listedAt: null,
  key: 'kept',
  addedAt: 5,
};
const secrets = { baseUrl: '', key: 'sk-1', headers: { 'x-org': 'one' } };
const yours = { ...provider, name: 'Yours' };

test('secrets are stored separately, stay if they are not mentioned, and can be removed', async () => {
  const store = openProviderStore(() => Promise.resolve(database), '/providers/');
  await store.put(provider, secrets);
  expect([await store.list(), await store.secrets('p1')]).toEqual([
    [provider],
    { provider, secrets },
  ]);
  expect(await database.getAll('providers')).toEqual([provider]);
  await store.put(yours, undefined);
  expect(await store.secrets('p1')).toEqual({ provider: yours, secrets });
  await store.put(provider, null);
  expect([await store.list(), await store.secrets('p1')]).toEqual([
    [provider],
    { provider, secrets: undefined },
  ]);
  await store.put(provider, secrets);
  await store.remove('p1');
  expect([await store.list(), await store.secrets('p1')]).toEqual([
    [],
    { provider: undefined, secrets: undefined },
  ]);
});

test("saving an outdated provider does not undo another tab's change of address", async () => {
  const store = openProviderStore(() => Promise.resolve(database), '/providers/');
  await store.put(provider, secrets);
  const moved = { ...provider, baseUrl: 'https://elsewhere.example/v1' };
  const there = { ...secrets, baseUrl: moved.baseUrl };
  await store.put(moved, there);
  expect(await store.put({ ...provider, listedAt: 7 }, undefined)).toBe(false);
  expect(await store.secrets('p1')).toEqual({ provider: moved, secrets: there });
  expect(await store.put({ ...moved, listedAt: 7 }, undefined)).toBe(true);
});

test('saving an outdated provider does not restore it after another tab has removed it', async () => {
  const store = openProviderStore(() => Promise.resolve(database), '/providers/');
  await store.put(provider, secrets);
  await store.remove('p1');
  expect(await store.put({ ...provider, listedAt: 7 }, undefined)).toBe(false);
  expect(await store.list()).toEqual([]);
});

test('other tabs are notified of a change, without secrets', async () => {
  const here = openProviderStore(() => Promise.resolve(database), '/providers/');
  const there = openProviderStore(() => Promise.resolve(database), '/providers/');
  const heard: unknown[] = [];
  const raw = new BroadcastChannel('cloche:/providers/:providers');
  raw.onmessage = ({ data }: MessageEvent) => heard.push(data);
  let reported = 0;
  const dispose = there.observe(() => {
    reported += 1;
  });
  await here.put(provider, secrets);
  await expect.poll(() => reported).toBe(1);
  dispose();
  await here.remove('p1');
  await expect.poll(() => heard).toEqual(['changed', 'changed']);
  expect(reported).toBe(1);
  raw.close();
});
