/** What Python can say about a version of a file that need not be saved. Nothing changes. */

import type { Problem } from '../../spec/problem.ts';
import type { SpecProposal } from '../../spec/spec-proposal.ts';

export interface DraftInspection {
  /**
   * Finds the problems of an unsaved version of a tool file, by the scan that a save makes. A save does not wait for it.
   * @returns null if the folder changes meanwhile, or the version cannot be inspected. Never rejects.
   */
  check(signal: AbortSignal, path: string, bytes: Uint8Array): Promise<readonly Problem[] | null>;
  /**
   * Proposes specs for the functions of a file, and writes them into its text.
   * @param names ids of the tools to write; null: all
   * @throws {ToolError} if the sandbox fails, or the folder is closed or not scanned yet
   */
  propose(
    signal: AbortSignal,
    path: string,
    bytes: Uint8Array,
    names: readonly string[] | null,
  ): Promise<SpecProposal>;
}
