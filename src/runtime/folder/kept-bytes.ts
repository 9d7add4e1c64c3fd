/** Recognises the content of a file that was written again without a change. */

import { createPacer } from '../async/pace.ts';
import { sameBytes } from '../spec/same-bytes.ts';

/** Bytes that are compared in one step. */
const stepBytes = 1024 * 1024;

/**
 * Returns the earlier bytes if the new ones are the same. The files of two snapshots are compared several times, and the
 * same object takes no time. Does not block the page.
 */
export async function keepSameBytes(
  before: Uint8Array | undefined,
  now: Uint8Array,
): Promise<Uint8Array> {
  if (before?.byteLength !== now.byteLength) return now;
  const pacer = createPacer();
  for (let from = 0; from < now.byteLength; from += stepBytes) {
    const end = from + stepBytes;
    if (!sameBytes(before.subarray(from, end), now.subarray(from, end))) return now;
    if (pacer.mustRest()) await pacer.rest();
  }
  return before;
}
