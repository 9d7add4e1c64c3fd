/** The request type of the virtual API. */

/** The part of `Request` that the API uses. A large body need not be copied into a real `Request` and out again. */
export interface ApiRequest {
  readonly method: string;
  readonly headers: Headers;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  arrayBuffer(): Promise<ArrayBuffer>;
}
