/** Keeps the latest listing where the service worker finds it when no app page is open. */

import type { ListingRecord } from '../protocol/listing.ts';
import type { ApiDeps, Listing } from './api-deps.ts';
import { listingRecord } from './listing.ts';

export interface ListingKeeperDeps extends Pick<ApiDeps, 'after'> {
  listing(): Listing;
  /** Only the page that hosts the API keeps its listing. */
  isHost(): boolean;
  save(record: ListingRecord): Promise<void>;
  /** Called with what `save` failed with; later changes are tried again. */
  onFailure(error: unknown): void;
}

export interface ListingKeeper {
  /** To be told of every change: several in a row make one record. */
  changed(): void;
  dispose(): void;
}

const calmMs = 200;

/** A scan in progress is not kept: its end is. */
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
      cancel = deps.after(calmMs, () => {
        saving = saving.then(save);
      });
    },
    dispose() {
      cancel?.();
    },
  };
}
