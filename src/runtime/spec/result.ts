/** A call's result with its changes to the workspace, and what a call streams: updates, some of which report progress. */

import type { JsonText } from './json.ts';
import { isAmount, isObject, parseJson } from './guards.ts';

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

export type WorkspaceChangeKind =
  'added' | 'changed' | 'removed' | 'folder-added' | 'folder-removed';

/** A change of a call, and its state when the call ended. */
export interface WorkspaceEntry {
  /** Path for display; long ones are cut. */
  readonly path: string;
  readonly what: WorkspaceChangeKind;
  /**
   * `written`: written to the folder; `waiting`: for the user's review; `asks`: the folder has a newer file, so the user
   * must decide; `failed`: could not be written, and waits; `refused`: not allowed.
   */
  readonly state: 'written' | 'waiting' | 'asks' | 'failed' | 'refused';
  /** Why it was refused, failed, or waits although changes are written at once. */
  readonly reason?: string;
}

export interface WorkspaceNote {
  readonly name: string;
  readonly entries: readonly WorkspaceEntry[];
  /** Number of further changes. */
  readonly more: number;
  /** Why the call had no workspace, or why its changes are lost; absent if neither happened. */
  readonly trouble?: string;
}

/** Progress of a call, from its latest update. */
export interface Progress {
  readonly progress: number;
  /** 0 if it is unknown. */
  readonly total: number;
  readonly message: string;
}

/** Longer updates are not read: progress is short, and this runs for every batch of every call. */
const maxChars = 2_000;

/** The progress that an update reports; null if it is another value. */
export function progressIn({ json }: Pick<Update, 'json'>): Progress | null {
  if (json.length > maxChars || !json.includes('"progress"')) return null;
  const value = parseJson(json);
  if (!isObject(value)) return null;
  const { progress, total = null, message = '', ...others } = value;
  if (!isAmount(progress) || typeof message !== 'string') return null;
  if (total === null) {
    // Without a total, an object with other members is more likely a row of data.
    if (Object.keys(others).length > 0) return null;
    // Progress without a total may be a share of the whole, such as 0.4.
    return { progress, total: progress > 0 && progress < 1 ? 1 : 0, message };
  }
  if (!isAmount(total) || total === 0) return null;
  return { progress: Math.min(progress, total), total, message };
}
