/** Text for changes of a workspace. */

import type { WorkspaceChangeKind, WorkspaceEntry } from '../../../runtime/spec/result.ts';

export const kindWords: Record<WorkspaceChangeKind, string> = {
  added: 'New',
  changed: 'Changed',
  removed: 'Removed',
  'folder-added': 'New folder',
  'folder-removed': 'Removed folder',
};

export const stateWords: Record<WorkspaceEntry['state'], string> = {
  written: 'written',
  waiting: 'to review',
  asks: 'in conflict with a newer file',
  failed: 'not written',
  refused: 'skipped',
};

/** Path for a tool's version of a file beside the user's: `notes.txt` becomes `notes (from tool).txt`. */
export function besideName(path: string): string {
  const from = path.lastIndexOf('/') + 1;
  const dot = path.lastIndexOf('.');
  const end = dot > from ? dot : path.length;
  return `${path.slice(0, end)} (from tool)${path.slice(end)}`;
}

/** Counts the changes in each state, such as `2 written, 1 in conflict with a newer file`, in a fixed order. */
export function countWords(entries: readonly WorkspaceEntry[]): string {
  const states = ['written', 'waiting', 'asks', 'failed', 'refused'] as const;
  return states
    .map((state) => [state, entries.filter((entry) => entry.state === state).length] as const)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${String(count)} ${stateWords[state]}`)
    .join(', ');
}
