/** Decides which calls run beside each other: those that allow it together, every other one alone, in order. */

interface Waiting {
  readonly shares: boolean;
  readonly start: (end: (() => void) | null) => void;
}

export class CallTurns {
  #waiting: readonly Waiting[] = [];
  #running = 0;
  #isAlone = false;

  /**
   * Waits for the turn of a call.
   * @param shares whether others that share may run beside it
   * @returns ends the turn; null if the signal aborted before it began
   */
  take(signal: AbortSignal, shares: boolean): Promise<(() => void) | null> {
    if (signal.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const abort = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        resolve(null);
        this.#startSome();
      };
      const waiting: Waiting = {
        shares,
        start: (end) => {
          signal.removeEventListener('abort', abort);
          resolve(end);
        },
      };
      signal.addEventListener('abort', abort);
      this.#waiting = [...this.#waiting, waiting];
      this.#startSome();
    });
  }

  #startSome(): void {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      if (this.#isAlone || (!next.shares && this.#running > 0)) return;
      this.#waiting = this.#waiting.slice(1);
      this.#running += 1;
      this.#isAlone = !next.shares;
      let ended = false;
      next.start(() => {
        if (ended) return;
        ended = true;
        this.#running -= 1;
        this.#isAlone = false;
        this.#startSome();
      });
    }
  }
}
