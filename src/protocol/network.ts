/** Between the page and the worker that sends requests for tools; both ours. */

import type { HttpHeader } from './ask.ts';

export interface NetworkRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly HttpHeader[];
  readonly body: Uint8Array<ArrayBuffer> | null;
}

/** `redirect`: it leads elsewhere, and was not followed; `network`: no answer that the page may read. */
export type NetworkHead =
  | {
      readonly ok: true;
      readonly status: number;
      readonly statusText: string;
      readonly headers: readonly HttpHeader[];
    }
  | { readonly ok: false; readonly failed: 'redirect' | 'network'; readonly why: string };

/** The page makes up the ids. An expected failure crosses as data. */
export interface NetworkWorker {
  open(id: number, request: NetworkRequest): Promise<NetworkHead>;
  /** The next piece of the body, transferred; null at its end. Rejects where the connection broke. */
  read(id: number): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Gives up a request or what is left of its body. */
  cancel(id: number): void;
}
