/** What sends the requests that were allowed; it knows nothing of grants. */

import type { HttpHeader } from '../protocol/ask.ts';
import type { NetworkRequest } from '../protocol/network.ts';

export interface SentResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly HttpHeader[];
  /** The next piece of the body; null at its end. @throws where the connection broke */
  read(): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Gives up what is left. */
  cancel(): void;
}

/** `redirect`: it leads elsewhere, and was not followed; `network`: there was no answer that this page may read. */
export type Sent = SentResponse | { readonly failed: 'redirect' | 'network'; readonly why: string };

/** Never sends cookies, follows no redirect, names no referrer. Never rejects; an abort is a failure like others. */
export type Send = (signal: AbortSignal, request: NetworkRequest) => Promise<Sent>;
