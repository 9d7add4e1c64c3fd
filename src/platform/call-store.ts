/** The call log and the tool list in IndexedDB. */

import type { CallStore } from '../call/call-log.ts';
import type { ListingRecord } from '../protocol/listing.ts';
import { openDatabase, type Database } from './db.ts';

export interface Storage {
  readonly calls: CallStore;
  readonly saveListing: (record: ListingRecord) => Promise<void>;
  /** The database, for other stores. */
  readonly database: () => Promise<Database>;
}

/** Opens the database at its first use, and again after it was closed. */
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
        // One call at a time: reading a full log at once would block the page for seconds.
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
        const writes: Promise<unknown>[] = [transaction.done];
        try {
          for (const call of added) writes.push(store.put(call));
          for (const id of dropped) writes.push(store.delete(id));
          if (over.length > 0) {
            const begun = transaction.objectStore('begun');
            for (const id of over) writes.push(begun.delete(id));
          }
          // Commit explicitly: if the page closes, uncommitted changes are lost.
          transaction.commit();
          await Promise.all(writes);
        } catch (thrown) {
          abort(transaction);
          await Promise.allSettled(writes);
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
    // The transaction has already ended.
  }
}
