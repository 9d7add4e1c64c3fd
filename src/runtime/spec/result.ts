/** Types of a call's result, and of what a call streams. */

import type { JsonText } from './json.ts';
import type { WorkspaceNote } from './workspace.ts';

export type ContentPart =
  | {
      readonly type: 'text';
      readonly text: string;
      readonly mediaType?: 'text/html' | 'text/markdown';
    }
  /** `text` is exactly what Python wrote; NaN and infinities are spelt as in Python. */
  | { readonly type: 'json'; readonly text: JsonText }
  /** `data` is base64. */
  | { readonly type: 'image' | 'binary'; readonly mediaType: string; readonly data: string };

/** A value that a running call streams. `n` counts from 0, including merged updates. */
export interface Update {
  readonly n: number;
  readonly json: JsonText;
}

export interface LogLine {
  readonly level: string;
  readonly message: string;
}

/** A frame of a traceback in the user's code. */
export interface Frame {
  /** Path relative to the tools folder; for other files, the path in Python. */
  readonly file: string;
  readonly line: number;
  readonly name: string;
}

/** A batch of what a running call streams. */
export interface Stream {
  readonly updates: readonly Update[];
  /** Number of updates that were merged since the last batch. */
  readonly dropped: number;
  readonly out: string;
  readonly err: string;
  readonly log: readonly LogLine[];
}

/** Failures that are not exceptions of the handler. */
export type Ending = 'cancelled' | 'timeout' | 'interrupted' | 'crashed' | 'approval_required';

/** A change of a call by the user or by an interceptor. Its texts are cut. */
export interface CallChange {
  /** Name of the interceptor, and of its extension; absent if the user made the change. */
  readonly by?: string;
  readonly what: 'arguments' | 'result';
  /** Arguments as JSON, or the text of a result for a model. */
  readonly before: string;
  readonly after: string;
}

/** The result of a call, the same for every caller. */
export interface ToolResult {
  readonly resultType: 'success' | 'failure';
  /** Text for a model. */
  readonly textResultForLlm: string;
  /** `Type: message` of an exception, or an {@link Ending}; absent on success. */
  readonly error?: string;
  /** The traceback with only the frames in the user's code. */
  readonly traceback?: string;
  readonly frames?: readonly Frame[];
  readonly content: readonly ContentPart[];
  readonly isError: boolean;
  readonly recoverable: boolean;
  /** Text of a JSON object. */
  readonly metadata: JsonText;
  readonly updates: readonly Update[];
  /** Number of updates that were merged into later ones. */
  readonly updatesDropped: number;
  readonly log: readonly LogLine[];
  readonly stdout: string;
  readonly stderr: string;
  /** Number of characters that were printed above the limit. */
  readonly outputDropped: number;
  readonly durationMs: number;
  /** Name of the interpreter that ran the call; empty if none did. */
  readonly interpreter: string;
  /** Whether the session has lost Python state, when an earlier call was terminated with its interpreter. */
  readonly stateLost: boolean;
  /** The call's changes of the workspace; absent if there was none, or nothing was written. */
  readonly workspace?: WorkspaceNote;
  /** Changes of the arguments and of the result, in order; absent if there was none. */
  readonly changes?: readonly CallChange[];
}
