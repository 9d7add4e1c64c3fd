/** Suggests names in place of one that does not exist. */

const maxSuggested = 3;
/** Limit for the characters that are compared. */
const maxChars = 100;

/**
 * Returns the names that are most like the wanted one, best first; at most three.
 *
 * @param least how much alike they must be: from 0 for any name to 1 for the same
 */
export function nearestNames(
  wanted: string,
  names: readonly string[],
  least = 0,
): readonly string[] {
  const lower = lowerCase(wanted);
  const pieces = piecesOf(lower);
  return names
    .map((name) => {
      const other = lowerCase(name);
      return { name, likeness: isPart(lower, other) ? 1 : similarity(pieces, piecesOf(other)) };
    })
    .filter((one) => one.likeness >= least)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, maxSuggested)
    .map(({ name }) => name);
}

function lowerCase(name: string): string {
  return name.slice(0, maxChars).toLowerCase();
}

function isPart(one: string, other: string): boolean {
  return Math.min(one.length, other.length) > 1 && (one.includes(other) || other.includes(one));
}

/** The letters and the pairs of letters: letters may be swapped, also in a short name. */
function piecesOf(text: string): ReadonlySet<string> {
  return new Set(Array.from(text, (letter, n) => [letter, text.slice(n, n + 2)]).flat());
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const piece of a) if (b.has(piece)) shared += 1;
  return (2 * shared) / (a.size + b.size || 1);
}
