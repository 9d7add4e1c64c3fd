/** What the sandbox reports about one tool file: the result of inspecting it, and the specs that Cloche would write for its functions. */

import type { JsonText } from './json.ts';
import type { Problem } from './problem.ts';
import type { Setting } from './setting.ts';
import type { Tool } from './tool.ts';
import type { proposedTool, pythonProposal } from './schemas/tool-worker.ts';
import type { Accepted } from './schemas/schema.ts';

export interface Inspection {
  readonly file: string;
  readonly tools: readonly Tool[];
  readonly problems: readonly Problem[];
  /** Whether the file defines no TOOL_SPECS, because it is a helper module or by mistake. */
  readonly noSpecs: boolean;
  /** Whether the file defines `register(app)`: it is an extension. */
  readonly extension?: true;
  /** Names of tools that the file does not mark as such: it may only export them to other files. */
  readonly implied?: readonly string[];
  /** The reason why a file has no tools, if the file shows one. */
  readonly reason?: { readonly line: number; readonly message: string; readonly hint: string };
  readonly settings?: readonly Setting[];
  /** Paths of the folder's files that its import loaded. */
  readonly imports: readonly string[];
  /** Start of what the import printed. */
  readonly output: string;
  readonly durationMs: number;
}

/** An inspection as it is sent to the page, which parses its tools one at a time: all at once would block it. */
export type PackedInspection = Omit<Inspection, 'tools'> & { readonly tools: readonly JsonText[] };

export type ProposedTool = Accepted<typeof proposedTool>;
export type SpecProposal = Accepted<typeof pythonProposal>;
