/** When the app counts as idle, and when it no longer does. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { App, AppStatus } from './app.ts';
import { afterFirstResult, whenIdle } from './when-idle.ts';

const quiet = { python: 'ready', phase: 'ready', offline: { at: 'ready' } } as const;

/** An app whose status the test sets. */
function fakeApp(first: Partial<AppStatus> = quiet) {
  let current = first as AppStatus;
  const statusListeners = new Set<(status: AppStatus) => void>();
  const callListeners = new Set<(event: never) => void>();
  const app = {
    status: {
      get: () => current,
      observe: (listener: (status: AppStatus) => void) => {
        statusListeners.add(listener);
        return () => statusListeners.delete(listener);
      },
    },
    calls: {
      observe: (listener: (event: never) => void) => {
        callListeners.add(listener);
        return () => callListeners.delete(listener);
      },
    },
  };
  return {
    app: app as unknown as Pick<App, 'status' | 'calls'>,
    set: (change: Partial<AppStatus>) => {
      current = { ...current, ...change };
      for (const listener of statusListeners) listener(current);
    },
    emit: (event: object) => {
      for (const listener of callListeners) listener(event as never);
    },
    listeners: () => statusListeners.size + callListeners.size,
  };
}

async function idleAfter(waiting: Promise<AbortSignal>, ms: number): Promise<AbortSignal | null> {
  let found: AbortSignal | null = null;
  void waiting.then((signal) => {
    found = signal;
  });
  await vi.advanceTimersByTimeAsync(ms);
  return found;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('is idle after nothing has happened for the whole time', async () => {
  const { app } = fakeApp();
  const waiting = whenIdle(app, 1_000);
  expect(await idleAfter(waiting, 999)).toBeNull();
  expect((await idleAfter(waiting, 1))?.aborted).toBe(false);
});

it.each<[string, Partial<AppStatus>]>([
  ['Python starts', { python: 'starting' }],
  ['Python is busy', { python: 'busy' }],
  ['a folder is scanned', { phase: 'scanning' }],
  ['files are stored', { offline: { at: 'storing', done: 0, total: 1 } }],
])('is not idle while %s, and starts to count when that ends', async (_, change) => {
  const { app, set } = fakeApp({ ...quiet, ...change });
  const waiting = whenIdle(app, 1_000);
  expect(await idleAfter(waiting, 5_000)).toBeNull();
  set(quiet);
  expect(await idleAfter(waiting, 999)).toBeNull();
  expect(await idleAfter(waiting, 1)).not.toBeNull();
});

it('is not idle while a call runs, however short the others were', async () => {
  const { app, emit } = fakeApp();
  const waiting = whenIdle(app, 1_000);
  emit({ type: 'call-started', callId: 'a' });
  emit({ type: 'call-started', callId: 'b' });
  emit({ type: 'call-ended', call: { id: 'a' } });
  expect(await idleAfter(waiting, 5_000)).toBeNull();
  emit({ type: 'call-ended', call: { id: 'b' } });
  expect(await idleAfter(waiting, 1_000)).not.toBeNull();
});

it('reports when work starts again, and stops observing', async () => {
  const { app, set, emit, listeners } = fakeApp();
  const signal = await idleAfter(whenIdle(app, 1_000), 1_000);
  emit({ type: 'call-ended', call: { id: 'earlier' } });
  set({ api: 'host' });
  expect(signal?.aborted).toBe(false);
  set({ phase: 'reading' });
  expect([signal?.aborted, listeners()]).toEqual([true, 0]);
});

const ended = { type: 'call-ended', call: { id: 'c' } };

/** Resolves to whether it settles within this time. */
async function settlesIn(ms: number, waiting: Promise<void>): Promise<boolean> {
  let isSettled = false;
  void waiting.then(() => (isSettled = true));
  await vi.advanceTimersByTimeAsync(ms);
  return isSettled;
}

it('waits for the first result of an open folder before it downloads what nobody waits for', async () => {
  const { app, emit } = fakeApp();
  const waiting = afterFirstResult(app);
  expect(await settlesIn(20_000, waiting)).toBe(false);
  emit({ type: 'call-started', callId: 'c' });
  emit(ended);
  expect(await settlesIn(1_000, waiting)).toBe(false);
  expect(await settlesIn(1_000, waiting)).toBe(true);
});

it('waits for no result without a folder, half a minute at most, and not for Python that has failed', async () => {
  expect(await settlesIn(2_000, afterFirstResult(fakeApp({ ...quiet, phase: 'none' }).app))).toBe(
    true,
  );
  const waiting = afterFirstResult(fakeApp().app);
  expect(await settlesIn(29_000, waiting)).toBe(false);
  expect(await settlesIn(2_000, waiting)).toBe(true);
  expect(await settlesIn(0, afterFirstResult(fakeApp({ ...quiet, python: 'failed' }).app))).toBe(
    true,
  );
});
