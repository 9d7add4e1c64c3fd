/**
 * The channel between the playgrounds of a page that have the same files. It chooses the one that has Python: by a
 * lock, or by an election if the browser refuses locks, as browsers do that block the storage of other sites.
 */

import { isRecord } from '../../runtime/spec/guards.ts';
import type { Shared } from './sharing-wire.ts';

/** Milliseconds in which the frame that has Python, or others that want it too, answer. */
const answerMs = 400;
/** Milliseconds in which the winner of an election starts. */
const winnerMs = 1_500;
/** Attempts to get the lock while no frame says that it has Python. After them, this frame opens Python without the lock. */
const maxAttempts = 8;

export interface SharingChannelDeps {
  readonly channel: BroadcastChannel;
  /** Name of this frame. */
  readonly id: string;
  /** Undefined where the browser has none. */
  readonly locks: Pick<LockManager, 'request'> | undefined;
  /** Calls the listener when the frame is removed from its page. @returns dispose */
  readonly whenGone: (listener: () => void) => () => void;
}

export class SharingChannel {
  readonly id: string;
  readonly whenGone: SharingChannelDeps['whenGone'];
  readonly #channel: BroadcastChannel;
  readonly #locks: SharingChannelDeps['locks'];
  /** Requests to this frame that arrive before its interpreters are open. */
  #waiting: Shared[] = [];
  #listener: (message: Shared) => void = () => undefined;
  #isClosed = false;
  /** The frame that has Python; null until it has said so. */
  #lender: string | null = null;
  #release: () => void = () => undefined;
  #forgetFrame: () => void = () => undefined;

  constructor({ channel, id, locks, whenGone }: SharingChannelDeps) {
    this.#channel = channel;
    this.#locks = locks;
    this.id = id;
    this.whenGone = whenGone;
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      // Only frames of this app hear the channel: a message of another shape is a mistake, and ignored.
      if (!isRecord(data) || typeof data.type !== 'string') return;
      const message = data as unknown as Shared;
      if (message.type === 'lent') this.#lender = message.from;
      else if (message.type === 'gone') this.#lender = null;
      this.#listener(message);
    };
  }

  /** Takes the place of the last listener. */
  listen(listener: (message: Shared) => void): void {
    this.#listener = listener;
    for (const message of this.#waiting.splice(0)) listener(message);
  }

  send(message: Shared): void {
    if (!this.#isClosed) this.#channel.postMessage(message);
  }

  /**
   * Decides which frame gets Python: this one, unless another one has it, or wants it too and comes first. Requests from
   * other frames then wait for the listener.
   * @returns the id of the other frame; null if this one gets Python
   */
  async elect(): Promise<string | null> {
    this.#lender = null;
    for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
      this.listen(() => undefined);
      if ((await this.#lock()) ?? (await this.#vote())) break;
      // The lock of a frame that has just gone may not be free yet.
      const lender = await this.#hearLender();
      if (lender !== null) return lender;
    }
    this.#hold();
    return null;
  }

  /** @returns the frame that has Python; null if none answers */
  async #hearLender(): Promise<string | null> {
    if (this.#lender === null) {
      this.send({ type: 'ping' });
      await this.#claim(answerMs, false);
    }
    return this.#lender;
  }

  /** @returns whether this frame got the lock; null if the browser has no locks, or refuses them */
  #lock(): Promise<boolean | null> {
    const locks = this.#locks;
    if (locks === undefined) return Promise.resolve(null);
    return new Promise((resolve) => {
      locks
        .request(this.#channel.name, { ifAvailable: true }, (lock) => {
          resolve(lock !== null);
          if (lock === null || this.#isClosed) return undefined;
          return new Promise<void>((release) => {
            this.#release = release;
          });
        })
        .catch(() => resolve(null));
    });
  }

  async #vote(): Promise<boolean> {
    for (;;) {
      const first = await this.#claim(answerMs);
      if (first === 'free') return true;
      if (first === 'taken' || (await this.#claim(winnerMs, false)) === 'taken') return false;
    }
  }

  /** Until the interpreters are open, answers claims and pings, and keeps all other messages. */
  #hold(): void {
    const say = (): void => this.send({ type: 'lent', from: this.id });
    this.#listener = (message) => {
      if (message.type === 'claim' || message.type === 'ping') say();
      else this.#waiting.push(message);
    };
    this.#forgetFrame = this.whenGone(() => this.end());
    say();
  }

  /** Says that this frame wants to have Python, and hears what the others say to it. @param says false to hear only */
  #claim(ms: number, says = true): Promise<'free' | 'taken' | 'beaten'> {
    return new Promise((resolve) => {
      let heard: 'free' | 'beaten' = 'free';
      const timer = setTimeout(() => resolve(heard), ms);
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

  /** Ends lending: another frame takes the place of this one. */
  end(): void {
    this.send({ type: 'gone' });
    this.close();
  }

  close(): void {
    this.#isClosed = true;
    this.#forgetFrame();
    this.#release();
    this.#channel.close();
  }
}
