/** The wire between the page and the network worker, which sends requests for tools; both trusted. */

import type { HttpHeader } from './ask.ts';

/** A request that the policy allows; the worker does not check it again. */
export interface NetworkRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly HttpHeader[];
  readonly body: Uint8Array<ArrayBuffer> | null;
  /** Texts that are masked in the response, the longest first. */
  readonly secrets: readonly string[];
}

/** The response's head. `redirect`: the response redirects, and was not followed; `network`: no response, or none that the page may read. */
export type NetworkHead =
  | {
      readonly ok: true;
      readonly status: number;
      readonly statusText: string;
      readonly headers: readonly HttpHeader[];
    }
  | { readonly ok: false; readonly failed: 'redirect' | 'network'; readonly why: string };

/** The page chooses the ids. Expected failures cross as data. */
export interface NetworkWorker {
  open(id: number, request: NetworkRequest): Promise<NetworkHead>;
  /** The next piece of the body, transferred; null at its end. Rejects if the connection breaks. */
  read(id: number): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Cancels a request or the rest of its body. */
  cancel(id: number): void;
}
