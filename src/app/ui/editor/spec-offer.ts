/** Decides whether a file has functions that can become tools. */

import { isToolFile } from '../../../runtime/folder/tool-files.ts';

/** `make`: the functions of the file are no tools yet. `export`: its tools are those of a framework. */
export type SpecOffer = 'make' | 'export';

/** The words of the button and of the dialog that it opens. */
export const offerWords = {
  make: 'Make it a tool',
  export: 'Export as TOOL_SPECS',
} as const satisfies Record<SpecOffer, string>;

/** Larger files cannot be edited; bytes. */
export const maxOfferBytes = 1024 * 1024;

/** @param options.isForeign whether the file's tools were inferred from its use of a framework */
export function offerFor(
  path: string,
  text: string,
  { isForeign }: { isForeign: boolean },
): SpecOffer | null {
  if (!isToolFile(path) || text.length > maxOfferBytes || hasSpecs(text)) return null;
  if (isForeign) return 'export';
  return hasFunctions(text) ? 'make' : null;
}

export function hasSpecs(text: string): boolean {
  return /^TOOL_SPECS\b/m.test(text);
}

export function hasFunctions(text: string): boolean {
  return /^[^\S\n]*(?:async[^\S\n]+)?def[^\S\n]+\w/m.test(text);
}
