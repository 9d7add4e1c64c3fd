/**
 * The channel between the playgrounds of a page that have the same files, and the election of the one that has Python. Locks
 * would be simpler, but browsers that block the storage of other sites refuse them there.
 */

import { isRecord } from '../spec/guards.ts';
import type { Shared } from './sharing-wire.ts';

/** Milliseconds in which the frame that has Python, or others that want it too, answer. */
const answerMs = 400;
/** Milliseconds in which the winner of an election starts. */
const winnerMs = 1_500;

export class SharingChannel {
  /** Of this frame. */
  readonly id: string;
  /** Calls the listener when the frame is removed from its page. @returns dispose */
  readonly whenGone: (listener: () => void) => () => void;
  readonly #channel: BroadcastChannel;
  #early: Shared[] = [];
  #listener: ((message: Shared) => void) | null = null;
  #isClosed = false;

  constructor(channel: BroadcastChannel, id: string, whenGone: SharingChannel['whenGone']) {
    this.#channel = channel;
    this.id = id;
    this.whenGone = whenGone;
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

  /** Decides whether this frame is to have Python: true unless another one has it, or wants it too and comes first. */
  async elect(): Promise<boolean> {
    for (;;) {
      const first = await this.#claim(answerMs);
      if (first === 'free') return true;
      if (first === 'taken' || (await this.#claim(winnerMs, false)) === 'taken') return false;
    }
  }

  /** Says that this frame wants to have Python, and hears what the others say to it. @param says false to hear only */
  #claim(ms: number, says = true): Promise<'free' | 'taken' | 'beaten'> {
    return new Promise((resolve) => {
      let heard: 'free' | 'beaten' = 'free';
      const timer = setTimeout(() => {
        resolve(heard);
      }, ms);
      this.listen((message) => {
        if (message.type === 'lent') {
          clearTimeout(timer);
          resolve('taken');
        } else if (message.type !== 'claim') return;
        else if (message.from < this.id) heard = 'beaten';
        else if (says) this.send({ type: 'claim', from: this.id });
      });
      if (says) this.send({ type: 'claim', from: this.id });
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#channel.close();
  }
}
