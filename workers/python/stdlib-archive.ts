/** The archive of Python's standard library, whose larger part arrives after Python has started. */

import type { PyodideAPI } from 'pyodide';

export const archivePath = '/lib/python314.zip';

/** Bytes at the end of a zip without a comment, and where in them the offset of its directory is. */
const [tailBytes, directoryOffset] = [22, 16];

/** Unpacks the archive as it is at first, with zeros in place of the rest. */
export async function unpackStdlib(start: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const unpacked = start.stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

/** Replaces the zeros in Python's file system by the rest, which belongs right before the archive's directory. */
export async function completeStdlib({ FS }: PyodideAPI, rest: Blob): Promise<void> {
  const bytes = new Uint8Array(await rest.arrayBuffer());
  const tail = new Uint8Array(tailBytes);
  const stream = FS.open(archivePath, 'r+');
  FS.read(stream, tail, 0, tailBytes, (FS.stat(archivePath) as { size: number }).size - tailBytes);
  const directory = new DataView(tail.buffer).getUint32(directoryOffset, true);
  FS.write(stream, bytes, 0, bytes.byteLength, directory - bytes.byteLength);
  FS.close(stream);
}
