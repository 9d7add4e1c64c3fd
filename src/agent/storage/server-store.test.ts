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
