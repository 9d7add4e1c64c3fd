/** Finds the files of the open folder whose functions can become tools. */

import type { Ui } from '../shell/ui.svelte.ts';
import { maxOfferBytes, offerFor, type SpecOffer } from './spec-offer.ts';

/** Limit of files that are searched for functions, because the search blocks the page's thread. */
const maxFiles = 100;

/** Returns the offer for a saved file; null in a frame, where files cannot be changed. */
export function specOffer(ui: Ui, path: string): SpecOffer | null {
  const file = ui.app.folder.current?.snapshot.files.find((one) => one.path === path);
  // Decoding a file that is too large would be wasted work.
  if (ui.framed || file === undefined || file.size > maxOfferBytes) return null;
  const text = new TextDecoder().decode(file.bytes);
  const isForeign = ui.tools.all.some(
    ({ source, framework }) => source.file === path && framework !== undefined,
  );
  return offerFor(path, text, { isForeign });
}

/** The files whose functions are not tools yet. A file that another one imports has no problem `no-specs`. */
export function filesWithoutSpecs(ui: Ui): readonly string[] {
  const reported = ui.tools.problems.filter(({ code }) => code === 'no-specs');
  const files = new Set(reported.slice(0, maxFiles).map(({ file }) => file));
  return [...files].filter((file) => specOffer(ui, file) === 'make');
}
