/**
 * Buffers an answer on its way from the worker to the page: reads it as it streams, and hands over all parts that have
 * arrived.
 */

import type { AnswerPieces, SentError } from '../../../runtime/protocol/models.ts';
import { errorText } from '../../../runtime/spec/error.ts';
import { ModelError } from '../../../runtime/spec/model-error.ts';
import type { ModelPart } from '../../../runtime/spec/model.ts';

/** Number of buffered parts at which reading pauses until the page takes them. */
const maxBuffered = 1_000;

/**
 * Milliseconds after which an empty response tells the page that the worker is alive. Less than the page's own timeout.
 */
const keepAliveMs = 5_000;

/**
 * Milliseconds in which further parts are collected: each handover costs the page a task, and it draws no more often.
 */
const collectMs = 16;

export class Answer {
  readonly #stream: AsyncIterable<ModelPart>;
  #parts: ModelPart[] = [];
  #end: AnswerPieces['end'] = null;
  /** Called when parts have arrived, or the answer has ended. */
  #onArrival: () => void = () => undefined;
  #onTaken: () => void = () => undefined;

  constructor(stream: AsyncIterable<ModelPart>) {
    this.#stream = stream;
    void this.#read();
  }

  /**
   * Resolves to the parts that have arrived, and those that follow within a frame. Waits for the first; resolves to no
   * parts if that takes too long.
   * Call it again only after it has resolved.
   */
  async next(): Promise<AnswerPieces> {
    if (this.#isEmpty) await this.#waitFor(keepAliveMs, () => true);
    if (!this.#isEmpty && !this.#isEnough) await this.#waitFor(collectMs, () => this.#isEnough);
    const pieces = { parts: this.#parts, end: this.#end };
    this.#parts = [];
    this.#onTaken();
    return pieces;
  }

  /** Whether the whole answer has been taken. */
  get isOver(): boolean {
    return this.#parts.length === 0 && this.#end !== null;
  }

  get #isEmpty(): boolean {
    return this.#parts.length === 0 && this.#end === null;
  }

  /** Whether the page can take the parts at once: no more can arrive before it does. */
  get #isEnough(): boolean {
    return this.#parts.length >= maxBuffered || this.#end !== null;
  }

  /** Resolves at an arrival after which `isOver` holds, or after `ms` milliseconds. */
  #waitFor(ms: number, isOver: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#onArrival = () => {
        if (!isOver()) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #read(): Promise<void> {
    try {
      for await (const part of this.#stream) {
        this.#parts.push(part);
        this.#onArrival();
        while (this.#parts.length >= maxBuffered)
          await new Promise<void>((resolve) => (this.#onTaken = resolve));
      }
      this.#end = { error: null };
    } catch (thrown) {
      this.#end = { error: toSentError(thrown) };
    }
    this.#onArrival();
  }
}

export function toSentError(thrown: unknown): SentError {
  if (!(thrown instanceof ModelError))
    return { fault: 'provider', message: errorText(thrown), retryAfterMs: null };
  const { fault, message, hint, retryAfterMs } = thrown;
  return { fault, message, ...(hint === undefined ? {} : { hint }), retryAfterMs };
}
