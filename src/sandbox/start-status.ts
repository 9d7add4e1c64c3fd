/** Reports the progress of Python's starts to the user. Counts only starts that somebody waits for. */

export type OnStatus = (state: 'off' | 'starting' | 'ready' | 'failed', text: string) => void;

export class StartStatus {
  readonly #onStatus: OnStatus;
  #running = 0;
  #settled: 'off' | 'ready' = 'off';

  constructor(onStatus: OnStatus) {
    this.#onStatus = onStatus;
  }

  started(): void {
    this.#running += 1;
  }

  /** Reports a download, which may continue after the start. */
  downloading(step: string): void {
    if (this.#running > 0) this.progress(step);
  }

  progress(step: string): void {
    this.#onStatus('starting', step);
  }

  ready(): void {
    this.#running -= 1;
    this.#settled = 'ready';
    this.#onStatus('ready', '');
  }

  failed(why: string): void {
    this.#running -= 1;
    this.#onStatus('failed', why);
  }

  /** Records that nobody waits for this start any more. If no other one is running, restores the status from before. */
  aborted(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#onStatus(this.#settled, '');
  }
}
