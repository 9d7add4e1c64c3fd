/** The changes to a workspace that are not written yet, and the workspace as it will be once they are. */

import { createPacer, type Pacer } from '../async/pace.ts';
import { parentFolders } from '../folder/path-rules.ts';
import type { FolderFile } from '../spec/folder.ts';
import { sameBytes } from '../spec/bytes.ts';
import type { WorkspaceChangeKind } from '../spec/result.ts';

export interface ChangeOrigin {
  readonly tool: string;
  readonly callId: string;
}

/** A change that a tool has made to a workspace, before it is written. */
export interface Change {
  readonly id: string;
  readonly path: string;
  readonly kind: WorkspaceChangeKind;
  /** The file before the change; null if there was none, and for folders. */
  readonly base: FolderFile | null;
  /** The new content; null if the file is removed, and for folders. */
  readonly content: FolderFile | null;
  readonly origin: ChangeOrigin;
  /** Whether the change waits for the user's review even where changes are written at once. */
  readonly needsReview?: true;
  /** Why writing it failed, and how to fix that. */
  readonly error?: string;
}

export type FileChange = Pick<Change, 'path' | 'base' | 'content'>;

/** A workspace's files and folders at one moment. */
export interface WorkspaceView {
  readonly files: ReadonlyMap<string, FolderFile>;
  readonly folders: ReadonlySet<string>;
}

/**
 * Returns the files to write, and the paths to remove and to create, that turn one view of a
 * workspace into another.
 */
export async function compareViews(
  wanted: WorkspaceView,
  now: WorkspaceView,
  pacer: Pacer = createPacer(),
) {
  const files: FolderFile[] = [];
  for (const file of wanted.files.values()) {
    if (!sameContent(now.files.get(file.path) ?? null, file)) files.push(file);
    // Large files that were read again have to be compared byte by byte.
    if (pacer.mustRest()) await pacer.rest();
  }
  return {
    files,
    removed: await missingIn(wanted.files, now.files.keys(), pacer),
    folders: await missingIn(now.folders, wanted.folders, pacer),
    foldersGone: await missingIn(wanted.folders, now.folders, pacer),
  };
}

async function missingIn(
  all: Pick<ReadonlySet<string>, 'has'>,
  paths: Iterable<string>,
  pacer: Pacer,
): Promise<string[]> {
  const missing: string[] = [];
  for (const path of paths) {
    if (!all.has(path)) missing.push(path);
    if (pacer.mustRest()) await pacer.rest();
  }
  return missing;
}

/** Adds changes, each behind the earlier ones of its path. */
export function addChanges(pending: readonly Change[], changes: readonly Change[]): Change[] {
  const paths = new Map<string, readonly Change[]>();
  for (const one of pending) paths.set(one.path, [...(paths.get(one.path) ?? []), one]);
  for (const one of changes) paths.set(one.path, addChange(paths.get(one.path) ?? [], one));
  return [...paths.values()].flat();
}

/**
 * Adds a change. Merges it with an earlier change of the same file that it continues, and drops both if the
 * file is as it was. The user reviews what was merged if they would have reviewed one of the two.
 */
function addChange(pending: readonly Change[], change: Change): readonly Change[] {
  const at = pending.findIndex((one) => continuesFrom(change, one));
  const earlier = pending[at];
  if (earlier === undefined) return [...pending, change];
  const rest = pending.filter((one) => one !== earlier);
  if (isFolderChange(change) || sameContent(earlier.base, change.content)) return rest;
  const { base, needsReview } = earlier;
  const kind = kindOf(base, change.content);
  const review = needsReview === undefined ? {} : { needsReview };
  const joined = { ...change, id: earlier.id, base, kind, ...review };
  return pending.map((one) => (one === earlier ? joined : one));
}

/** Returns whether a change follows an earlier one of the same path. */
function continuesFrom(change: Change, earlier: Change): boolean {
  if (isFolderChange(change) !== isFolderChange(earlier)) return false;
  // Creating and removing the same folder cancel each other out.
  if (isFolderChange(change)) return change.kind !== earlier.kind;
  return sameContent(change.base, earlier.content);
}

/**
 * Returns the changes that the user must decide: the folder has another file than the tool had, or another
 * change of the same file comes first.
 */
export function findConflicts(
  pending: readonly Change[],
  disk: WorkspaceView,
): ReadonlySet<Change> {
  const found = new Set<Change>();
  const first = new Set<string>();
  for (const change of pending) {
    if (isFolderChange(change)) continue;
    const now = disk.files.get(change.path) ?? null;
    if (first.has(change.path) || !sameContent(now, change.base)) found.add(change);
    first.add(change.path);
  }
  return found;
}

/** Returns the workspace as tools see it: the folder with all changes that need no decision. */
export function viewOf(disk: WorkspaceView, pending: readonly Change[]): WorkspaceView {
  if (pending.length === 0) return disk;
  const files = new Map(disk.files);
  const folders = new Set(disk.folders);
  const asks = findConflicts(pending, disk);
  for (const change of pending) {
    if (asks.has(change)) continue;
    const { path, kind, content } = change;
    if (content !== null) files.set(path, content);
    else if (kind === 'removed') files.delete(path);
    else if (kind === 'folder-added') folders.add(path);
    else folders.delete(path);
  }
  for (const path of files.keys()) for (const folder of parentFolders(path)) folders.add(folder);
  return { files, folders };
}

/**
 * Returns changes in the order in which they are written: first removals that make room for others, then additions and
 * changes, and other removals last. So a moved file exists twice rather than not at all if a write fails.
 */
export function sortForWriting(changes: readonly Change[]): readonly Change[] {
  const additions = changes.filter(
    ({ content, kind }) => content !== null || kind === 'folder-added',
  );
  const needed = new Set(additions.flatMap(({ path }) => [path, ...parentFolders(path)]));
  const files = new Set(additions.flatMap(({ path, content }) => (content === null ? [] : [path])));
  const isInTheWay = ({ kind, path }: Change): boolean =>
    kind === 'removed'
      ? needed.has(path) || parentFolders(path).some((folder) => files.has(folder))
      : files.has(path);
  const rank = (change: Change): number => {
    if (change.kind === 'removed') return isInTheWay(change) ? 0 : 4;
    if (change.kind === 'folder-removed') return isInTheWay(change) ? 1 : 5;
    return change.kind === 'folder-added' ? 2 : 3;
  };
  const depth = ({ path, kind }: Change): number =>
    path.split('/').length * (kind === 'folder-removed' ? -1 : 1);
  return [...changes].sort((a, b) => rank(a) - rank(b) || depth(a) - depth(b));
}

export function kindOf(
  base: FolderFile | null,
  content: FolderFile | null,
): 'added' | 'changed' | 'removed' {
  if (content === null) return 'removed';
  return base === null ? 'added' : 'changed';
}

export function isFolderChange({ kind }: Pick<Change, 'kind'>): boolean {
  return kind === 'folder-added' || kind === 'folder-removed';
}

/** Returns whether two files have the same content; null means no file. */
export function sameContent(a: FolderFile | null, b: FolderFile | null): boolean {
  return a === b || sameBytes(a?.bytes ?? null, b?.bytes ?? null);
}
