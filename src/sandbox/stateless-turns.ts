/** Whose stateless call is next: the sessions take turns, so that one with many of them keeps nobody waiting. */

import type { CallJob } from './job.ts';
import type { SessionQueue } from './session-queue.ts';

export class StatelessTurns {
  /** Where the next one is looked for first. */
  #turn = 0;

  /** @param sessionId whose calls alone count; null: those of all */
  next(
    queues: readonly Pick<SessionQueue, 'sessionId' | 'takeStateless'>[],
    sessionId: string | null,
  ): CallJob | null {
    for (let n = 0; n < queues.length; n += 1) {
      const at = (this.#turn + n) % queues.length;
      const queue = queues[at];
      if (sessionId !== null && queue?.sessionId !== sessionId) continue;
      const job = queue?.takeStateless();
      if (!job) continue;
      this.#turn = at + 1;
      return job;
    }
    return null;
  }
}
