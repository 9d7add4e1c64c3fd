/** Long work in slices, so that the page draws and listens in between. */

export interface Pacer {
  /** Whether this slice has lasted long enough. */
  mustRest(): boolean;
  /** Lets everything else have its turn, then begins a new slice. */
  rest(): Promise<void>;
}

/** Half a frame at 60 Hz: the other half belongs to the page. */
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

/** A message, not a timer: timers are held back to 4 ms, in a hidden tab to a second and more. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Runs a generator of small steps to its end without blocking the page. @returns what the generator returns */
export async function paced<T>(steps: Iterator<unknown, T>): Promise<T> {
  const pacer = createPacer();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (pacer.mustRest()) await pacer.rest();
  }
}
