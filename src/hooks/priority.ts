/** Compares registrations by priority. */

/** Lowest first. Equal ones stay in order of registration, since sorting is stable. */
export function byPriority(
  a: { readonly priority: number },
  b: { readonly priority: number },
): number {
  return a.priority - b.priority;
}
