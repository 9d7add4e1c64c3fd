/** The names that come nearest to one that does not exist. */

const most = 3;

/** Nearest first; by the pairs of letters that they share. */
export function nearestNames(wanted: string, names: readonly string[]): readonly string[] {
  const own = pairsOf(wanted);
  return names
    .map((name) => ({ name, alike: likeness(own, pairsOf(name)) }))
    .sort((a, b) => b.alike - a.alike)
    .slice(0, most)
    .map(({ name }) => name);
}

function pairsOf(text: string): ReadonlySet<string> {
  const lower = text.toLowerCase();
  return new Set(Array.from({ length: lower.length - 1 }, (_, n) => lower.slice(n, n + 2)));
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return (2 * shared) / (a.size + b.size || 1);
}
