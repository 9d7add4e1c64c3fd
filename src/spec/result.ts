/** How a call ended, and what it streamed on the way. */

import type { JsonText } from './json.ts';
import type { WorkspaceNote } from './workspace.ts';

export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  /** `text` is exact JSON as Python wrote it; NaN and infinities are spelt Python's way. */
  | { readonly type: 'json'; readonly text: JsonText }
  /** `data` is base64. */
  | { readonly type: 'image' | 'binary'; readonly mediaType: string; readonly data: string };

/** One value streamed out of a running call; `n` counts from 0, merged ones included. */
export interface Update {
  readonly n: number;
  readonly json: JsonText;
}

export interface LogLine {
  readonly level: string;
  readonly message: string;
}

/** A user's own frame of a traceback. */
export interface Frame {
  /** Path inside the tools folder where it lies there, else as Python names it. */
  readonly file: string;
  readonly line: number;
  readonly name: string;
}

/** What one batch of a running call brought. */
export interface Stream {
  readonly updates: readonly Update[];
  /** Updates merged away since the last batch. */
  readonly dropped: number;
  readonly out: string;
  readonly err: string;
  readonly log: readonly LogLine[];
}

/** Endings that are no exception of the handler. */
export type Ending = 'cancelled' | 'timeout' | 'interrupted' | 'crashed' | 'approval_required';

/** The result as every caller receives it. */
export interface ToolResult {
  readonly resultType: 'success' | 'failure';
  /** The text that a model is given. */
  readonly textResultForLlm: string;
  /** `Type: message` of an exception, or an {@link Ending}; absent on success. */
  readonly error?: string;
  /** Cut to the user's own frames. */
  readonly traceback?: string;
  readonly frames?: readonly Frame[];
  readonly content: readonly ContentPart[];
  readonly isError: boolean;
  readonly recoverable: boolean;
  /** A JSON object. */
  readonly metadata: JsonText;
  readonly updates: readonly Update[];
  /** Updates that were merged away. */
  readonly updatesDropped: number;
  readonly log: readonly LogLine[];
  readonly stdout: string;
  readonly stderr: string;
  /** Characters printed beyond the limit. */
  readonly outputDropped: number;
  readonly durationMs: number;
  /** Name of the interpreter that ran it; empty where none did. */
  readonly interpreter: string;
  /** Python state was lost earlier in this session, when a call had to be ended with its interpreter. */
  readonly stateLost: boolean;
  /** What it wrote into its workspace; absent where it had none, or wrote nothing. */
  readonly workspace?: WorkspaceNote;
}
