/** How requests get to a model provider: what the page's hands offer, and what providers send with. */

import type { NetworkRequest } from '../protocol/network.ts';

export interface ModelNetwork {
  /**
   * Without cookies; follows no redirect.
   * @throws {ModelError} `request` where it was to be redirected
   * @throws the signal's reason; anything else where there is no answer that this page may read
   */
  send(signal: AbortSignal, request: NetworkRequest): Promise<Response>;
  /** Whether anything answers there at all, be it unreadable for this page. Never rejects. */
  answers(signal: AbortSignal, url: string): Promise<boolean>;
  /** Of this page: what providers have to allow. */
  readonly pageOrigin: string;
  /** False where the browser knows that there is no network. */
  online(): boolean;
}
