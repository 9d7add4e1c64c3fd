/** When the page counts as unused, and as used again. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AppStatus } from './app.ts';
import { unusedMs, watchUse, type UseDeps } from './watch-use.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function watched() {
  const window = new EventTarget();
  const log: string[] = [];
  const work = { isWorking: false };
  let emit: (event: never) => void = () => undefined;
  let change: (status: AppStatus) => void = () => undefined;
  const deps = {
    window,
    status: {
      get: () => ({ phase: 'none' }),
      observe: (listener: typeof change) => (change = listener),
    },
    calls: { observe: (listener: typeof emit) => (emit = listener) },
    isWorking: () => work.isWorking,
    onUnused: () => log.push('unused'),
    onUsed: () => log.push('used'),
  };
  watchUse(deps as unknown as UseDeps);
  return {
    log,
    work,
    sign: (type: string) => window.dispatchEvent(new Event(type)),
    emit: (event: object) => emit(event as never),
    change: (status: Partial<AppStatus>) => change(status as AppStatus),
  };
}

it.each(['pointerdown', 'pointermove', 'wheel', 'keydown', 'focus'])(
  'is unused a while after the last %s, and used again at the next',
  async (type) => {
    const { log, sign } = watched();
    await vi.advanceTimersByTimeAsync(unusedMs - 1_000);
    sign(type);
    await vi.advanceTimersByTimeAsync(unusedMs - 1_000);
    expect(log).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(log).toEqual(['unused']);
    sign(type);
    sign(type);
    expect(log).toEqual(['unused', 'used']);
    await vi.advanceTimersByTimeAsync(unusedMs);
    expect(log).toEqual(['unused', 'used', 'unused']);
  },
);

it('is used while a call runs, however long, and when a folder is opened', async () => {
  const { log, emit, change } = watched();
  emit({ type: 'call-started', callId: 'c' });
  await vi.advanceTimersByTimeAsync(5 * unusedMs);
  expect(log).toEqual([]);
  emit({ type: 'call-ended', call: { id: 'c' } });
  await vi.advanceTimersByTimeAsync(2 * unusedMs);
  expect(log).toEqual(['unused']);
  change({ phase: 'none' });
  expect(log).toEqual(['unused']);
  change({ phase: 'reading' });
  expect(log).toEqual(['unused', 'used']);
});

it('is used while a session works, also between its calls', async () => {
  const { log, work } = watched();
  work.isWorking = true;
  await vi.advanceTimersByTimeAsync(5 * unusedMs);
  expect(log).toEqual([]);
  work.isWorking = false;
  await vi.advanceTimersByTimeAsync(2 * unusedMs);
  expect(log).toEqual(['unused']);
});
