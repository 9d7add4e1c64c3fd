import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FolderUpdate } from '../../../app/app.ts';
import { RecentChanges } from './recent-changes.svelte.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function watched() {
  const heard: FolderUpdate[] = [];
  let emit: (update: FolderUpdate) => void = () => undefined;
  const app = {
    observeUpdates: (listener: (update: FolderUpdate) => void) => {
      emit = listener;
      return () => undefined;
    },
  };
  const updates = new RecentChanges(app, (update) => heard.push(update));
  const take = (change: Partial<FolderUpdate>): void => {
    emit({ at: 1, loaded: [], kept: [], gone: [], ...change });
  };
  return { updates, take, heard };
}

test('a file is fresh for a while after its last change', () => {
  const { updates, take, heard } = watched();
  take({ loaded: ['a.py', 'b.py'] });
  expect([updates.isFresh('a.py'), updates.isFresh('c.py'), heard.length]).toEqual([
    true,
    false,
    1,
  ]);
  vi.advanceTimersByTime(6_000);
  take({ loaded: ['a.py'] });
  vi.advanceTimersByTime(6_000);
  expect([updates.isFresh('a.py'), updates.isFresh('b.py')]).toEqual([true, false]);
  vi.advanceTimersByTime(6_000);
  expect(updates.isFresh('a.py')).toBe(false);
});

test('it is known where a tool was that is gone, until another folder is open', () => {
  const { updates, take } = watched();
  take({ at: 7, gone: [{ tool: 'a:f', file: 'a.py' }] });
  expect([updates.gone('a:f'), updates.gone('a:g')]).toEqual([{ file: 'a.py', at: 7 }, undefined]);
  updates.clear();
  expect(updates.gone('a:f')).toBe(undefined);
});
