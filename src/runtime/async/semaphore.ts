/** A semaphore: limits how many run at once, and queues the others in order. */

export class Semaphore {
  readonly #max: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(max: number, maxWaiting: number) {
    this.#max = max;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Waits for a turn.
   * @returns a function that gives the turn back; null if too many wait already
   * @throws the signal's reason
   */
  async take(signal: AbortSignal): Promise<(() => void) | null> {
    signal.throwIfAborted();
    if (this.#taken < this.#max) this.#taken += 1;
    else if (this.#waiting.length >= this.#maxWaiting) return null;
    else await this.#wait(signal);
    let isReturned = false;
    return () => {
      if (isReturned) return;
      isReturned = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#taken -= 1;
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const resume = (): void => {
        signal.removeEventListener('abort', cancel);
        resolve();
      };
      const cancel = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(resume), 1);
        reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
      };
      signal.addEventListener('abort', cancel, { once: true });
      this.#waiting.push(resume);
    });
  }
}
