/** Which files of the open folder have functions that specs can be written for. */

import { isToolFile } from '../../../runtime/folder/tool-file-names.ts';
import type { Ui } from '../shell/ui.svelte.ts';

/** `make`: the functions of the file are no tools yet. `export`: its tools are those of a framework. */
export type SpecOffer = 'make' | 'export';

/** The words of the button and of the dialog that it opens. */
export const offerWords = {
  make: 'Make it a tool',
  export: 'Export as TOOL_SPECS',
} as const satisfies Record<SpecOffer, string>;

/** Larger files cannot be edited; characters. */
const maxChars = 1024 * 1024;
/** Files that are searched for functions at a time, since that is done on the page's thread. */
const maxFiles = 100;

/** @param isForeign whether tools of the file are inferred as a framework does */
export function offerFor(path: string, text: string, isForeign: boolean): SpecOffer | null {
  if (!isToolFile(path) || text.length > maxChars || hasSpecs(text)) return null;
  if (isForeign) return 'export';
  return hasFunctions(text) ? 'make' : null;
}

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

export function hasSpecs(text: string): boolean {
  return /^TOOL_SPECS\b/m.test(text);
}

export function hasFunctions(text: string): boolean {
  return /^[^\S\n]*(?:async[^\S\n]+)?def[^\S\n]+\w/m.test(text);
}
