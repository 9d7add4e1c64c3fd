import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FolderUpdate } from '../../../../runtime/open-folder/current-folder.ts';
import { RecentChanges } from './recent-changes.svelte.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function watched() {
  const received: FolderUpdate[] = [];
  let emit: (update: FolderUpdate) => void = () => undefined;
  const app = {
    observeUpdates: (listener: (update: FolderUpdate) => void) => {
      emit = listener;
      return () => undefined;
    },
  };
  const updates = new RecentChanges(app, (update) => received.push(update));
  const take = (change: Partial<FolderUpdate>): void => {
    emit({ at: 1, loaded: [], kept: [], gone: [], ...change });
  };
  return { updates, take, received };
}

test('a file counts as new for a while after its last change', () => {
  const { updates, take, received } = watched();
  take({ loaded: ['a.py', 'b.py'] });
  expect([updates.isFresh('a.py'), updates.isFresh('c.py'), received.length]).toEqual([
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

test('the file of a removed tool is known until another folder is opened', () => {
  const { updates, take } = watched();
  take({ at: 7, gone: [{ tool: 'a:f', file: 'a.py' }] });
  expect([updates.gone('a:f'), updates.gone('a:g')]).toEqual([{ file: 'a.py', at: 7 }, undefined]);
  updates.clear();
  expect(updates.gone('a:f')).toBe(undefined);
});
