/** An answer on its way to the page: read as it comes, handed over in as many parts as there are by then. */

import type { AnswerPieces, SentError } from '../../protocol/models.ts';
import { errorText } from '../../spec/error.ts';
import { ModelError } from '../../spec/model-error.ts';
import type { ModelPart } from '../../spec/model.ts';

/** Parts that wait for a page that is busy; then no more are read. */
const mostWaiting = 1_000;

/** An answer that says nothing for so long is no dead worker, and the page is told so. Less than its patience; milliseconds. */
const signMs = 5_000;

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

  /** What is there, or what comes next; nothing, where that takes long. One asks at a time. */
  async next(): Promise<AnswerPieces> {
    if (this.#parts.length === 0 && this.#end === null) await this.#news();
    const pieces = { parts: this.#parts, end: this.#end };
    this.#parts = [];
    this.#taken();
    return pieces;
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      const silence = setTimeout(resolve, signMs);
      this.#arrived = () => {
        clearTimeout(silence);
        resolve();
      };
    });
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
      this.#end = { error: sentError(thrown) };
    }
    this.#arrived();
  }
}

export function sentError(thrown: unknown): SentError {
  if (!(thrown instanceof ModelError))
    return { fault: 'provider', message: errorText(thrown), retryAfterMs: null };
  const { fault, message, hint, retryAfterMs } = thrown;
  return { fault, message, ...(hint === undefined ? {} : { hint }), retryAfterMs };
}
