/** A fault that knows all that was said of it: a person is shown the beginning of that, without secrets. */

import { ModelError, type ModelFault } from '../../spec/model-error.ts';

/** Characters that are looked through. */
const mostTold = 20_000;

export class Refusal extends ModelError {
  /** Secrets may be in it: it is looked through, and never shown, kept or sent. */
  readonly #told: string;

  constructor(
    fault: ModelFault,
    message: string,
    hint: string,
    retryAfterMs: number | null,
    told: string,
  ) {
    super(fault, message, hint, retryAfterMs);
    this.#told = told.slice(0, mostTold);
  }

  /** Of an error that nobody else has told of, its message. */
  static toldBy(error: ModelError): string {
    return error instanceof Refusal ? error.#told : error.message;
  }
}
