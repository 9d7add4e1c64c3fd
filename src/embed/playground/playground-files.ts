/** The files of a playground as those of a tools folder. */

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
