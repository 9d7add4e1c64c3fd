/** What can go wrong between us and a model, told apart by what can be done about it. */

/**
 * `rate-limit`, `overloaded`, `network`, `cut`: may pass, worth trying again; `key`: refused; `context`: the request is too long;
 * `credit`: nothing left to pay with; `model`: there is none of that name; `cors`: the server does not let pages of this
 * address ask; `request`: it cannot make sense of what we sent; `answer`: we cannot of what it sent; `refused`: its
 * rules forbid the content; `provider`: anything else it failed with.
 */
export type ModelFault =
  | 'rate-limit'
  | 'overloaded'
  | 'network'
  | 'cut'
  | 'key'
  | 'context'
  | 'credit'
  | 'model'
  | 'cors'
  | 'request'
  | 'answer'
  | 'refused'
  | 'provider';

const passing: readonly ModelFault[] = ['rate-limit', 'overloaded', 'network', 'cut'];

export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly fault: ModelFault;
  /** What the person can do about it. */
  readonly hint: string | undefined;
  /** What the provider asks to wait; null where it says nothing. Milliseconds. */
  readonly retryAfterMs: number | null;

  constructor(
    fault: ModelFault,
    message: string,
    hint?: string,
    retryAfterMs: number | null = null,
  ) {
    super(message);
    this.fault = fault;
    this.hint = hint;
    this.retryAfterMs = retryAfterMs;
  }

  get mayPass(): boolean {
    return passing.includes(this.fault);
  }
}
