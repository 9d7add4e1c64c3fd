/** First step of reading a folder: lists its files and selects those within the rules and limits. */

import { wait } from '../async/wait.ts';
import type { Limits } from '../spec/limits.ts';
import type { Problem } from '../spec/problem.ts';
import {
  readingStopped,
  badPath,
  caseOnly,
  samePath,
  tooDeep,
  tooManyFiles,
  tooManyFolders,
  unreadable,
} from './folder-problems.ts';
import {
  parentFolders,
  comparePaths,
  isToolFile,
  isSkippedPath,
  pathFault,
  skippedName,
} from './path-rules.ts';
import type { FolderSource, FolderWalk, SourceEntry } from './source.ts';

export interface FileList {
  /** Tool files first, so that limits affect them last; both groups sorted by path. */
  readonly entries: readonly SourceEntry[];
  /** Subfolders that were searched, sorted by path. */
  readonly folders: readonly string[];
  readonly problems: readonly Problem[];
}

/**
 * Listing continues up to this multiple of the limit, so that the selection does not depend on the order of listing.
 */
const listedBeyond = 4;

/** Lists a folder by the rules for paths and the limits on files, folders and depth. */
export async function listFolder(
  signal: AbortSignal,
  source: FolderSource,
  limits: Limits,
): Promise<FileList> {
  const problems: Problem[] = [];
  const folders: string[] = [];
  const found = await collect(signal, source, limits, problems, folders);
  found.sort((a, b) => comparePaths(a.path, b.path));
  const taken = distinct(found, problems);
  const entries = [
    ...taken.filter((entry) => isToolFile(entry.path)),
    ...taken.filter((entry) => !isToolFile(entry.path)),
  ];
  const left = entries.splice(limits.folderFiles).map((entry) => entry.path);
  if (left.length > 0) problems.push(tooManyFiles(left, mostCrowded(taken), limits));
  return { entries, folders: folders.sort(comparePaths), problems };
}

async function collect(
  signal: AbortSignal,
  source: FolderSource,
  limits: Limits,
  problems: Problem[],
  folders: string[],
): Promise<SourceEntry[]> {
  const found: SourceEntry[] = [];
  const deep = new Set<string>();
  let reportedFolders = false;
  const hasGoodPath = (path: string): boolean => {
    const fault = pathFault(path);
    if (fault !== undefined) problems.push(badPath(path, fault));
    return fault === undefined;
  };
  const isInDepth = (path: string, depth: number): boolean => {
    if (depth <= limits.folderDepth) return true;
    const top = path.split('/').slice(0, limits.folderDepth).join('/');
    if (!deep.has(top)) problems.push(tooDeep(top, limits));
    deep.add(top);
    return false;
  };
  const walk: FolderWalk = {
    enter(path) {
      const names = path.split('/');
      if (skippedName(names.at(-1) ?? '') !== undefined) return false;
      if (!hasGoodPath(path) || !isInDepth(path, names.length)) return false;
      if (folders.length < limits.folderFiles) {
        folders.push(path);
        return true;
      }
      if (!reportedFolders) problems.push(tooManyFolders(limits));
      reportedFolders = true;
      return false;
    },
    unlisted: (path, error) => problems.push(unreadable(path, error)),
  };
  const iterator = source.entries(signal, walk)[Symbol.asyncIterator]();
  try {
    while (found.length + problems.length < limits.folderFiles * listedBeyond) {
      const next = await wait(signal, iterator.next(), { onAbort: readingStopped });
      if (next.done === true) break;
      const { path } = next.value;
      // Check the path before skipping the file: an endless list of bad paths must count too.
      if (!hasGoodPath(path) || isSkippedPath(path)) continue;
      if (isInDepth(path, path.split('/').length - 1)) found.push(next.value);
    }
  } finally {
    // Not awaited: if listing hangs, so may ending it.
    void iterator.return?.().catch(() => undefined);
  }
  return found;
}

/** Drops files with a path that already exists, and files inside another file. Expects paths in order. */
function distinct(found: readonly SourceEntry[], problems: Problem[]): SourceEntry[] {
  const taken = new Set<string>();
  const folded = new Map<string, string>();
  const distinctEntries: SourceEntry[] = [];
  for (const entry of found) {
    const { path } = entry;
    if (taken.has(path) || parentFolders(path).some((folder) => taken.has(folder))) {
      problems.push(samePath(path));
      continue;
    }
    const fold = path.normalize('NFC').toLowerCase();
    const other = folded.get(fold);
    if (other !== undefined) problems.push(caseOnly(path, other));
    taken.add(path);
    folded.set(fold, path);
    distinctEntries.push(entry);
  }
  return distinctEntries;
}

/** Returns the top-level folder that contains more than half of all files. */
function mostCrowded(entries: readonly SourceEntry[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { path } of entries) {
    const slash = path.indexOf('/');
    if (slash < 0) continue;
    const top = path.slice(0, slash);
    counts.set(top, (counts.get(top) ?? 0) + 1);
  }
  return [...counts].find(([, count]) => count > entries.length / 2)?.[0];
}
