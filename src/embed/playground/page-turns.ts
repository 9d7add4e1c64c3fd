/**
 * Which playgrounds of a page have used Python last. One that is idle while others of the page use theirs ends its Python, so
 * that a page with many playgrounds does not need the memory of all of them.
 */

/** How many other playgrounds may have used Python since. */
export const maxOthers = 2;

export class PageTurns {
  readonly #channel: Pick<BroadcastChannel, 'postMessage' | 'onmessage'>;
  readonly #id = crypto.randomUUID();
  readonly #others = new Set<string>();
  #running = 0;
  #isUsed = false;
  #end: () => void = () => undefined;

  /** @param channel reaches the other playgrounds of the page, which only frames of this app hear */
  constructor(channel: Pick<BroadcastChannel, 'postMessage' | 'onmessage'>) {
    this.#channel = channel;
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string') this.#others.add(data);
      this.#settle();
    };
  }

  /** @param end ends the idle Python, which starts again when it is used */
  onEnd(end: () => void): void {
    this.#end = end;
  }

  /** Uses Python until the work settles. */
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
