/** A timer for code that gets its timers as a dependency. */

/** Runs `then` in `ms` milliseconds. @returns cancel */
export function runAfter(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}
