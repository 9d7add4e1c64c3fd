/** Detection of open pages. */

import { expect, test } from 'vitest';
import { FakeLocks } from '../async/locks.fixture.ts';
import { openPages } from './open-pages.ts';

test('a page detects itself and the others of its base path', async () => {
  const locks = new FakeLocks();
  const manager = locks as unknown as LockManager;
  const first = openPages(manager, '/', 'a');
  const second = openPages(manager, '/', 'b');
  openPages(manager, '/elsewhere/', 'c');
  expect([first?.own, await first?.living()]).toEqual(['a', new Set(['a', 'b'])]);
  expect(await second?.living()).toEqual(new Set(['a', 'b']));
});

test('pages of older builds are detected, and the lock is not one of those that the service worker asks', async () => {
  const locks = new FakeLocks();
  void locks.request('cloche-page:/:old', () => new Promise(() => undefined));
  const page = openPages(locks, '/', 'new');
  expect(await page?.living()).toEqual(new Set(['new', 'old']));
  expect(locks.held).toEqual(['cloche-open:/:new', 'cloche-page:/:old']);
});

test('without locks, open pages cannot be detected', () => {
  expect(openPages(undefined, '/', 'a')).toBeNull();
});
