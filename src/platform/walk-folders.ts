/** Walks through a folder and its subfolders, for every kind of folder. */

import type { FolderWalk, SourceEntry } from '../folder/source.ts';

/** A child of a folder: a file, or a folder of the same kind. */
export type Child<F> =
  | { readonly name: string; readonly file: () => Promise<File> }
  | { readonly name: string; readonly folder: F };

/** Yields every file below `root`, level by level, as specified by {@link FolderSource.entries}. */
export async function* walkFolders<F>(
  signal: AbortSignal,
  walk: FolderWalk,
  root: F,
  children: (folder: F) => AsyncIterable<Child<F>>,
): AsyncGenerator<SourceEntry> {
  const found: { path: string; folder: F }[] = [{ path: '', folder: root }];
  // The loop appends to the list.
  for (const { path: above, folder } of found) {
    try {
      for await (const child of children(folder)) {
        signal.throwIfAborted();
        const path = above === '' ? child.name : `${above}/${child.name}`;
        if ('file' in child) yield { path, file: child.file };
        else if (walk.enter(path)) found.push({ path, folder: child.folder });
      }
    } catch (thrown) {
      if (signal.aborted || above === '') throw thrown;
      walk.unlisted(above, thrown);
    }
  }
}
