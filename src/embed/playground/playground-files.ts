/** The files of a playground as those of a tools folder. */

import { requirementsFile } from '../../runtime/packages/declared.ts';
import type { PlaygroundFile } from '../../runtime/protocol/embed.ts';

/** Returns the texts by path, with the packages as requirements.txt unless there is one. */
export function filesOf(
  files: readonly PlaygroundFile[],
  packages: readonly string[],
): Readonly<Record<string, string>> {
  const declared = packages.length === 0 ? {} : { [requirementsFile]: `${packages.join('\n')}\n` };
  return { ...declared, ...Object.fromEntries(files.map(({ path, text }) => [path, text])) };
}
