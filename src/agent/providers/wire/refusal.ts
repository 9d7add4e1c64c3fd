/** A provider error that keeps the provider's whole message; users see only its beginning, without secrets. */

import { ModelError, type ModelFault } from '../../../runtime/spec/model-error.ts';

/** Characters of the message that are kept. */
const maxReported = 20_000;

export class Refusal extends ModelError {
  /**
   * The whole message, which may contain secrets: it is only searched, and never shown, stored or
   * sent.
   */
  readonly #reported: string;

  constructor(
    fault: ModelFault,
    message: string,
    hint: string,
    retryAfterMs: number | null,
    reported: string,
  ) {
    super(fault, message, hint, retryAfterMs);
    this.#reported = reported.slice(0, maxReported);
  }

  /** Returns the whole message of a provider, or the error's own message. */
  static quotedBy(error: ModelError): string {
    return error instanceof Refusal ? error.#reported : error.message;
  }
}
