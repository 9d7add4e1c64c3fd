/** Writes whole numbers of things for users. */

/** Returns a count with its noun: `1,000 tools`, `1 tool`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${groupDigits(count)} ${count === 1 ? one : many}`;
}

/** Returns a whole number with its digits in groups: `10,000`. */
export function groupDigits(count: number): string {
  return count.toFixed(0).replace(/\B(?=(\d{3})+$)/g, ',');
}
