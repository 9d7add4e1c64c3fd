/** Errors of requests to models, classified by what the user can do about them. */

/**
 * `rate-limit`, `overloaded`, `network`, `cut`: temporary, worth a retry. `key`: the key was rejected. `context`: the
 * request is too long. `credit`: the account has no credit. `model`: unknown model. `cors`: the server does not allow
 * requests from this origin. `request`: the provider rejected the request as invalid. `answer`: the answer is invalid.
 * `refused`: the provider's rules forbid the content. `provider`: any other error of the provider.
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

const temporary: readonly ModelFault[] = ['rate-limit', 'overloaded', 'network', 'cut'];

export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly fault: ModelFault;
  /** Advice for the user. */
  readonly hint: string | undefined;
  /** Time that the provider asks to wait; milliseconds. Null if it does not say. */
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

  /** Whether a retry may succeed. */
  get isTemporary(): boolean {
    return temporary.includes(this.fault);
  }
}
