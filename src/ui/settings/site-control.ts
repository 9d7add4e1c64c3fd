/** What the page can read and change about the site: build, service worker, storage. */

import type { Build, StorageUsage } from '../../spec/offline.ts';

export interface SiteControl {
  /** Null in development. */
  readonly build: Build | null;
  /** What the service worker is doing, in words. */
  readonly worker: Promise<string>;
  /** Answers for the API in place of the page that does. */
  takeOverApi(): Promise<void>;
  usage(): Promise<StorageUsage>;
  storeOffline(): Promise<void>;
  removeOffline(): Promise<void>;
  /** Drops what Python starts from; none is made again on this visit. */
  removeSnapshot(): Promise<void>;
  /** Drops the Python packages that were fetched. */
  removePackages(): Promise<void>;
  /** Asks the browser not to drop what is stored. @returns whether it agreed */
  persist(): Promise<boolean>;
}
