/** The access of one extension to sessions: its powers, and its limits. */

import { powerWords, type Power } from '../../runtime/grants/powers.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { Action } from './actions.ts';
import type { Origin } from './contributions.ts';

export interface Access {
  readonly from: () => Origin;
  readonly signal: AbortSignal;
  /** Resolves if the extension has the power; may ask the user for it. @throws {ToolError} */
  readonly need: (power: Power) => Promise<void>;
  /** Performs an action, with the power that it needs. @throws {ToolError} */
  readonly perform: (action: Action, session: string) => Promise<void>;
}

/** Thrown if the user has not granted a power. */
export class PowerDenied extends ToolError {
  constructor(what: string, power: Power) {
    super(
      'bad-input',
      `${what} needs a power that the user has not granted: ${powerWords[power]}.`,
    );
  }
}

const minuteMs = 60_000;

/** Limits how often an extension may do something, in case it runs in a loop. */
export class RateLimit {
  readonly #now: () => number;
  readonly #max: number;
  readonly #what: string;
  #times: readonly number[] = [];

  /**
   * @param now milliseconds
   * @param max limit for one minute
   * @param what names the limited action in the error
   */
  constructor(now: () => number, max: number, what: string) {
    this.#now = now;
    this.#max = max;
    this.#what = what;
  }

  /** @throws {ToolError} `limit` */
  count(): void {
    const now = this.#now();
    this.#times = this.#times.filter((at) => at > now - minuteMs);
    // @mutant what costs tokens is limited in a minute => >= this.#max -> < 0
    //   [src/agent/extensions/session-writes.test.ts]
    if (this.#times.length >= this.#max)
      throw new ToolError('limit', `More than ${this.#max} ${this.#what} in a minute.`);
    this.#times = [...this.#times, now];
  }
}

/** The limit of actions that cost tokens, reach a provider, or copy or compare files. */
export function costlyLimit(now: () => number): RateLimit {
  return new RateLimit(now, 20, 'messages, background prompts, model lists and checkpoints');
}
