/** Runs of plans and of evaluations in IndexedDB, and the lock that says which page carries one out. */

import { nextTask } from '../../runtime/async/pace.ts';
import type { RunStore } from '../runner/run-log.ts';
import { isRecord } from '../../runtime/spec/guards.ts';
import type { Database } from '../../runtime/storage/db.ts';
import { takeLock, type Locks, type ReleaseLock } from '../../runtime/async/take-lock.ts';

export function openRunStore(
  database: () => Promise<Database>,
  name: 'runs' | 'evals' = 'runs',
): RunStore {
  return {
    load: async () => {
      const runs = new Map<string, unknown[]>();
      const { store } = (await database()).transaction(name);
      // Events are read in the order of their numbers, one at a time, since there may be many.
      for await (const { key, value } of store) {
        const events = runs.get(key[0]) ?? [];
        events.push(value);
        runs.set(key[0], events);
      }
      return runs;
    },
    read: async (run, from) =>
      (await database()).getAll(name, IDBKeyRange.bound([run, from], [run, []])),
    append: async (run, n, event) => {
      const transaction = (await database()).transaction(name, 'readwrite');
      const put = transaction.store.add(event, [run, n]);
      transaction.commit();
      await Promise.all([put, transaction.done]);
    },
    remove: async (run) => {
      await (await database()).delete(name, IDBKeyRange.bound([run], [run, []]));
    },
  };
}

/** Returns whether a run waits for the user's permission, judged by its first event. A waiting run has no other event. */
export async function hasWaitingRun(database: () => Promise<Database>): Promise<boolean> {
  const { store } = (await database()).transaction('runs');
  let first = await store.openCursor();
  while (first !== null) {
    const [run] = first.key;
    const event: unknown = JSON.parse(first.value);
    const next: typeof first | null = await first.continue();
    if (next?.key[0] !== run && isRecord(event) && event.waits === true) return true;
    first = next?.key[0] === run ? await next.continue([run, Infinity]) : next;
  }
  return false;
}

/**
 * Takes the right to carry out a run.
 * @param locks undefined if the browser has none. Then, or if the browser refuses them, every page has the right
 * @returns release; null if another page has the right
 */
export async function holdRun(
  locks: Locks | undefined,
  basePath: string,
  run: string,
): Promise<ReleaseLock | null> {
  // A lock that this page has just released becomes free only in a later task.
  await nextTask();
  return takeLock(locks, `cloche-run:${basePath}:${run}`);
}

/** Opens the channel between pages about changed runs. Only the id is sent; pages read the store. */
export function openRunPages(
  basePath: string,
  name: 'runs' | 'evals' = 'runs',
): {
  announce(run: string): void;
  observeOthers(listener: (run: string) => void): void;
} {
  const channel = new BroadcastChannel(`cloche-${name}:${basePath}`);
  return {
    announce: (run) => channel.postMessage(run),
    observeOthers: (listener) => {
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (typeof data === 'string') listener(data);
      });
    },
  };
}
