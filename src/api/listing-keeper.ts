/** Keeps the latest listing where the service worker finds it when no app page is open. */

import type { ListingRecord } from '../protocol/listing.ts';
import type { ApiEffects, Listing } from './effects.ts';
import { listingRecord } from './listing.ts';

export interface ListingKeeperEffects extends Pick<ApiEffects, 'after'> {
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
export function createListingKeeper(effects: ListingKeeperEffects): ListingKeeper {
  let cancel: (() => void) | undefined;
  let saving: Promise<void> = Promise.resolve();

  async function save(): Promise<void> {
    const listing = effects.listing();
    if (listing.state === 'scanning' || !effects.isHost()) return;
    try {
      await effects.save(await listingRecord(listing));
    } catch (error) {
      effects.onFailure(error);
    }
  }

  return {
    changed() {
      cancel?.();
      cancel = effects.after(calmMs, () => {
        saving = saving.then(save);
      });
    },
    dispose() {
      cancel?.();
    },
  };
}
