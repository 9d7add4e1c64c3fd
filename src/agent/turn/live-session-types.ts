/** Types of a live session besides its messages: approvals, compaction, prompt, background. */

import type { ShownEntry } from '../session/session-state.ts';

export type ShownMessage = Pick<ShownEntry, 'messageKind' | 'data' | 'text' | 'from'>;

export interface SessionApprovals {
  /** Names of the tools that the user allowed for the rest of the session. */
  readonly allowedTools: readonly string[];
  /** Withdraws such a permission: the user is asked about the tool's next call again. */
  askAgain(tool: string): void;
}

/**
 * `busy`: a turn is running. `nothing`: there is nothing to summarise. `off`: compaction is off after repeated
 * failures.
 */
export type CompactionOutcome = 'done' | 'busy' | 'nothing' | 'off' | 'failed';

export interface PromptSection {
  readonly title: string;
  readonly text: string;
  /** An estimate of the section's tokens. */
  readonly tokens: number;
  /** The file of the extension that added the section. */
  readonly from?: string;
}

export interface BackgroundCall {
  readonly id: string;
  readonly name: string;
  /** Null while the call runs. */
  readonly ok: boolean | null;
}

/** Runs one prompt at a time in the background, with the selected tools that are `background_safe`. */
export interface Background {
  readonly running: {
    readonly prompt: string;
    readonly since: number;
    readonly text: string;
    readonly calls: readonly BackgroundCall[];
  } | null;
  /** Ended prompts, newest last. */
  readonly ended: readonly {
    readonly prompt: string;
    readonly text: string;
    readonly ok: boolean;
    /** Empty for a prompt that ran in another tab or before a reload. */
    readonly calls: readonly BackgroundCall[];
  }[];
  /** @throws {ToolError} `limit` while a prompt is running */
  start(prompt: string): void;
  cancel(): void;
}
