/** Medians, and pairs of measurements that alternate, so that both sides run under the same conditions. */

/** How many pairs are measured per row by default. */
const pairs = 7;

/**
 * @typedef {object} Sides
 * @property {number} ours
 * @property {number} floor
 * @property {number} spread how much the ratio of the pairs varies: half the distance of its quartiles, as a part of its median
 */

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
 * @returns {Promise<Sides>} the medians
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
  return medians(a, b);
}

/**
 * @param {readonly number[]} ours
 * @param {readonly number[] | number} floor what was measured beside each, or a fixed value
 * @returns {Sides}
 */
export function medians(ours, floor) {
  const floors = typeof floor === 'number' ? ours.map(() => floor) : floor;
  const ratios = ours.map((value, index) => value / (floors[index] ?? NaN));
  const spread = (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / 2 / quantile(ratios);
  return { ours: quantile(ours), floor: quantile(floors), spread };
}
