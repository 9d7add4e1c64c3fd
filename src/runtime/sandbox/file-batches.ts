/** Copies a folder's files into the sandbox in batches, so that the page stays responsive. */

import type { FileForPython } from '../protocol/python.ts';
import type { FolderFile } from '../spec/folder.ts';

/** Largest size of a batch, in bytes and in files. */
const batchBytes = 4 * 1024 * 1024;
const batchFiles = 250;

/** Yields at least one batch, even if there are no files. */
export function* splitIntoBatches<F extends Pick<FolderFile, 'bytes'>>(
  files: readonly F[],
): Generator<F[]> {
  let batch: F[] = [];
  let bytes = 0;
  for (const file of files) {
    if (batch.length >= batchFiles || (bytes > 0 && bytes + file.bytes.byteLength > batchBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(file);
    bytes += file.bytes.byteLength;
  }
  yield batch;
}

/** Copies files so that their buffers can be transferred to another thread. `buffers` is the transfer list. */
export function copyFiles(files: readonly FileForPython[]): {
  copies: FileForPython[];
  buffers: ArrayBuffer[];
} {
  const buffers: ArrayBuffer[] = [];
  const copies = files.map(({ path, modifiedAt, bytes }) => {
    const copy = bytes.slice();
    buffers.push(copy.buffer);
    return { path, modifiedAt, bytes: copy };
  });
  return { copies, buffers };
}

/** Turns a folder's name into a valid path segment. */
export function folderStep(name: string): string {
  const clean = name.replace(/[/\\\p{Cc}]/gu, '_').slice(0, 100);
  return /^\.*$/.test(clean) ? 'folder' : clean;
}
