/** Compares the contents of two files. */

/** Returns whether both have the same bytes; null stands for a file that does not exist. */
export function sameBytes(a: Uint8Array | null, b: Uint8Array | null): boolean {
  if (a === b || a === null || b === null) return a === b;
  if (a.byteLength !== b.byteLength) return false;
  for (let at = 0; at < a.byteLength; at += 1) if (a[at] !== b[at]) return false;
  return true;
}
