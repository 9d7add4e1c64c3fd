/** The call log and the listing in IndexedDB. */

import type { CallStore } from '../call/call-log.ts';
import type { ListingRecord } from '../protocol/listing.ts';
import { openDatabase, type Database } from './db.ts';

export interface Storage {
  readonly calls: CallStore;
  readonly saveListing: (record: ListingRecord) => Promise<void>;
  /** For the stores of others. */
  readonly database: () => Promise<Database>;
}

/** Opens the database when it is first needed, and anew after it was closed. */
export function openStorage(basePath: string): Storage {
  let opened: Promise<Database> | null = null;
  const database = (): Promise<Database> => {
    opened ??= openDatabase(basePath, () => {
      opened = null;
    }).catch((thrown: unknown) => {
      opened = null;
      throw thrown;
    });
    return opened;
  };
  return {
    database,
    calls: {
      load: async (take) => {
        // Call by call: all of a full log at once would hold the page for seconds.
        const { store } = (await database()).transaction('calls');
        for await (const { value } of store.index('at')) take(value);
      },
      begin: async (begun) => {
        const { store, done } = (await database()).transaction('begun', 'readwrite');
        await Promise.all([...begun.map((call) => store.put(call)), done]);
      },
      begun: async () => (await database()).getAll('begun'),
      write: async (added, dropped, over) => {
        const stores = over.length > 0 ? (['calls', 'begun'] as const) : (['calls'] as const);
        const transaction = (await database()).transaction(stores, 'readwrite');
        const store = transaction.objectStore('calls');
        const asked: Promise<unknown>[] = [transaction.done];
        try {
          for (const call of added) asked.push(store.put(call));
          for (const id of dropped) asked.push(store.delete(id));
          if (over.length > 0) {
            const begun = transaction.objectStore('begun');
            for (const id of over) asked.push(begun.delete(id));
          }
          // The page may be about to close, which would abort what is not committed.
          transaction.commit();
          await Promise.all(asked);
        } catch (thrown) {
          abort(transaction);
          await Promise.allSettled(asked);
          throw thrown;
        }
      },
      clear: async () => (await database()).clear('calls'),
    },
    saveListing: async (record) => {
      await (await database()).put('listing', record);
    },
  };
}

function abort(transaction: { abort(): void }): void {
  try {
    transaction.abort();
  } catch {
    // It has ended by itself, which is what was wanted.
  }
}
