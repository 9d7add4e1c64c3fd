/**
 * Tracks which playgrounds of a page have used Python last. An idle playground stops Python once enough others have used
 * theirs, so that a page with many playgrounds does not need memory for all of them.
 */

/** Number of other playgrounds that use Python before an idle one stops its own. */
export const maxOthers = 2;

export class PageTurns {
  readonly #channel: Pick<BroadcastChannel, 'postMessage' | 'onmessage'>;
  readonly #id = crypto.randomUUID();
  readonly #others = new Set<string>();
  #running = 0;
  #isUsed = false;
  #end: () => void = () => undefined;

  /** @param channel reaches the other playgrounds of the page, and only frames of this app */
  constructor(channel: Pick<BroadcastChannel, 'postMessage' | 'onmessage'>) {
    this.#channel = channel;
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string') this.#others.add(data);
      this.#settle();
    };
  }

  /** @param end stops idle Python, which starts again on its next use */
  onEnd(end: () => void): void {
    this.#end = end;
  }

  /** Runs work that uses Python, and keeps Python until the work settles. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    this.#others.clear();
    this.#channel.postMessage(this.#id);
    this.#isUsed = true;
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#settle();
    }
  }

  #settle(): void {
    if (!this.#isUsed || this.#running > 0 || this.#others.size < maxOthers) return;
    this.#isUsed = false;
    this.#end();
  }
}
