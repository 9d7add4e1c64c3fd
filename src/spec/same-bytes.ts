/** Compares the contents of two files. */

/** Whether both have the same bytes; null stands for a file that does not exist. */
export function sameBytes(a: Uint8Array | null, b: Uint8Array | null): boolean {
  if (a === null || b === null) return a === b;
  return a.byteLength === b.byteLength && a.every((byte, at) => byte === b[at]);
}
