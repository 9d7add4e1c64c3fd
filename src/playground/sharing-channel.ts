/** A channel between the playgrounds of a page, which keeps messages until somebody listens. */

import { isRecord } from '../spec/guards.ts';
import type { Shared } from './sharing-wire.ts';

export class SharingChannel {
  readonly #channel: BroadcastChannel;
  #early: Shared[] = [];
  #listener: ((message: Shared) => void) | null = null;
  #isClosed = false;

  constructor(channel: BroadcastChannel) {
    this.#channel = channel;
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      // Only frames of this app hear the channel: a message of another shape is a mistake, and ignored.
      if (!isRecord(data) || typeof data.type !== 'string') return;
      const message = data as unknown as Shared;
      if (this.#listener === null) this.#early.push(message);
      else this.#listener(message);
    };
  }

  /** Takes the place of the last listener. */
  listen(listener: (message: Shared) => void): void {
    this.#listener = listener;
    for (const message of this.#early.splice(0)) listener(message);
  }

  send(message: Shared): void {
    if (!this.#isClosed) this.#channel.postMessage(message);
  }

  close(): void {
    this.#isClosed = true;
    this.#channel.close();
  }
}
