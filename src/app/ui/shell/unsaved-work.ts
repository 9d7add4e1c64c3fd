/** Lists what would be lost if the page were reloaded now. */

import type { Drafts } from '../tools/forms/draft.svelte.ts';
import type { Runs } from '../tools/runs/runs.svelte.ts';

/** Returns one line of text per item; empty if nothing would be lost. */
export function listUnsavedWork(
  drafts: Pick<Drafts, 'unsaved'>,
  runs: Pick<Runs, 'busy'>,
  workspaces: readonly string[] = [],
  files: readonly string[] = [],
): readonly string[] {
  return [
    ...Array.from(runs.busy.keys(), (tool) => `The running call to ${tool} will be cancelled.`),
    ...drafts.unsaved.map((tool) => `The arguments you entered for ${tool} will be lost.`),
    ...files.map((path) => `The unsaved changes of ${path} will be lost.`),
    ...workspaces,
  ];
}
