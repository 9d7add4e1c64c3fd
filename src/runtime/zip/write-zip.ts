/** Writes files into one zip file. */

import { Zip, ZipDeflate } from 'fflate';
import type { FolderFile } from '../spec/folder.ts';

/** fflate writes local times, and refuses years before 1980 and after 2099. These limits are accepted in every time zone. */
const firstTime = Date.UTC(1980, 0, 2);
const lastTime = Date.UTC(2099, 0, 1);

/** @param rest lets other tasks of the page run when that is due */
export async function zipOf(files: Iterable<FolderFile>, rest: () => Promise<void>): Promise<Blob> {
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
    await rest();
  }
  zip.end();
  return new Blob(pieces);
}
