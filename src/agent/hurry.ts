/** Tells those who wait that the person has done something that they were not to wait longer than. */

export class Hurry {
  #next = new AbortController();

  /** Aborts at the next {@link now}. */
  signal(): AbortSignal {
    return this.#next.signal;
  }

  now(): void {
    const waitedFor = this.#next;
    this.#next = new AbortController();
    waitedFor.abort();
  }
}
