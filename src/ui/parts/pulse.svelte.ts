/**
 * A slow count for what shows that something is alive. An animation would have the browser draw sixty times a second,
 * beside a Python that needs the processor: on two cores without a graphics card that made its start half as long again.
 */

const pulseMs = 600;

export class Pulse {
  #count = $state.raw(0);

  /** While a component lives, or an effect. @param still nothing is to move */
  constructor(still: () => boolean) {
    $effect(() => {
      if (still()) return;
      const timer = setInterval(() => {
        this.#count += 1;
      }, pulseMs);
      return () => {
        clearInterval(timer);
      };
    });
  }

  get count(): number {
    return this.#count;
  }

  /** On every other pulse. */
  get on(): boolean {
    return this.#count % 2 === 1;
  }
}

/** The user has asked the system for less movement. */
export function reducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
