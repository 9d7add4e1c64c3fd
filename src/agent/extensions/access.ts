/** What one extension may do in sessions: its powers, and its limits. */

import { powerWords, type Power } from '../../runtime/grants/powers.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { Action } from './actions.ts';
import type { Origin } from './shown.ts';

export interface Access {
  readonly from: () => Origin;
  /** Ends with the extension. */
  readonly signal: AbortSignal;
  /** Resolves if the extension has the power, which may ask the user. @throws {ToolError} */
  readonly need: (power: Power) => Promise<void>;
  /** Performs an action, with the power that it needs. @throws {ToolError} */
  readonly perform: (action: Action, session: string) => Promise<void>;
}

/** The user has not granted a power. */
export class PowerDenied extends ToolError {
  constructor(what: string, power: Power) {
    super(
      'bad-input',
      `${what} needs a power that the user has not granted: ${powerWords[power]}.`,
    );
  }
}

const minuteMs = 60_000;

/** Counts what an extension in a loop must not do without bound. */
export class RateLimit {
  readonly #now: () => number;
  readonly #max: number;
  readonly #what: string;
  #times: readonly number[] = [];

  /** @param now milliseconds @param most in a minute @param what names it in the error */
  constructor(now: () => number, max: number, what: string) {
    this.#now = now;
    this.#max = max;
    this.#what = what;
  }

  /** @throws {ToolError} `limit` */
  count(): void {
    const now = this.#now();
    this.#times = this.#times.filter((at) => at > now - minuteMs);
    if (this.#times.length >= this.#max)
      throw new ToolError('limit', `More than ${this.#max} ${this.#what} in a minute.`);
    this.#times = [...this.#times, now];
  }
}

/** The limit of what costs tokens, reaches a provider, or copies or compares files. */
export function costlyLimit(now: () => number): RateLimit {
  return new RateLimit(now, 20, 'messages, background prompts, model lists and checkpoints');
}
