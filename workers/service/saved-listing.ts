/** Reads the listing that the app page saves in IndexedDB. */

import { fields } from '../../src/spec/guards.ts';
import { openDB } from 'idb';
import { databaseName, type ListingRecord } from '../../src/protocol/listing.ts';

/** The saved listing; `undefined` if there is none, or storage is blocked. */
export async function readSavedListing(base: string): Promise<ListingRecord | undefined> {
  try {
    const database = await openDB(databaseName(base), undefined, {
      // The page creates the database, with its stores. Aborting prevents an empty one from being created here.
      upgrade(_database, _oldVersion, _newVersion, transaction) {
        transaction.done.catch(() => {
          // openDB rejects with the same error.
        });
        transaction.abort();
      },
    });
    try {
      const record: unknown = await database.get('listing', 'latest');
      return isListingRecord(record) ? record : undefined;
    } finally {
      // An open connection would block the page's next upgrade.
      database.close();
    }
  } catch {
    return undefined;
  }
}

function isListingRecord(value: unknown): value is ListingRecord {
  const { body, etag } = fields(value);
  return typeof body === 'string' && typeof etag === 'string';
}
