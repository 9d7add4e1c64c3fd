import { afterEach, expect, test, vi } from 'vitest';
import { createObservers } from '../../../runtime/hooks/observe.ts';
import { observeLater } from './observed-later.ts';
import { Observed } from './observed.ts';

/** Stands for the effects that show a value: unit tests run without a page, where Svelte has none. */
const page = vi.hoisted(() => ({ updates: 0, isShown: false, ends: new Set<() => void>() }));

vi.mock(import('svelte/reactivity'), async (original) => ({
  ...(await original()),
  createSubscriber(start) {
    let begun = false;
    return () => {
      if (!page.isShown || begun) return;
      begun = true;
      const stop = start(() => (page.updates += 1));
      page.ends.add(() => {
        begun = false;
        stop?.();
      });
    };
  },
}));

function leave(): void {
  page.isShown = false;
  for (const end of page.ends) end();
  page.ends.clear();
}

afterEach(() => {
  leave();
  page.updates = 0;
});

function source() {
  const observers = createObservers<undefined>((error) => {
    throw error;
  });
  const log: string[] = [];
  return {
    value: 1,
    log,
    change: () => observers.emit(undefined),
    observe: (changed: () => void): (() => void) => {
      log.push('begins');
      const stop = observers.observe(changed);
      return () => {
        log.push('ends');
        stop();
      };
    },
  };
}

test('a value is observed while something shows it, and stays the same between changes', () => {
  const from = source();
  const value = new Observed(() => from.value, from);
  expect([value.current, from.log]).toEqual([1, []]);
  page.isShown = true;
  expect([value.current, value.current, from.log]).toEqual([1, 1, ['begins']]);
  from.value = 2;
  expect([value.current, page.updates]).toEqual([1, 0]);
  from.change();
  expect([value.current, page.updates]).toEqual([2, 1]);
  leave();
  from.value = 3;
  from.change();
  expect([value.current, page.updates, from.log]).toEqual([3, 1, ['begins', 'ends']]);
  page.isShown = true;
  expect([value.current, from.log]).toEqual([3, ['begins', 'ends', 'begins']]);
});

test('a change that arrives after the end is not kept', () => {
  let late: () => void = () => undefined;
  let now = 1;
  const value = new Observed(() => now, {
    observe(changed) {
      late = changed;
      return undefined;
    },
  });
  page.isShown = true;
  expect(value.current).toBe(1);
  leave();
  late();
  now = 2;
  expect([value.current, page.updates]).toEqual([2, 0]);
});

test('a source that changes quickly is read at intervals', () => {
  vi.useFakeTimers();
  const from = source();
  const value = new Observed(() => from.value, from, 100);
  page.isShown = true;
  expect(value.current).toBe(1);
  for (from.value = 2; from.value < 50; from.value += 1) from.change();
  expect([value.current, page.updates]).toEqual([2, 1]);
  vi.advanceTimersByTime(100);
  expect([value.current, page.updates]).toEqual([50, 2]);
  vi.useRealTimers();
});

test('a change that the source does not report is shown on request', () => {
  const from = source();
  const value = new Observed(() => from.value);
  page.isShown = true;
  expect(value.current).toBe(1);
  from.value = 2;
  value.refresh();
  expect([value.current, page.updates]).toEqual([2, 1]);
});

test('a source that loads later is observed from then on, unless nothing shows it any more', async () => {
  const from = source();
  const read = (loaded: typeof from | null): number => loaded?.value ?? 0;
  const left = observeLater(Promise.resolve(from), read, (loaded) => loaded);
  page.isShown = true;
  expect(left.current).toBe(0);
  leave();
  await Promise.resolve();
  expect(from.log).toEqual([]);
  const value = observeLater(Promise.resolve(from), read, (loaded) => loaded);
  page.isShown = true;
  expect(value.current).toBe(0);
  await vi.waitFor(() => expect([value.current, page.updates]).toEqual([1, 1]));
  from.value = 2;
  from.change();
  expect([value.current, page.updates, from.log]).toEqual([2, 2, ['begins']]);
});
