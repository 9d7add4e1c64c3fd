/** What the inspection of one tool file brought to light. */

import type { JsonText } from './json.ts';
import type { Problem } from './problem.ts';
import type { Tool } from './tool.ts';

export interface Inspection {
  readonly file: string;
  readonly tools: readonly Tool[];
  readonly problems: readonly Problem[];
  /** The file defines no TOOL_SPECS: a helper, or a mistake. */
  readonly noSpecs: boolean;
  /** Files of the folder that its import loaded. */
  readonly imports: readonly string[];
  /** The beginning of what the import printed. */
  readonly output: string;
  readonly durationMs: number;
}

/** An inspection on its way to the page, which takes its tools up one by one: all at once would hold it. */
export type PackedInspection = Omit<Inspection, 'tools'> & { readonly tools: readonly JsonText[] };
