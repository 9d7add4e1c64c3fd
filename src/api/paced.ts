/** Runs a generator of small steps to its end without blocking the page. */

import { createPacer } from '../scan/pace.ts';

/** Gives what the generator returns. */
export async function paced<T>(steps: Iterator<unknown, T>): Promise<T> {
  const pacer = createPacer();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (pacer.due()) await pacer.rest();
  }
}
