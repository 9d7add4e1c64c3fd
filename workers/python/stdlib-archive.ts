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

/** Puts the two parts together, for a Python that does not wait for the second one. */
export async function wholeStdlib(start: Blob, rest: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const [archive, buffer] = await Promise.all([unpackStdlib(start), rest.arrayBuffer()]);
  archive.set(new Uint8Array(buffer), placeOf(rest.size, archive.slice(-tailBytes)));
  return archive;
}

/** Adds the rest to the archive in Python's file system. */
export async function completeStdlib({ FS }: PyodideAPI, rest: Blob): Promise<void> {
  const bytes = new Uint8Array(await rest.arrayBuffer());
  const tail = new Uint8Array(tailBytes);
  const stream = FS.open(archivePath, 'r+');
  FS.read(stream, tail, 0, tailBytes, (FS.stat(archivePath) as { size: number }).size - tailBytes);
  FS.write(stream, bytes, 0, bytes.byteLength, placeOf(rest.size, tail));
  FS.close(stream);
}

/** Where the rest belongs: before the archive's directory. */
function placeOf(restBytes: number, tail: Uint8Array<ArrayBuffer>): number {
  return new DataView(tail.buffer).getUint32(directoryOffset, true) - restBytes;
}
