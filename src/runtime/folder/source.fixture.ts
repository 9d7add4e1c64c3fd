/** Fake folder sources for tests. */

import type { FolderSource, FolderWalk, SourceEntry } from './source.ts';

/** @param files text by path; opening a file with an Error rejects with it */
export function fakeSource(
  files: Readonly<Record<string, string | Error>>,
  overrides: Partial<FolderSource> = {},
): FolderSource {
  return listSource(
    Object.entries(files).map(([path, content]) => fakeEntry(path, () => content)),
    overrides,
  );
}

/** Returns a source that asks before it enters a folder, as a directory handle does. */
export function listSource(
  entries: readonly SourceEntry[],
  overrides: Partial<FolderSource> = {},
): FolderSource {
  return {
    name: 'folder',
    kind: 'upload',
    rereadable: false,
    async *entries(_signal, walk) {
      const asked = new Map<string, boolean>();
      for (const entry of entries) {
        await Promise.resolve();
        if (enterable(entry.path, walk, asked)) yield entry;
      }
    },
    ...overrides,
  };
}

/** Returns a file whose content is computed each time it is opened. */
export function fakeEntry(path: string, content: () => string | Error | File): SourceEntry {
  return {
    path,
    file() {
      const now = content();
      if (now instanceof Error) return Promise.reject(now);
      if (now instanceof File) return Promise.resolve(now);
      return Promise.resolve(new File([now], path, { lastModified: 1_000 }));
    },
  };
}

function enterable(path: string, walk: FolderWalk, asked: Map<string, boolean>): boolean {
  const names = path.split('/').slice(0, -1);
  return names.every((_, index) => {
    const folder = names.slice(0, index + 1).join('/');
    const answer = asked.get(folder) ?? walk.enter(folder);
    asked.set(folder, answer);
    return answer;
  });
}
