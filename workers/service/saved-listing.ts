/** Reads the listing that the app page keeps in IndexedDB. */

import { fields } from '../../src/spec/guards.ts';
import { openDB } from 'idb';
import { databaseName, type ListingRecord } from '../../src/protocol/listing.ts';

/** `undefined` where no page has kept one, or storage is blocked. */
export async function readSavedListing(base: string): Promise<ListingRecord | undefined> {
  try {
    const database = await openDB(databaseName(base), undefined, {
      // The page makes the database: an empty one, made here, would stand in its way.
      upgrade(_database, _oldVersion, _newVersion, transaction) {
        transaction.done.catch(() => {
          // The same refusal as openDB's.
        });
        transaction.abort();
      },
    });
    try {
      const record: unknown = await database.get('listing', 'latest');
      return isListingRecord(record) ? record : undefined;
    } finally {
      // A connection left open would block the page's next upgrade.
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
