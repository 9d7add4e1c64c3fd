/** Which resources a server is subscribed to in both eras: after failures, ended streams and over the next connection. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ReadResources } from './read-resources.ts';

type Era = 'legacy' | 'modern';
const eras: readonly Era[] = ['legacy', 'modern'];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

class Connection {
  /** The subscriptions that the server was asked for, and those that were ended. */
  readonly asked: string[] = [];
  /** The reported addresses. */
  readonly changed: string[] = [];
  readonly resources: ReadResources;
  /** Undefined once the connection has ended. */
  readonly client: { transport: object | undefined };
  refuses = false;
  notify: (uri: string) => void = () => undefined;
  endStream: () => void = () => undefined;

  constructor(era: Era, followed: readonly string[] = []) {
    const client = {
      transport: {},
      getServerCapabilities: () => ({ resources: { subscribe: true } }),
      getProtocolEra: () => era,
      setNotificationHandler: (_: string, handler: (message: object) => void) => {
        this.notify = (uri) => handler({ params: { uri } });
      },
      readResource: () => Promise.resolve({ contents: [] }),
      subscribeResource: ({ uri }: { uri: string }) => this.#ask(`+${uri}`),
      unsubscribeResource: ({ uri }: { uri: string }) => this.#ask(`-${uri}`),
      listen: async ({ resourceSubscriptions }: { resourceSubscriptions: string[] }) => {
        await this.#ask(resourceSubscriptions.join());
        let end: (how: string) => void = () => undefined;
        const closed = new Promise<string>((resolve) => {
          end = resolve;
        });
        this.endStream = () => end('remote');
        return {
          closed,
          close: () => {
            this.asked.push('closed');
            end('local');
            return Promise.resolve();
          },
        };
      },
    };
    this.client = client;
    const reports = { resourceChanged: (uri: string) => void this.changed.push(uri) };
    this.resources = new ReadResources(client as never, reports, followed);
  }

  async read(...uris: readonly string[]): Promise<void> {
    for (const uri of uris) {
      await this.resources.read(uri, null);
      await settled();
    }
  }

  #ask(subscription: string): Promise<object> {
    this.asked.push(subscription);
    return this.refuses ? Promise.reject(new Error('503')) : Promise.resolve({});
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => String(from + n));

test.for(eras)('changes of resources that were not read are not reported (%s)', async (era) => {
  const one = new Connection(era);
  one.notify('a');
  await one.read('a');
  one.notify('b');
  one.notify('a');
  expect(one.changed).toEqual(['a']);
});

test.for(eras)(
  'a resource whose subscription failed is followed when it is read again (%s)',
  async (era) => {
    const one = new Connection(era);
    await one.read('a');
    one.refuses = true;
    await one.read('b');
    expect(one.resources.followed).toEqual(['a']);
    one.refuses = false;
    await one.read('b', 'a');
    expect(one.resources.followed).toEqual(['b', 'a']);
    expect(one.asked).toEqual(
      era === 'legacy' ? ['+a', '+b', '+b'] : ['a', 'a,b', 'a,b', 'closed'],
    );
  },
);

test.for(eras)('a resource that is read again is dropped later than others (%s)', async (era) => {
  const one = new Connection(era);
  await one.read(...numbered(1, 20), '1', '21');
  expect(one.resources.followed).toEqual([...numbered(3, 20), '1', '21']);
  expect(one.asked.slice(-2)).toEqual(
    era === 'legacy' ? ['+21', '-2'] : [[...numbered(3, 20), '1', '21'].join(), 'closed'],
  );
});

test('a resource that is dropped is unsubscribed from, even if the next subscription fails', async () => {
  const one = new Connection('legacy');
  await one.read(...numbered(1, 20));
  one.refuses = true;
  await one.read('21');
  expect(one.asked.slice(-2)).toEqual(['+21', '-1']);
});

test('a stream that ends is opened again: at once if it has lasted, otherwise with the next read', async () => {
  const one = new Connection('modern');
  await one.read('a', 'b');
  one.endStream();
  await settled();
  expect(one.asked).toEqual(['a', 'a,b', 'closed']);
  await one.read('a');
  expect(one.asked.slice(3)).toEqual(['b,a']);
  vi.advanceTimersByTime(60_000);
  one.endStream();
  await settled();
  expect(one.asked.slice(4)).toEqual(['b,a']);
  vi.advanceTimersByTime(60_000);
  one.refuses = true;
  one.endStream();
  await settled();
  expect([one.asked.slice(5), one.resources.followed]).toEqual([['b,a'], []]);
});

test.for(eras)('the next connection follows what the one before has followed (%s)', async (era) => {
  const first = new Connection(era);
  await first.read('a', 'b');
  first.client.transport = undefined;
  first.refuses = true;
  vi.advanceTimersByTime(60_000);
  first.endStream();
  await first.read('c');
  const next = new Connection(era, first.resources.followed);
  await settled();
  expect(next.asked).toEqual(era === 'legacy' ? ['+a', '+b', '+c'] : ['a,b,c']);
  next.notify('a');
  expect(next.changed).toEqual(['a']);
});
