/** Which files of the open folder have functions that specs can be written for. */

import type { Ui } from '../shell/ui.svelte.ts';
import { offerFor, type SpecOffer } from './spec-offer.ts';

/** Files that are searched for functions at a time, since that is done on the page's thread. */
const maxFiles = 100;

/** What can be offered for a saved file; null in a frame, where files cannot be changed. */
export function specOffer(ui: Ui, path: string): SpecOffer | null {
  const text = ui.framed ? undefined : ui.app.folder.source(path);
  if (text === undefined) return null;
  const isForeign = ui.tools.all.some(
    ({ source, framework }) => source.file === path && framework !== undefined,
  );
  return offerFor(path, text, isForeign);
}

/** The files whose functions are not tools yet, and that no other file imports. */
export function filesWithoutSpecs(ui: Ui): readonly string[] {
  const reported = ui.tools.problems.filter(({ code }) => code === 'no-specs');
  const files = new Set(reported.slice(0, maxFiles).map(({ file }) => file));
  return [...files].filter((file) => specOffer(ui, file) === 'make');
}
