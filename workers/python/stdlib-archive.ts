/** The archive of Python's standard library, whose larger part arrives after Python has started. */

import type { PyodideAPI } from 'pyodide';
import { release } from './release.ts';

export const archivePath = '/lib/python314.zip';

/** Bytes at the end of a zip without a comment, and where in them the offset of its directory is. */
const [tailBytes, directoryOffset] = [22, 16];

/** Replaces the zeros in Python's file system by the rest, which belongs right before the archive's directory. */
export async function completeStdlib({ FS }: PyodideAPI, rest: Blob): Promise<void> {
  const bytes = new Uint8Array(await rest.arrayBuffer());
  const tail = new Uint8Array(tailBytes);
  const stream = FS.open(archivePath, 'r+');
  FS.read(stream, tail, 0, tailBytes, (FS.stat(archivePath) as { size: number }).size - tailBytes);
  const directory = new DataView(tail.buffer).getUint32(directoryOffset, true);
  FS.write(stream, bytes, 0, bytes.byteLength, directory - bytes.byteLength);
  FS.close(stream);
  release(bytes);
}
