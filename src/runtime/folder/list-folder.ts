/** First step of reading a folder: lists its files and selects those within the rules and limits. */

import { createPacer } from '../async/pace.ts';
import { wait } from '../async/wait.ts';
import { composeName } from '../spec/composed-name.ts';
import type { Limits } from '../spec/limits.ts';
import type { Problem } from '../spec/folder.ts';
import {
  readingStopped,
  badPath,
  caseOnly,
  guessedNames,
  linksLeftOut,
  otherPrograms,
  samePath,
  twoForms,
  tooDeep,
  tooManyFiles,
  tooManyFolders,
  unreadable,
} from './folder-problems.ts';
import { parentFolders, comparePaths, pathFault } from './path-rules.ts';
import { skippedName } from './file-names.ts';
import { isToolFile } from './tool-files.ts';
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

interface FoundEntry {
  readonly entry: SourceEntry;
  /** Its path in composed form. */
  readonly composed: string;
}

/** Yields to the page when necessary, since a folder may have many files with long paths. Rejects once the reading is stopped. */
type Rest = () => Promise<void>;

/** Lists a folder by the rules for paths and the limits on files, folders and depth. */
export async function listFolder(
  signal: AbortSignal,
  source: FolderSource,
  limits: Limits,
): Promise<FileList> {
  const problems: Problem[] = [];
  const folders: string[] = [];
  const pacer = createPacer();
  const rest = async (): Promise<void> => {
    if (pacer.mustRest()) await pacer.rest();
    if (signal.aborted) throw readingStopped();
  };
  const listed = await collect(signal, source, limits, problems, folders, rest);
  const found = listed.map((entry) => ({ entry, composed: composeName(entry.path) }));
  // If files have the same path, the last one comes first, because unpacking a zip file keeps the last one.
  found.reverse();
  found.sort((a, b) => comparePaths(a.composed, b.composed));
  const names = await namesInUse(listed, folders, rest);
  const taken = await distinct(found, names, problems, rest);
  const entries = [
    ...taken.filter((entry) => isToolFile(entry.path)),
    ...taken.filter((entry) => !isToolFile(entry.path)),
  ];
  const excess = entries.splice(limits.folderFiles).map((entry) => entry.path);
  if (excess.length > 0) problems.push(tooManyFiles(excess, fullestFolder(taken), limits));
  const named = folders.map((path) =>
    twinOf(path, names) === undefined ? composeName(path) : path,
  );
  return { entries, folders: named.sort(comparePaths), problems };
}

