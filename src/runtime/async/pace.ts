/** Keeps long work from blocking the page: splits it into slices, limits it by a budget, and runs updates when the page draws. */

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
 * Resolves in a separate task. Uses a message, since browsers delay timers by 4 ms, and in a hidden tab by a second or
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
export async function runPaced<T>(steps: Iterator<unknown, T>): Promise<T> {
  const pacer = createPacer();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (pacer.mustRest()) await pacer.rest();
  }
}

/** The parts of a window that frames need, so that code without a window can pass a replacement. */
export interface Frames {
  requestAnimationFrame(then: () => void): number;
  cancelAnimationFrame(frame: number): void;
  setTimeout(then: () => void, ms: number): number;
  clearTimeout(timer: number): void;
}

/** Longest wait for a frame, since a hidden page gets none; milliseconds. */
const longestWaitMs = 100;

/** Runs `then` once: in the next frame, or after {@link longestWaitMs} if there is none. */
export function nextFrame(page: Frames, then: () => void): void {
  const once = (): void => {
    page.cancelAnimationFrame(frame);
    page.clearTimeout(timer);
    then();
  };
  const frame = page.requestAnimationFrame(once);
  const timer = page.setTimeout(once, longestWaitMs);
}

/** The pause after an update, as a multiple of the time that the update took, so that drawing slows a turn less. */
const pauseFactor = 4;
/**
 * Shortest pause; milliseconds. An update costs more than its first frame: scrolling draws a second one, and other threads
 * rasterize each. Streamed text changes less often than this.
 */
const minPauseMs = 60;
/** Longest pause; milliseconds. */
const maxPauseMs = 150;

/**
 * Returns a function that runs `then` in the next frame, or after the pause that follows an update.
 *
 * @param now milliseconds
 */
export function paceByFrames(
  page: Frames,
  now = () => performance.now(),
): (then: () => void) => void {
  let restEnds = -Infinity;
  const draw = (then: () => void): void => {
    nextFrame(page, () => {
      const began = now();
      then();
      // The next task begins after the browser has drawn.
      void nextTask().then(() => {
        const ended = now();
        const rest = Math.max(minPauseMs, pauseFactor * (ended - began));
        restEnds = ended + Math.min(maxPauseMs, rest);
      });
    });
  };
  return (then) => {
    const rest = restEnds - now();
    if (rest <= 0) draw(then);
    else
      page.setTimeout(() => {
        draw(then);
      }, rest);
  };
}

/** A step is about a microsecond of work, so that all of them together take less than a frame. */
const defaultSteps = 10_000;

/**
 * Limits work that is done at once on the page's thread, where untrusted content decides how much there is. All parts of
 * one piece of work share a budget. When it is spent, the rest of the work is left out, and the interface says so.
 */
export class Budget {
  #left: number;

  constructor(steps = defaultSteps) {
    this.#left = steps;
  }

  /** Takes steps. @returns false if they were not all left */
  take(steps = 1): boolean {
    this.#left -= steps;
    return this.#left >= 0;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }
}
