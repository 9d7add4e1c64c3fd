/** Sends allowed requests. It does not know about grants. */

import type { HttpHeader } from '../protocol/ask.ts';
import type { NetworkRequest } from '../protocol/network.ts';

export interface SentResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly HttpHeader[];
  /** Returns the next piece of the body; null at the end. @throws if the connection breaks */
  read(): Promise<Uint8Array<ArrayBuffer> | null>;
  cancel(): void;
}

/**
 * `redirect`: the response redirects, which is not followed. `network`: there was no response that this page may read.
 */
export type Sent = SentResponse | { readonly failed: 'redirect' | 'network'; readonly why: string };

/** Sends a request without cookies and referrer, and follows no redirect. Never rejects: an abort is a failure too. */
export type Send = (signal: AbortSignal, request: NetworkRequest) => Promise<Sent>;
