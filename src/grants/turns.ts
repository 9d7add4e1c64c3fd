/** So many at once; the others wait in order. */

export class Turns {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(most: number, mostWaiting: number) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
  }

  /**
   * @returns gives the turn back, once; null where too many wait already
   * @throws the signal's reason
   */
  async take(signal: AbortSignal): Promise<(() => void) | null> {
    signal.throwIfAborted();
    if (this.#taken < this.#most) this.#taken += 1;
    else if (this.#waiting.length >= this.#mostWaiting) return null;
    else await this.#wait(signal);
    let back = false;
    return () => {
      if (back) return;
      back = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#taken -= 1;
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(go);
    });
  }
}
