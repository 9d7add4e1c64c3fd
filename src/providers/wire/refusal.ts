/** A fault that knows all that was said of it: a person is shown the beginning of that, without secrets. */

import { ModelError, type ModelFault } from '../../spec/model-error.ts';

/** Characters that are looked through. */
const mostReported = 20_000;

export class Refusal extends ModelError {
  /** Secrets may be in it: it is looked through, and never shown, kept or sent. */
  readonly #reported: string;

  constructor(
    fault: ModelFault,
    message: string,
    hint: string,
    retryAfterMs: number | null,
    reported: string,
  ) {
    super(fault, message, hint, retryAfterMs);
    this.#reported = reported.slice(0, mostReported);
  }

  /** Of an error that nobody else has told of, its message. */
  static quotedBy(error: ModelError): string {
    return error instanceof Refusal ? error.#reported : error.message;
  }
}
