/** Breaches of the specification that were seen in messages of a server, for the list of its problems. */

import { signInProblem } from '../../runtime/protocol/mcp.ts';

/** Limit of the breaches that are shown. */
const maxBreaches = 40;

export class SeenBreaches {
  readonly #all = new Set<string>();

  get all(): readonly string[] {
    return [...this.#all];
  }

  /** @returns whether the breach was added: it is new, and the limit is not reached */
  add(problem: string): boolean {
    if (this.#all.size >= maxBreaches || this.#all.has(problem)) return false;
    this.#all.add(problem);
    return true;
  }

  /**
   * Forgets what was seen, before another connection: the author may have corrected it meanwhile. Breaches of a sign-in were
   * seen just before this connection.
   */
  forget(): void {
    for (const one of this.#all) if (!one.startsWith(signInProblem)) this.#all.delete(one);
  }
}
