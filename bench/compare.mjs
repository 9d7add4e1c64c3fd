/** Compares two results of the same machine, row by row. */

/** @typedef {import('./row.mjs').Result} Result */

/**
 * @typedef {object} Comparison
 * @property {string} name
 * @property {number | null} before the ratio then; null if there was none
 * @property {number | null} after the ratio now; null if it was not measured
 * @property {number | null} change as a part of `before`: 0.1 is a tenth slower
 * @property {'faster' | 'slower' | 'noise' | null} verdict whether the change is more than what pairs differ by
 */

/**
 * Ratios are compared, and not times: the floor of the same run tells how fast the machine was.
 * @param {readonly Result[]} before
 * @param {readonly Result[]} after
 * @returns {Comparison[]} in the order of `after`, then what only `before` has
 */
export function compare(before, after) {
  const names = new Set([...after, ...before].map(({ name }) => name));
  return [...names].map((name) => {
    const old = before.find((row) => row.name === name);
    const now = after.find((row) => row.name === name);
    if (old === undefined || now === undefined)
      return {
        name,
        before: old?.ratio ?? null,
        after: now?.ratio ?? null,
        change: null,
        verdict: null,
      };
    const change = now.ratio / old.ratio - 1;
    const noise = old.spread + now.spread;
    const verdict = Math.abs(change) <= noise ? 'noise' : change < 0 ? 'faster' : 'slower';
    return { name, before: old.ratio, after: now.ratio, change, verdict };
  });
}
