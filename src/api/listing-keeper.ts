/** Stores the latest tool list, so that the service worker can answer with it when no app page is open. */

import type { ListingRecord } from '../protocol/listing.ts';
import type { ApiDeps, Listing } from './api-deps.ts';
import { listingRecord } from './listing.ts';

export interface ListingKeeperDeps extends Pick<ApiDeps, 'after'> {
  listing(): Listing;
  /** Only the page that hosts the API stores its list. */
  isHost(): boolean;
  save(record: ListingRecord): Promise<void>;
  /** Called with the error of a failed `save`; the next change is saved again. */
  onFailure(error: unknown): void;
}

export interface ListingKeeper {
  /** Call this after every change; changes in quick succession are saved once. */
  changed(): void;
  dispose(): void;
}

const debounceMs = 200;

/** Does not save during a scan; the end of the scan is another change. */
export function createListingKeeper(deps: ListingKeeperDeps): ListingKeeper {
  let cancel: (() => void) | undefined;
  let saving: Promise<void> = Promise.resolve();

  async function save(): Promise<void> {
    const listing = deps.listing();
    if (listing.state === 'scanning' || !deps.isHost()) return;
    try {
      await deps.save(await listingRecord(listing));
    } catch (error) {
      deps.onFailure(error);
    }
  }

  return {
    changed() {
      cancel?.();
      cancel = deps.after(debounceMs, () => {
        saving = saving.then(save);
      });
    },
    dispose() {
      cancel?.();
    },
  };
}
