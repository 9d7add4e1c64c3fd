/** The files that a link brings, to be read before they are opened. */

import { createPacer } from '../../../../runtime/async/pace.ts';
import type { FolderSource, SourceEntry } from '../../../../runtime/folder/source.ts';
import { ToolError } from '../../../../runtime/spec/error.ts';

export interface SharedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Null if the file is too large to be shown, is not text, or is damaged. */
  readonly text: string | null;
}

const maxFiles = 1_000;
const maxShownBytes = 200_000;

/** Lists the files, sorted by path. Rejects if the folder cannot be listed, or has too many files. */
export async function filesIn(source: FolderSource): Promise<readonly SharedFile[]> {
  // A link brings a zip file, which yields all of its entries without asking which folders to enter.
  const walk = { enter: () => true, unlisted: () => undefined };
  const pacer = createPacer();
  const files: SharedFile[] = [];
  let shown = 0;
  for await (const entry of source.entries(new AbortController().signal, walk)) {
    // A folder with unlisted files must not be opened.
    // @mutant a link opens no files that are not listed => never
    if (files.length === maxFiles)
      throw new ToolError(
        'limit',
        `It contains more than ${maxFiles} files, which is too many to show`,
      );
    const text = shown < maxShownBytes ? await textOf(entry) : null;
    shown += text?.length ?? 0;
    files.push({ path: entry.path, size: entry.size ?? 0, text });
    if (pacer.mustRest()) await pacer.rest();
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function textOf(entry: SourceEntry): Promise<string | null> {
  if ((entry.size ?? 0) > maxShownBytes) return null;
  try {
    const file = await entry.file();
    if (file.size > maxShownBytes) return null;
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}
