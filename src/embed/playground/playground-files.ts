/** The files of a playground as a tools folder in memory. */

import { fileInMemory, type FolderSource } from '../../runtime/folder/source.ts';
import type { PlaygroundFile } from '../../runtime/protocol/embed.ts';
import type { FolderFile } from '../../runtime/spec/folder.ts';
import { requirementsFile } from '../../runtime/packages/declared.ts';

const encoder = new TextEncoder();

/** The files, with the packages as requirements.txt unless the files have one. */
export function filesOf(
  files: readonly PlaygroundFile[],
  packages: readonly string[],
): readonly FolderFile[] {
  const byPath = new Map(files.map(({ path, text }) => [path, text]));
  if (packages.length > 0 && !byPath.has(requirementsFile))
    byPath.set(requirementsFile, `${packages.join('\n')}\n`);
  return [...byPath].map(([path, text]) => {
    const bytes = encoder.encode(text);
    return { path, bytes, size: bytes.byteLength, modifiedAt: 0 };
  });
}

/** @param current returns the files as they are now */
export function memoryFolder(current: () => readonly FolderFile[]): FolderSource {
  return {
    name: 'playground',
    kind: 'upload',
    rereadable: true,
    functionsAreTools: true,
    async *entries() {
      for (const { path, bytes, modifiedAt } of current()) {
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
