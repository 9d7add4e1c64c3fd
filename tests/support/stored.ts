/** Reads the app's database at the base path `/`. */

import type { Page } from '@playwright/test';
import { databaseName } from '../../src/runtime/protocol/listing.ts';

/** @returns the value of a key in a store, if any; from any page of the app's origin, once the app has made its database */
export function stored(page: Page, store: string, key: string): Promise<unknown> {
  return page.evaluate(
    ([database, name, wanted]) =>
      new Promise<unknown>((resolve, reject) => {
        const fail = (): void => {
          reject(new Error('The database cannot be read.'));
        };
        const opening = indexedDB.open(database);
        opening.onerror = fail;
        opening.onsuccess = () => {
          const reading = opening.result.transaction(name).objectStore(name).get(wanted);
          reading.onerror = fail;
          reading.onsuccess = () => {
            // An open connection would block the app's next upgrade.
            opening.result.close();
            resolve(reading.result);
          };
        };
      }),
    [databaseName('/'), store, key] as const,
  );
}

/** @returns the values of each store as JSON, apart from files */
export function storedTexts(page: Page): Promise<Record<string, string>> {
  return page.evaluate(storedTextsHere, databaseName('/'));
}

/** Runs in the page. @param name of the app's database */
export async function storedTextsHere(name: string): Promise<Record<string, string>> {
  const settled = <Value>(request: IDBRequest<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => {
        resolve(request.result);
      };
      request.onerror = () => {
        reject(new Error('The database cannot be read.'));
      };
    });
  const database = await settled(indexedDB.open(name));
  const reading = database.transaction([...database.objectStoreNames]);
  const texts: Record<string, string> = {};
  for (const store of reading.objectStoreNames)
    texts[store] = JSON.stringify(await settled(reading.objectStore(store).getAll()));
  // An open connection would block the app's next upgrade.
  database.close();
  return texts;
}
