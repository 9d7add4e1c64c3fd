/** What one extension may do in sessions: its powers, and its limits. */

import { powerWords, type Power } from '../grants/powers.ts';
import { ToolError } from '../spec/error.ts';
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

/** Limit of what costs tokens or reaches a provider, in a minute. */
const mostCostly = 20;
const minuteMs = 60_000;

/** Counts what costs tokens or reaches a provider, so that an extension in a loop does not spend without bound. */
export class CostlyLimit {
  readonly #now: () => number;
  #times: readonly number[] = [];

  /** @param now milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @throws {ToolError} `limit` */
  count(): void {
    const now = this.#now();
    this.#times = this.#times.filter((at) => at > now - minuteMs);
    if (this.#times.length >= mostCostly)
      throw new ToolError(
        'limit',
        `More than ${mostCostly} messages, background prompts and model lists in a minute.`,
      );
    this.#times = [...this.#times, now];
  }
}
