/** A tools folder in memory. */

import type { FolderFile } from '../spec/folder.ts';
import { fileInMemory, type FolderSource } from './source.ts';

/**
 * @param current returns the files as they are now
 * @param functionsAreTools whether typed functions of files without specs are tools
 */
export function memorySource(
  name: string,
  current: () => readonly FolderFile[],
  functionsAreTools: boolean,
): FolderSource {
  return {
    name,
    kind: 'upload',
    rereadable: true,
    ...(functionsAreTools && { functionsAreTools }),
    async *entries() {
      for (const { path, bytes, modifiedAt } of current()) {
        // These files are few enough to be read without pauses.
        const file = fileInMemory(new Uint8Array(bytes), modifiedAt, () => Promise.resolve());
        yield await Promise.resolve({
          path,
          size: bytes.byteLength,
          file: () => Promise.resolve(file),
        });
      }
    },
  };
}
