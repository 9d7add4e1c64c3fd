/** Whose stateless call is next: the sessions take turns, so that one with many of them keeps nobody waiting. */

import type { CallJob } from './job.ts';
import type { Lane } from './lane.ts';

export class StatelessTurns {
  /** Where the next one is looked for first. */
  #turn = 0;

  /** @param sessionId whose calls alone count; null: those of all */
  next(
    lanes: readonly Pick<Lane, 'sessionId' | 'takeStateless'>[],
    sessionId: string | null,
  ): CallJob | null {
    for (let n = 0; n < lanes.length; n += 1) {
      const at = (this.#turn + n) % lanes.length;
      const lane = lanes[at];
      if (sessionId !== null && lane?.sessionId !== sessionId) continue;
      const job = lane?.takeStateless();
      if (!job) continue;
      this.#turn = at + 1;
      return job;
    }
    return null;
  }
}
