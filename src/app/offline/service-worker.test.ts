import { afterEach, expect, test, vi } from 'vitest';
import { registerServiceWorker } from './service-worker.ts';

afterEach(() => vi.useRealTimers());

const base = new URL('https://cloche.test/app/');

class FakeWorker extends EventTarget {
  state: ServiceWorkerState = 'installing';

  become(state: ServiceWorkerState): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

function container(register: (...asked: unknown[]) => Promise<unknown>): ServiceWorkerContainer {
  return Object.assign(new EventTarget(), { register }) as unknown as ServiceWorkerContainer;
}

test('registration is ready when the worker is active', async () => {
  const worker = new FakeWorker();
  const asked: unknown[] = [];
  const registered = registerServiceWorker(
    container((...args) => {
      asked.push(...args);
      return Promise.resolve({ active: null, waiting: null, installing: worker });
    }),
    base,
  );
  await Promise.resolve();
  worker.become('installed');
  worker.become('activated');
  expect(await registered).toEqual({ state: 'ready' });
  expect(asked).toEqual([
    new URL('https://cloche.test/app/sw.js'),
    { scope: '/app/', updateViaCache: 'none' },
  ]);
});

test('registration is ready at once at the second visit', async () => {
  const active = new FakeWorker();
  active.state = 'activated';
  const registration = { active, waiting: null, installing: new FakeWorker() };
  expect(
    await registerServiceWorker(
      container(() => Promise.resolve(registration)),
      base,
    ),
  ).toEqual({
    state: 'ready',
  });
});

test('a browser without service workers is reported', async () => {
  expect(await registerServiceWorker(undefined, base)).toEqual({
    state: 'unavailable',
    reason:
      'service workers are not available here (they need https or localhost, and no private window)',
  });
});

test('a refused registration is reported', async () => {
  const refused = container(() => Promise.reject(new DOMException('not allowed', 'SecurityError')));
  expect(await registerServiceWorker(refused, base)).toEqual({
    state: 'unavailable',
    reason: 'not allowed',
  });
});

test('a worker that fails to start is reported', async () => {
  const worker = new FakeWorker();
  const registered = registerServiceWorker(
    container(() => Promise.resolve({ active: null, waiting: null, installing: worker })),
    base,
  );
  await Promise.resolve();
  worker.become('redundant');
  expect(await registered).toEqual({
    state: 'unavailable',
    reason: 'the service worker failed to start',
  });
});

test.each([
  [
    'a worker that never starts',
    () => Promise.resolve({ active: null, waiting: null, installing: new FakeWorker() }),
  ],
  ['a registration that is never answered', () => new Promise(() => {})],
])('%s times out', async (_what, register) => {
  vi.useFakeTimers();
  const registered = registerServiceWorker(container(register), base);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await registered).toEqual({
    state: 'unavailable',
    reason: 'the service worker did not start within a minute',
  });
});