async function collect(
  signal: AbortSignal,
  source: FolderSource,
  limits: Limits,
  problems: Problem[],
  folders: string[],
  rest: Rest,
): Promise<SourceEntry[]> {
  const found: SourceEntry[] = [];
  const deep = new Set<string>();
  const ignored = new Set<string>();
  const links: string[] = [];
  let reportedFolders = false;
  // The next three functions also note what they refuse, for the problems.
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
  const isIgnored = (path: string): boolean => {
    const names = path.split('/');
    const at = names.findIndex((name) => skippedName(name) !== undefined);
    if (at >= 0 && ignored.size < limits.folderFiles) ignored.add(names.slice(0, at + 1).join('/'));
    return at >= 0;
  };
  const walk: FolderWalk = {
    enter(path) {
      const names = path.split('/');
      if (isIgnored(path)) return false;
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
    refused: (path, fault) => problems.push(badPath(path, fault)),
    linked(path) {
      if (!isIgnored(path) && links.length < limits.folderFiles) links.push(path);
    },
    guessed: (guess) => problems.push(guessedNames(guess)),
  };
  const iterator = source.entries(signal, walk)[Symbol.asyncIterator]();
  try {
    while (found.length + problems.length < limits.folderFiles * listedBeyond) {
      const next = await wait(signal, iterator.next(), { onAbort: readingStopped });
      if (next.done === true) break;
      await rest();
      const { path } = next.value;
      // Check the path before skipping the file: an endless list of bad paths must count too.
      // @mutant bad paths are left out => without !hasGoodPath(path) || [src/runtime/folder/list-folder.test.ts
      //   src/runtime/folder/read-folder.test.ts]
      if (!hasGoodPath(path) || isIgnored(path)) continue;
      if (isInDepth(path, path.split('/').length - 1)) found.push(next.value);
    }
  } finally {
    // Ending the iterator is not awaited: if listing hangs, so may ending it.
    void iterator.return?.().catch(() => undefined);
  }
  if (links.length > 0) problems.push(linksLeftOut(links.sort(comparePaths)));
  if (ignored.size > 0) problems.push(otherPrograms([...ignored].sort(comparePaths)));
  // Chromium writes a file through a second one with this extension, which soon is gone.
  return found.filter(({ path }) => !/\.crswap$/i.test(path));
}

/**
 * Drops files whose path already exists, and files inside another file. All others get composed names, unless another
 * file or folder already has the composed name. Expects the entries in the order of their composed paths, and the
 * preferred one first among equal paths.
 */
async function distinct(
  found: readonly FoundEntry[],
  names: NamesInUse,
  problems: Problem[],
  rest: Rest,
): Promise<SourceEntry[]> {
  const written = new Set<string>();
  const taken = new Set<string>();
  const byFolded = new Map<string, string>();
  const twins = new Set<string>();
  const distinctEntries: SourceEntry[] = [];
  for (const { entry, composed } of found) {
    await rest();
    // Another file or folder has the composed path, so this one keeps its own.
    const twin = twinOf(entry.path, names) ?? (taken.has(composed) ? entry.path : undefined);
    const path = twin === undefined ? composed : entry.path;
    const isListedTwice = written.has(entry.path);
    written.add(entry.path);
    if (isListedTwice || taken.has(path) || isBelow(path, taken)) {
      problems.push(samePath(path));
      continue;
    }
    const folded = path.normalize('NFC').toLowerCase();
    const other = byFolded.get(folded);
    if (twin !== undefined && !twins.has(twin)) problems.push(twoForms(twin));
    else if (other !== undefined && composeName(other) !== composed)
      problems.push(caseOnly(path, other));
    if (twin !== undefined) twins.add(twin);
    taken.add(path);
    byFolded.set(folded, path);
    distinctEntries.push(path === entry.path ? entry : { ...entry, path });
  }
  return distinctEntries.sort((a, b) => comparePaths(a.path, b.path));
}

/** Paths of files and folders, as they are stored. */
type NamesInUse = ReadonlySet<string>;

async function namesInUse(
  found: readonly SourceEntry[],
  folders: readonly string[],
  rest: Rest,
): Promise<NamesInUse> {
  const names = new Set<string>();
  for (const path of [...folders, ...found.map((entry) => entry.path)]) {
    await rest();
    // A known name was added together with the folders above it.
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const name = path.slice(0, end);
      if (names.has(name)) break;
      names.add(name);
    }
  }
  return names;
}

/** Whether one of these paths is a folder above `path`. */
function isBelow(path: string, others: ReadonlySet<string>): boolean {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    if (others.has(path.slice(0, end))) return true;
  return false;
}

/** The path, or a folder above it, whose composed name another file or folder has. */
function twinOf(path: string, names: NamesInUse): string | undefined {
  if (composeName(path) === path) return undefined;
  return [...parentFolders(path), path].find((one) => {
    const usual = composeName(one);
    return usual !== one && names.has(usual);
  });
}

/** Returns the top-level folder that contains more than half of all files. */
function fullestFolder(entries: readonly SourceEntry[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { path } of entries) {
    const slash = path.indexOf('/');
    if (slash < 0) continue;
    const top = path.slice(0, slash);
    counts.set(top, (counts.get(top) ?? 0) + 1);
  }
  return [...counts].find(([, count]) => count > entries.length / 2)?.[0];
}
