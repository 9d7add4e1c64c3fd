/** The call log and the listing in IndexedDB. */

import type { CallStore } from '../call/call-log.ts';
import type { ListingRecord } from '../protocol/listing.ts';
import { openDatabase, type Database } from './db.ts';

export interface Storage {
  readonly calls: CallStore;
  saveListing(record: ListingRecord): Promise<void>;
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
    calls: {
      load: async () => (await database()).getAllFromIndex('calls', 'at'),
      write: async (added, dropped) => {
        const transaction = (await database()).transaction('calls', 'readwrite');
        await Promise.all([
          ...added.map((call) => transaction.store.put(call)),
          ...dropped.map((id) => transaction.store.delete(id)),
          transaction.done,
        ]);
      },
      clear: async () => (await database()).clear('calls'),
    },
    saveListing: async (record) => {
      await (await database()).put('listing', record);
    },
  };
}
