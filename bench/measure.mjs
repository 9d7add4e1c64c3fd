/** Medians, and pairs of measurements that alternate, so that both sides run under the same conditions. */

/** How many pairs are measured per row by default. */
const pairs = 7;

/**
 * @param {readonly number[]} values
 * @param {number} part 0.5 for the median
 */
export function quantile(values, part = 0.5) {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  if (value === undefined) throw new Error('Nothing was measured.');
  return value;
}

/**
 * Measures both sides in turn.
 * @param {() => Promise<number>} ours
 * @param {() => Promise<number>} floor
 * @param {number} [count]
 * @returns {Promise<{ours: number, floor: number}>} the medians
 */
export async function alternate(ours, floor, count = pairs) {
  /** @type {number[]} */
  const a = [];
  /** @type {number[]} */
  const b = [];
  for (let pair = 0; pair < count; pair += 1) {
    a.push(await ours());
    b.push(await floor());
  }
  return { ours: quantile(a), floor: quantile(b) };
}
