/** The specs that Cloche would write for the functions of a tool file, and the file's text with them. */

import type { JsonObject } from './json.ts';

/** A function that can become a tool. */
export interface ProposedTool {
  /** The tool's id, `{module}:{function}`. */
  readonly name: string;
  /** The function's line. */
  readonly line: number;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
  /** Whether {@link SpecProposal.text} has a spec of this function. */
  readonly included: boolean;
  /** Sentences that say what could not be understood, or why there is no spec. */
  readonly notes: readonly string[];
}

export interface SpecProposal {
  readonly file: string;
  readonly tools: readonly ProposedTool[];
  /** The file's new text; null if there is nothing to write. */
  readonly text: string | null;
  /** Why there is no text, or what the new text cannot do. */
  readonly notes: readonly {
    readonly line: number;
    readonly message: string;
    readonly hint: string;
  }[];
}
