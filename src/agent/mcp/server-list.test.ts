/** The list of servers: what is added, removed, brought back, and shared with other tabs. */

import { afterEach, expect, test } from 'vitest';
import { added, bench, endServers, serve, until } from '../../../tests/support/mcp-bench.ts';

afterEach(endServers);

const echo = { name: 'echo', inputSchema: { type: 'object' } };

test('the number of servers is bounded', async () => {
  const at = (n: number) => ({
    id: `s${n}`,
    key: `s${n}`,
    url: `http://127.0.0.1:1/${n}`,
    addedAt: n,
    pinned: [],
  });
  const stored = Array.from({ length: 50 }, (_, n) => [`s${n}`, at(n)] as const);
  const { servers } = bench(new Map(stored));
  await expect(servers.add('https://more.example')).rejects.toThrow('There are 50 servers.');
});

test('addresses are checked, and a removed server comes back', async () => {
  const server = await serve({ tools: [echo] });
  const { servers, registry, stored } = await added(server.url);
  for (const [address, words] of [
    ['ftp://a.example', 'http or https'],
    ['https://me:secret@a.example', 'without a user name'],
    ['https://cloche.example/api/mcp', 'Cloche itself'],
    [server.url, 'already'],
  ] as const)
    await expect(servers.add(address)).rejects.toThrow(words);
  const undo = servers.remove(servers.list()[0]?.id ?? '');
  expect([servers.list(), registry.list(), stored.size]).toEqual([[], [], 0]);
  undo();
  await until(() => expect(registry.list()).toHaveLength(1));
  expect(stored.size).toBe(1);
});

test('an address that is added twice at once is added once, also while a removal of it is undone', async () => {
  const server = await serve({ tools: [echo] });
  const { servers, stored } = bench();
  const both = await Promise.allSettled([servers.add(server.url), servers.add(server.url)]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  const key = servers.list()[0]?.key;
  const undo = servers.remove(servers.list()[0]?.id ?? '');
  const again = servers.add(server.url).catch(() => null);
  undo();
  await again;
  await until(() => expect(servers.list()).toHaveLength(1));
  expect(servers.list().map(({ url }) => url)).toEqual([server.url]);
  expect(stored.size).toBe(1);

  // Another server of the same host has got the name of the removed one.
  const undoAgain = servers.remove(servers.list()[0]?.id ?? '');
  await servers.add(`${server.url}/other`);
  expect(servers.list()[0]?.key).toBe(key);
  undoAgain();
  await until(() => expect(servers.list()).toHaveLength(2));
  expect(new Set(servers.list().map((one) => one.key)).size).toBe(2);
});

test('a server that another tab adds or removes is added and removed, and is not stored again', async () => {
  const server = await serve({ tools: [echo] });
  const first = bench();
  const second = bench(first.stored);
  const id = await first.servers.add(server.url);
  await until(() => expect(second.servers.list()[0]?.state).toBe('connected'));
  expect(second.registry.list()).toHaveLength(1);
  second.servers.remove(id);
  await until(() => expect(first.servers.list()).toEqual([]));
  expect(first.registry.list()).toEqual([]);
  expect([...first.stored]).toEqual([]);
});
