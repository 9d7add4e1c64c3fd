import { beforeEach, expect, test } from 'vitest';
import {
  base,
  FakeServer,
  sampleBuild,
  type SampleBuild,
} from '../../runtime/protocol/site.fixture.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { OfflineState } from '../../runtime/spec/offline.ts';
import type { OnStored } from './build-store.ts';
import { OfflineCopy, type OfflineCopyDeps } from './offline-copy.ts';

let server: FakeServer;
let own: SampleBuild;
let newer: SampleBuild;
let states: OfflineState[];
let updates: (string | null)[];
let done: string[];
let complete: boolean;
let failure: Error | undefined;
let choice: { declined: boolean };
let now: number;

beforeEach(async () => {
  server = new FakeServer();
  own = await sampleBuild('a');
  newer = await sampleBuild('b');
  server.deploy(own);
  [states, updates, done, complete, failure, choice, now] = [
    [],
    [],
    [],
    false,
    undefined,
    { declined: false },
    0,
  ];
});

function offlineWith(change: Partial<OfflineCopyDeps> = {}): OfflineCopy {
  return new OfflineCopy({
    base: new URL(base),
    build: own.id,
    store: {
      isComplete: () => Promise.resolve(complete),
      has: () => Promise.resolve(false),
      store: (signal, onStored) => {
        done.push('store');
        if (failure !== undefined) return Promise.reject(failure);
        onStored(1, 2);
        complete = true;
        return Promise.resolve();
      },
      confirm: () => Promise.resolve(void done.push('confirm')),
      dropOthers: () => Promise.resolve(void done.push('drop others')),
      clear: () => Promise.resolve(void done.push('clear')),
    },
    fetch: server.fetch,
    obstacle: Promise.resolve(undefined),
    quiet: Promise.resolve(),
    choice,
    now: () => now,
    onState: (state) => states.push(state),
    onUpdate: (build) => updates.push(build),
    ...change,
  });
}

test('a first visit stores the app, and reports progress', async () => {
  await offlineWith().start();
  expect(states).toEqual([
    { at: 'storing', done: 0, total: 0 },
    { at: 'storing', done: 1, total: 2 },
    { at: 'ready' },
  ]);
  expect(done).toEqual(['store', 'drop others', 'confirm']);
  expect(updates).toEqual([null]);
});

test.each([
  ['ready', undefined],
  ['failed', new Error('The disk is gone.')],
])('progress that arrives late does not change the state “%s”', async (at, fault) => {
  let report: OnStored = () => undefined;
  const offline = offlineWith({
    store: {
      ...handsStore(),
      store: (_, onStored) => {
        report = onStored;
        return fault === undefined ? Promise.resolve() : Promise.reject(fault);
      },
    },
  });
  await offline.store();
  report(2, 2);
  expect(states.map((state) => state.at)).toEqual(['storing', at]);
});

test('nothing is stored before the page has loaded what it needs', async () => {
  let settle = (): void => {};
  const quiet = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const started = offlineWith({ quiet }).start();
  await new Promise((resolve) => setTimeout(resolve));
  expect(done).toEqual([]);
  settle();
  await started;
  expect(done[0]).toBe('store');
});

test('the second visit is ready at once, without the server', async () => {
  complete = true;
  server.instead = () => Promise.reject(new TypeError('offline'));
  await offlineWith().start();
  expect([states, updates, done]).toEqual([[{ at: 'ready' }], [], []]);
});

test('without a service worker nothing is stored, and the reason is reported', async () => {
  await offlineWith({ obstacle: Promise.resolve('no https') }).start();
  expect(states).toEqual([{ at: 'unavailable', reason: 'no https' }]);
  expect(done).not.toContain('store');
});

test('a failure is reported with a remedy, and tried again when the server answers', async () => {
  failure = new ToolError('storage', 'The browser’s storage is full', 'Make room.');
  const offline = offlineWith();
  await offline.start();
  expect(states.at(-1)).toEqual({
    at: 'failed',
    message: 'The browser’s storage is full',
    hint: 'Make room.',
  });
  failure = undefined;
  await offline.look();
  expect(states.at(-1)).toEqual({ at: 'ready' });
});

test('after the files were removed, none are stored until the user asks for them', async () => {
  const offline = offlineWith();
  await offline.start();
  await offline.remove();
  expect(states.at(-1)).toEqual({ at: 'declined' });
  complete = false;
  done = [];
  const later = offlineWith();
  await later.start();
  expect(states.at(-1)).toEqual({ at: 'declined' });
  expect(done).not.toContain('store');
  await later.store();
  expect(states.at(-1)).toEqual({ at: 'ready' });
  expect(choice.declined).toBe(false);
});

test('removing the files stops a download', async () => {
  let aborted = false;
  const store = (signal: AbortSignal): Promise<void> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        aborted = true;
        reject(new DOMException('aborted', 'AbortError'));
      });
    });
  const offline = offlineWith({ store: { ...handsStore(), store } });
  const started = offline.start();
  await expect.poll(() => states.at(-1)?.at).toBe('storing');
  await offline.remove();
  await started;
  expect(aborted).toBe(true);
  expect(states.at(-1)).toEqual({ at: 'declined' });
});

test('another build on the server is reported once it is complete', async () => {
  const offline = offlineWith();
  await offline.start();
  server.contents.set(base, newer.page);
  await offline.look();
  expect(updates).toEqual([null]);
  server.deploy(newer);
  await offline.look();
  expect(updates).toEqual([null, newer.id]);
  server.deploy(own);
  await offline.look();
  expect(updates).toEqual([null, newer.id, null]);
});

test('several checks within a minute send one request', async () => {
  const offline = offlineWith();
  await offline.lookAgain();
  await offline.lookAgain();
  now += 59_999;
  await offline.lookAgain();
  expect(server.asked).toEqual(['GET ']);
  await offline.look();
  expect(server.asked).toEqual(['GET ', 'GET ']);
});

test('a response that is not a page of Cloche is ignored', async () => {
  const offline = offlineWith();
  for (const text of ['<html>Log in</html>', '']) {
    server.contents.set(base, text);
    await offline.look();
  }
  server.instead = () => new Response('', { status: 503 });
  await offline.look();
  expect(updates).toEqual([]);
});

function handsStore(): OfflineCopyDeps['store'] {
  return {
    isComplete: () => Promise.resolve(false),
    has: () => Promise.resolve(false),
    store: () => Promise.resolve(),
    confirm: () => Promise.resolve(),
    dropOthers: () => Promise.resolve(),
    clear: () => Promise.resolve(),
  };
}
