/** A timer as the parts of the app that wait are given it. */

/** Runs `then` in `ms` milliseconds. @returns cancel */
export function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}
