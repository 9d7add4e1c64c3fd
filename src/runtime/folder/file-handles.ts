/** Reads, writes and finds files through the handles of the browser's file systems. */

import { composeName } from '../spec/composed-name.ts';

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

/**
 * Returns the name that a file or folder has on disk. macOS may have stored it decomposed, and other systems do not
 * find such a file by its composed name. Returns the same name if there is no such file or folder.
 */
export async function findStoredName(
  folder: FileSystemDirectoryHandle,
  name: string,
  kind: FileSystemHandle['kind'],
): Promise<string> {
  // An ASCII name has only one Unicode form.
  if (/^[ -~]*$/.test(name)) return name;
  try {
    if (kind === 'file') await folder.getFileHandle(name);
    else await folder.getDirectoryHandle(name);
    return name;
  } catch (thrown) {
    if (!isMissing(thrown)) return name;
  }
  for await (const child of folder.values())
    if (child.kind === kind && composeName(child.name) === name) return child.name;
  return name;
}
