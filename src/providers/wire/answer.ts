/**
 * Buffers an answer on its way from the worker to the page: reads it as it streams, and hands over all parts that have
 * arrived.
 */

import type { AnswerPieces, SentError } from '../../protocol/models.ts';
import { errorText } from '../../spec/error.ts';
import { ModelError } from '../../spec/model-error.ts';
import type { ModelExchange, ModelPart } from '../../spec/model.ts';

/** Number of buffered parts at which reading pauses until the page takes them. */
const maxBuffered = 1_000;

/**
 * Milliseconds after which an empty response tells the page that the worker is alive. Less than the page's own timeout.
 */
const keepAliveMs = 5_000;

export class Answer {
  readonly #stream: AsyncIterable<ModelPart>;
  #parts: ModelPart[] = [];
  #end: AnswerPieces['end'] = null;
  /** Called when parts have arrived, or the answer has ended. */
  #onArrival: () => void = () => undefined;
  /** Called when the page has taken the parts. */
  #onTaken: () => void = () => undefined;

  readonly #exchanges: () => readonly ModelExchange[];

  /** @param exchanges returns what was sent and received so far */
  constructor(
    stream: AsyncIterable<ModelPart>,
    exchanges: () => readonly ModelExchange[] = () => [],
  ) {
    this.#stream = stream;
    this.#exchanges = exchanges;
    void this.#read();
  }

  /**
   * Resolves to the parts that have arrived, or waits for the next ones; resolves to no parts if that takes too long.
   * Call it again only after it has resolved.
   */
  async next(): Promise<AnswerPieces> {
    if (this.#parts.length === 0 && this.#end === null) await this.#waitForNews();
    const pieces = { parts: this.#parts, end: this.#end };
    this.#parts = [];
    this.#onTaken();
    return pieces;
  }

  #waitForNews(): Promise<void> {
    return new Promise((resolve) => {
      const silence = setTimeout(resolve, keepAliveMs);
      this.#onArrival = () => {
        clearTimeout(silence);
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
      this.#end = { error: null, exchanges: this.#exchanges() };
    } catch (thrown) {
      this.#end = { error: sentError(thrown), exchanges: this.#exchanges() };
    }
    this.#onArrival();
  }
}

export function sentError(thrown: unknown): SentError {
  if (!(thrown instanceof ModelError))
    return { fault: 'provider', message: errorText(thrown), retryAfterMs: null };
  const { fault, message, hint, retryAfterMs } = thrown;
  return { fault, message, ...(hint === undefined ? {} : { hint }), retryAfterMs };
}
