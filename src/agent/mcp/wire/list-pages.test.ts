/** Lists of a server that never end, or are too long. */

import type { Client } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { listAllPages } from './list-pages.ts';

function endless(page: () => unknown): { client: Client; asked: () => number } {
  let asked = 0;
  const client = {
    request: () => {
      asked += 1;
      return Promise.resolve({ tools: page(), nextCursor: `c${asked}` });
    },
  } as unknown as Client;
  return { client, asked: () => asked };
}

test('pages without end, 100,000 tools, and pages of 10 MB each are bounded', async () => {
  const empty = endless(() => []);
  expect(await listAllPages(empty.client, 'tools/list', 'tools')).toEqual([]);
  expect(empty.asked()).toBe(64);
  const many = endless(() => Array.from({ length: 100_000 }, (_, n) => ({ name: `t${n}` })));
  expect((await listAllPages(many.client, 'tools/list', 'tools')).length).toBe(10_000);
  expect(many.asked()).toBe(1);
  const long = endless(() => [{ name: 'long', description: 'x'.repeat(10_000_000) }]);
  await expect(listAllPages(long.client, 'tools/list', 'tools')).rejects.toThrow(
    'more than 32000000',
  );
  expect(long.asked()).toBe(4);
});

test('nesting that overflows the stack of a recursive walk is counted', async () => {
  let deep: unknown = 'end';
  for (let level = 0; level < 20_000; level += 1) deep = [deep];
  const { client } = endless(() => [{ name: 'deep', deep }]);
  expect(await listAllPages(client, 'tools/list', 'tools')).toHaveLength(64);
});

test('an empty cursor ends a list, a number leads on, and cursors in a circle end', async () => {
  const pages = async (cursors: readonly unknown[]): Promise<number> => {
    let asked = 0;
    const request = () => {
      asked += 1;
      return Promise.resolve({ tools: [asked], nextCursor: cursors[(asked - 1) % cursors.length] });
    };
    return (await listAllPages({ request } as unknown as Client, 'tools/list', 'tools')).length;
  };
  expect(await pages([''])).toBe(1);
  expect(await pages([null])).toBe(1);
  expect(await pages([2, null])).toBe(2);
  expect(await pages(['a', 'b'])).toBe(3);
});
