/** A request to the virtual API. */

/** What it needs of a `Request`; a large body is not copied into a real one only to be copied out again. */
export interface ApiRequest {
  readonly method: string;
  readonly headers: Headers;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  arrayBuffer(): Promise<ArrayBuffer>;
}
