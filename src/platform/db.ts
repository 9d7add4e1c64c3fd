/** The app's database: one for each base path of the origin, changed by versioned steps only. */

import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { databaseName, type ListingRecord } from '../protocol/listing.ts';
import type { LoggedCall } from '../spec/call.ts';

export interface ClocheSchema extends DBSchema {
  calls: { key: string; value: LoggedCall; indexes: { at: number } };
  listing: { key: string; value: ListingRecord };
}

export type Database = IDBPDatabase<ClocheSchema>;

/** Step n leads from version n to version n + 1. Never change one that has been released: add another. */
const steps: readonly ((database: Database) => void)[] = [
  (database) => {
    database.createObjectStore('calls', { keyPath: 'id' }).createIndex('at', 'at');
    database.createObjectStore('listing', { keyPath: 'id' });
  },
];

/**
 * Opens the database, bringing it up to date.
 *
 * @param onClosed told when the browser, or a newer version in another tab, has closed it
 * @throws where storage is blocked or full, or the database is of a newer version
 */
export async function openDatabase(basePath: string, onClosed: () => void): Promise<Database> {
  const database = await openDB<ClocheSchema>(databaseName(basePath), steps.length, {
    upgrade: (upgraded, from) => {
      for (const step of steps.slice(from)) step(upgraded);
    },
    // A newer version waits in another tab: give way, so that it need not wait for ever.
    blocking: () => {
      database.close();
      onClosed();
    },
    terminated: onClosed,
  });
  return database;
}
