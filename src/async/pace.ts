/** Splits long work into slices, so that the page can draw and handle events in between. */

export interface Pacer {
  /** Whether the current slice has used up its time. */
  mustRest(): boolean;
  /** Yields to other tasks, then begins a new slice. */
  rest(): Promise<void>;
}

/** Half a frame at 60 Hz; the other half is left to the page. */
const sliceMs = 8;

/** A pacer whose first slice begins now. */
export function createPacer(): Pacer {
  let end = performance.now() + sliceMs;
  return {
    mustRest: () => performance.now() >= end,
    async rest() {
      await nextTask();
      end = performance.now() + sliceMs;
    },
  };
}

/**
 * Resolves in a task of its own. Uses a message, since browsers delay timers by 4 ms, and in a hidden tab by a second or
 * more.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Runs a generator of small steps to its end without blocking the page. @returns the generator's return value */
export async function paced<T>(steps: Iterator<unknown, T>): Promise<T> {
  const pacer = createPacer();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (pacer.mustRest()) await pacer.rest();
  }
}
