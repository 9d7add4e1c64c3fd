/** The subscription to changes, whose stream ends while the connection goes on. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepSubscribed } from './keep-subscribed.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Ending = 'local' | 'remote' | 'graceful';

/** Returns a client whose subscriptions end in these ways, one after the other. For null, the server refuses. */
function clientOf(endings: readonly (Ending | null)[]) {
  const filter = { toolsListChanged: true };
  const asked: unknown[] = [];
  const rest = [...endings];
  const next = () => {
    const closed = rest.shift();
    if (closed === undefined || closed === null) throw new Error('Refused');
    return {
      honoredFilter: filter,
      close: () => Promise.resolve(),
      closed: Promise.resolve(closed),
    };
  };
  const client = {
    autoOpenedSubscription: endings.length === 0 ? undefined : next(),
    transport: {},
    listen: (of: unknown) => {
      asked.push(of);
      return Promise.resolve().then(next);
    },
  };
  return { client: client as never, asked, filter };
}

test('a subscription that the server ends is opened again, and the lists are read again', async () => {
  const { client, asked, filter } = clientOf(['remote', null, 'graceful', 'local']);
  const onGap = vi.fn();
  const kept = keepSubscribed(client, onGap);
  await vi.runAllTimersAsync();
  await kept;
  expect(asked).toEqual([filter, filter, filter]);
  expect(onGap).toHaveBeenCalledTimes(2);
});

test('a server that refuses is asked a few times', async () => {
  const { client, asked } = clientOf(['remote', ...Array<null>(50).fill(null)]);
  const kept = keepSubscribed(client, () => undefined);
  await vi.runAllTimersAsync();
  await kept;
  expect(asked.length).toBeLessThanOrEqual(5);
});

test('a server that ends each stream at once is asked a few times as well', async () => {
  const { client, asked } = clientOf(Array<Ending>(50).fill('remote'));
  const onGap = vi.fn();
  const kept = keepSubscribed(client, onGap);
  await vi.runAllTimersAsync();
  await kept;
  expect([asked.length, onGap.mock.calls.length]).toEqual([4, 4]);
});

test('nothing is opened without a subscription, or after the connection has ended', async () => {
  const none = clientOf([]);
  await keepSubscribed(none.client, () => undefined);
  expect(none.asked).toEqual([]);
  const { client, asked } = clientOf(['remote', 'local']);
  const kept = keepSubscribed(client, () => undefined);
  (client as { transport: unknown }).transport = undefined;
  await vi.runAllTimersAsync();
  await kept;
  expect(asked).toEqual([]);
});
