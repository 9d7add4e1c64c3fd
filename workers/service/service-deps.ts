/** The dependencies of the service worker's parts; service.ts supplies them. */

import type { ListingRecord } from '../../src/runtime/protocol/listing.ts';
import type { WhoAreYou } from '../../src/runtime/protocol/service.ts';

/** A window of the origin, which may be an app page. */
export interface OpenWindow {
  postMessage(message: WhoAreYou, transfer: Transferable[]): void;
}

export interface Watch {
  /** Resolves when the page has closed; never after `stop`. */
  readonly gone: Promise<void>;
  stop(): void;
}

export interface ServiceDeps {
  /** Base path of the app. */
  readonly base: string;
  /** Address of the app, with a trailing slash. */
  readonly address: string;
  /** Name of the worker's lock; resolves when it is held. */
  readonly lock: Promise<string>;
  /** All windows below the app's address, app pages or not. */
  windows(): Promise<readonly OpenWindow[]>;
  /** Locks of all open app pages. */
  pageLocks(): Promise<readonly string[]>;
  /** Watches the page with this lock. */
  watch(lock: string): Watch;
  savedListing(): Promise<ListingRecord | undefined>;
  /** Runs `then` in `ms` milliseconds. @returns cancel */
  after(ms: number, then: () => void): () => void;
}
