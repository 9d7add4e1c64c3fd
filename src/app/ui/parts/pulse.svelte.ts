/**
 * A slow counter for activity indicators. A CSS animation would redraw sixty times a second and take processor time
 * from Python: on two cores without a graphics card, Python's start took half as long again.
 */

const pulseMs = 600;

export class Pulse {
  count = $state.raw(0);

  /** Counts while the calling component or effect lives. @param isStill stops the counting */
  constructor(isStill: () => boolean) {
    $effect(() => {
      if (isStill()) return;
      const timer = setInterval(() => (this.count += 1), pulseMs);
      return () => clearInterval(timer);
    });
  }

  /** True on every other count. */
  get on(): boolean {
    return this.count % 2 === 1;
  }
}

export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
