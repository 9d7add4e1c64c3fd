/** Reads and writes through the handles of the browser's file systems. */

/** A part of a file's content. */
export type Piece = Uint8Array<ArrayBuffer> | Blob;

/** Returns whether a file or folder does not exist. */
export function isMissing(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'NotFoundError';
}

/** Does the work; succeeds also if what it needs does not exist. */
export async function ignoreMissing(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
  }
}

/** Replaces the content of a file. If it rejects, the file is as before. */
export async function writeFile(
  file: FileSystemFileHandle,
  pieces: Iterable<Piece>,
): Promise<void> {
  const writable = await file.createWritable();
  try {
    for (const piece of pieces) await writable.write(piece);
    // The file is only replaced on close.
    await writable.close();
  } catch (thrown) {
    await writable.abort().catch(() => undefined);
    throw thrown;
  }
}
