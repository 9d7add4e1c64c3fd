/**
 * The specs that Cloche would write for the functions of a tool file, and the file's text with them. Hostile code may
 * have written them, so everything is bounded.
 */

import { anyObject, boolean, integer, list, object, orNull, string } from './schema.ts';

const line = integer(1, 2_147_483_647);
const sentence = string({ maxLength: 10_000 });

/** A function that can become a tool. */
export const proposedTool = object({
  /** The tool's id, `{module}:{function}`. */
  name: string({ minLength: 3, maxLength: 256 }),
  /** The function's line. */
  line,
  description: string({ maxLength: 100_000 }),
  /** JSON Schema of the arguments. */
  parameters: anyObject,
  /** Whether the proposal's text has a spec of this function. */
  included: boolean,
  /** Sentences that say what could not be understood, or why there is no spec. */
  notes: list(sentence, { maxItems: 100 }),
});

export const pythonProposal = object({
  file: string({ minLength: 1, maxLength: 4_096 }),
  tools: list(proposedTool, { maxItems: 2_000 }),
  /** The file's new text; null if there is nothing to write. */
  text: orNull(string({ maxLength: 8_000_000 })),
  /** Why there is no text, or what the new text cannot do. */
  notes: list(object({ line, message: sentence, hint: sentence }), { maxItems: 100 }),
});
