/** An answer on its way to the page: read as it comes, handed over in as many parts as there are by then. */

import type { AnswerPieces, ToldError } from '../../protocol/models.ts';
import { errorText } from '../../spec/error.ts';
import { ModelError } from '../../spec/model-error.ts';
import type { ModelPart } from '../../spec/model.ts';

/** Parts that wait for a page that is busy; then no more are read. */
const mostWaiting = 1_000;

export class Answer {
  readonly #stream: AsyncIterable<ModelPart>;
  #parts: ModelPart[] = [];
  #end: AnswerPieces['end'] = null;
  /** Told when parts have come, or the answer is over. */
  #arrived: () => void = () => undefined;
  /** Told when they have been taken. */
  #taken: () => void = () => undefined;

  constructor(stream: AsyncIterable<ModelPart>) {
    this.#stream = stream;
    void this.#read();
  }

  /** What is there, or what comes next. One asks at a time. */
  async next(): Promise<AnswerPieces> {
    while (this.#parts.length === 0 && this.#end === null)
      await new Promise<void>((resolve) => (this.#arrived = resolve));
    const pieces = { parts: this.#parts, end: this.#end };
    this.#parts = [];
    this.#taken();
    return pieces;
  }

  async #read(): Promise<void> {
    try {
      for await (const part of this.#stream) {
        this.#parts.push(part);
        this.#arrived();
        while (this.#parts.length >= mostWaiting)
          await new Promise<void>((resolve) => (this.#taken = resolve));
      }
      this.#end = { error: null };
    } catch (thrown) {
      this.#end = { error: toldError(thrown) };
    }
    this.#arrived();
  }
}

export function toldError(thrown: unknown): ToldError {
  if (!(thrown instanceof ModelError))
    return { fault: 'provider', message: errorText(thrown), retryAfterMs: null };
  const { fault, message, hint, retryAfterMs } = thrown;
  return { fault, message, ...(hint === undefined ? {} : { hint }), retryAfterMs };
}
