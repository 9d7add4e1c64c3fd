/** One change of a workspace that a tool has made, and that is not written yet. */

import type { FolderFile } from '../spec/folder.ts';
import type { WorkspaceChangeKind } from '../spec/workspace.ts';

/** Who made it. */
export interface ChangeOrigin {
  readonly tool: string;
  readonly callId: string;
}

export interface Change {
  readonly id: string;
  readonly path: string;
  readonly kind: WorkspaceChangeKind;
  /** The file that the tool had before it; null where there was none, and for folders. */
  readonly base: FolderFile | null;
  /** What is to be written; null where the file is to go, and for folders. */
  readonly content: FolderFile | null;
  readonly origin: ChangeOrigin;
  /** Why it was not written when that was tried, and what to do about it. */
  readonly error?: string;
}

export type FileChange = Pick<Change, 'path' | 'base' | 'content'>;

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

/** Whether two files have the same content; null is no file. */
export function sameContent(a: FolderFile | null, b: FolderFile | null): boolean {
  if (a === null || b === null || a === b) return a === b;
  if (a.bytes === b.bytes) return true;
  if (a.size !== b.size) return false;
  for (let at = 0; at < a.bytes.length; at += 1) if (a.bytes[at] !== b.bytes[at]) return false;
  return true;
}
