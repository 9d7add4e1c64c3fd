/** The dependencies of the service worker's modules; the entry point passes them in. */

import type { ListingRecord } from '../../src/protocol/listing.ts';
import type { WhoAreYou } from '../../src/protocol/service.ts';

export interface OpenWindow {
  postMessage(message: WhoAreYou, transfer: Transferable[]): void;
}

/** Tells when a page is gone. */
export interface Watch {
  readonly gone: Promise<void>;
  stop(): void;
}

export interface ServiceDeps {
  /** Base path of the app. */
  readonly base: string;
  /** Address of the app, for people. */
  readonly address: string;
  /** The worker's own lock, once it is held. */
  readonly lock: Promise<string>;
  /** All windows of the scope, app pages or not. */
  windows(): Promise<readonly OpenWindow[]>;
  /** The locks of all app pages that are alive. */
  pageLocks(): Promise<readonly string[]>;
  /** The page with this lock. */
  watch(lock: string): Watch;
  savedListing(): Promise<ListingRecord | undefined>;
  /** Runs `then` in `ms` milliseconds, unless cancelled before. */
  after(ms: number, then: () => void): () => void;
}
