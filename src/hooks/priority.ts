/** The order of registrations by priority. */

/** Lowest first; equal ones keep the order in which they came, since sorting is stable. */
export function byPriority(
  a: { readonly priority: number },
  b: { readonly priority: number },
): number {
  return a.priority - b.priority;
}
