/** Completes Python's file system: the standard library, the loader and the time zones. */

import type { PyodideAPI } from 'pyodide';
import { lateLoaderFolder, loaderPath, zonesFolder } from './archive-paths.ts';
import { release } from './release.ts';

export const archivePath = '/lib/python314.zip';

/** Bytes at the end of a zip without a comment, and where in them the offset of its directory is. */
const tailBytes = 22;
const directoryOffset = 16;

/**
 * Returns the archive, with its directory, and with zeros in place of the parts that arrive later.
 * @param start the offsets of the gap's two ends, 4 bytes each, then the archive without the gap
 */
export function withGap(start: ArrayBuffer): Uint8Array<ArrayBuffer> {
  const [from = 0, to = 0] = new Uint32Array(start, 0, 2);
  const parts = new Uint8Array(start, 8);
  const archive = new Uint8Array(to + parts.byteLength - from);
  archive.set(parts.subarray(0, from));
  archive.set(parts.subarray(from), to);
  return archive;
}

/** Writes the loader, and extends `sys.path` by it and the time zones, unless a snapshot has done so already. */
export async function writeLoader(pyodide: PyodideAPI, loader: Blob): Promise<void> {
  const bytes = new Uint8Array(await loader.arrayBuffer());
  const { FS } = pyodide;
  FS.mkdirTree('/usr/lib/cloche');
  FS.writeFile(loaderPath, bytes, { canOwn: true });
  pyodide.runPython(`import sys
if ${JSON.stringify(loaderPath)} not in sys.path:
    sys.path[:0] = [${JSON.stringify(loaderPath)}]
    sys.path.append(${JSON.stringify(`${archivePath}/${zonesFolder}`)})
    import cloche
    cloche.__path__.append(${JSON.stringify(`${archivePath}/${lateLoaderFolder}/cloche`)})`);
}

/** Replaces zeros in the archive by `part`, which ends `before` bytes before the directory. */
export async function completeStdlib(
  { FS }: PyodideAPI,
  part: Blob,
  before: number,
): Promise<void> {
  const bytes = new Uint8Array(await part.arrayBuffer());
  const tail = new Uint8Array(tailBytes);
  const stream = FS.open(archivePath, 'r+');
  FS.read(stream, tail, 0, tailBytes, (FS.stat(archivePath) as { size: number }).size - tailBytes);
  const directory = new DataView(tail.buffer).getUint32(directoryOffset, true);
  FS.write(stream, bytes, 0, bytes.byteLength, directory - before - bytes.byteLength);
  FS.close(stream);
  release(bytes);
}
