/** A change that a tool has made to a workspace, before it is written. */

import { sameBytes } from '../spec/same-bytes.ts';
import type { FolderFile } from '../spec/folder.ts';
import type { WorkspaceChangeKind } from '../spec/workspace.ts';

export interface ChangeOrigin {
  readonly tool: string;
  readonly callId: string;
}

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
