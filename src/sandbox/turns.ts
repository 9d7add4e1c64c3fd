/** One at a time, in order of arrival. */

export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Runs `work` when all earlier work is done.
   * @returns what `work` returns, or null where the signal aborted before its turn
   */
  take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | null> {
    const before = this.#last;
    let done: () => void = () => undefined;
    this.#last = new Promise<void>((resolve) => {
      done = resolve;
    });
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        resolve(null);
      };
      if (signal.aborted) giveUp();
      else signal.addEventListener('abort', giveUp, { once: true });
      void before.then(() => {
        signal.removeEventListener('abort', giveUp);
        if (signal.aborted) {
          resolve(null);
          done();
          return;
        }
        work().then(resolve, reject).finally(done);
      });
    });
  }
}
