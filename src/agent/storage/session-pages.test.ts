/** Coordination of pages with the same session. */

import { expect, test, vi } from 'vitest';
import type { SessionMessage } from '../../runtime/protocol/session-pages.ts';
import { FakeLocks } from '../../runtime/async/locks.fixture.ts';
import { openSessionPages } from './session-pages.ts';

let count = 0;
const path = (): string => `/pages-${String((count += 1))}/`;
const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

test('one page holds a session until it releases it', async () => {
  const locks = new FakeLocks();
  const first = openSessionPages(locks, '/');
  const second = openSessionPages(locks, '/');
  const giveBack = await first.take('s');
  expect([await second.take('s'), first.exclusive, locks.held]).toEqual([
    null,
    true,
    ['cloche-session:/:s'],
  ]);
  expect(await second.take('other')).toEqual(expect.any(Function));
  expect(await openSessionPages(locks, '/elsewhere/').take('s')).not.toBeNull();
  await giveBack?.();
  expect(await second.take('s')).not.toBeNull();
});

test('a page that loses a session is notified; one that released it is not', async () => {
  const locks = new FakeLocks();
  const first = openSessionPages(locks, '/');
  const second = openSessionPages(locks, '/');
  const lost = [vi.fn(), vi.fn()] as const;
  await first.take('s', { onLost: lost[0] });
  const giveBack = await second.take('s', { steal: true, onLost: lost[1] });
  await later();
  expect(lost.map((fake) => fake.mock.calls.length)).toEqual([1, 0]);
  await giveBack?.();
  await first.take('s', { steal: true });
  expect(lost.map((fake) => fake.mock.calls.length)).toEqual([1, 0]);
});

test('without locks, or if the browser refuses them, every page writes', async () => {
  const refusing = { request: () => Promise.reject(new DOMException('no', 'SecurityError')) };
  const without = openSessionPages(undefined, '/');
  const refused = openSessionPages(refusing, '/');
  expect([without.exclusive, refused.exclusive]).toEqual([false, true]);
  expect([await without.take('s'), await refused.take('s')]).toEqual([
    expect.any(Function),
    expect.any(Function),
  ]);
});

test('valid messages reach the other pages of the base path', async () => {
  const own = path();
  const [first, second, elsewhere] = [own, own, path()].map((base) =>
    openSessionPages(undefined, base),
  );
  const heard: [string, SessionMessage][] = [];
  first?.observe((message) => heard.push(['first', message]));
  const end = second?.observe((message) => heard.push(['second', message]));
  elsewhere?.observe((message) => heard.push(['elsewhere', message]));
  first?.send({ type: 'removed', session: 's' });
  const stranger = new BroadcastChannel(`cloche:${own}:sessions`);
  stranger.postMessage({ type: 'events', session: 's', from: 'x', events: null });
  await later();
  end?.();
  first?.send({ type: 'restored', session: 's' });
  await later();
  stranger.close();
  expect(heard).toEqual([['second', { type: 'removed', session: 's' }]]);
});

test('without channels, pages do not notify each other', async () => {
  vi.stubGlobal('BroadcastChannel', undefined);
  const pages = openSessionPages(undefined, path());
  vi.unstubAllGlobals();
  const heard = vi.fn();
  pages.observe(heard)();
  pages.send({ type: 'removed', session: 's' });
  await later();
  expect(heard).not.toHaveBeenCalled();
});
