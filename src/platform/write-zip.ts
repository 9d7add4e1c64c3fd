/** Files as one zip file. */

import { Zip, ZipDeflate } from 'fflate';
import type { FolderFile } from '../spec/folder.ts';

/** Years that a zip file can tell. */
const firstTime = Date.UTC(1980, 0, 2);
const lastTime = Date.UTC(2099, 0, 1);

/** @param turn gives the page its turn where that is due */
export async function zipOf(files: Iterable<FolderFile>, turn: () => Promise<void>): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(new Uint8Array(piece));
  });
  for (const { path, bytes, modifiedAt } of files) {
    const entry = new ZipDeflate(path, { level: 6 });
    entry.mtime = Math.min(lastTime, Math.max(firstTime, modifiedAt));
    zip.add(entry);
    entry.push(bytes, true);
    await turn();
  }
  zip.end();
  return new Blob(pieces);
}
