/** The types of the API's requests and answers, as JSON. docs/api.md describes each of them. */

/** Text of a JSON object, whose numbers reach Python as they are written. */
export type JsonText = string;

export interface Folder {
  readonly id: string;
  /** Several folders can have the same name. */
  readonly name: string;
}

/** `openai` is the format of chat completions. */
export type ToolFormat = 'openai' | 'openai-responses' | 'anthropic' | 'gemini' | 'mcp';

export interface Tool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Name and id of the tool's folder. */
  readonly folder: string;
  readonly folderId: string;
  /** `line` is the first line of the tool spec, counted from 1. */
  readonly source: { readonly file: string; readonly line: number };
  readonly timeout_s: number;
  readonly requires_approval: boolean | 'callable';
  readonly concurrency_safe: boolean;
  readonly stateless: boolean;
  readonly background_safe: boolean;
  readonly deferred: boolean;
  readonly prompt_hint: string;
  /** Arguments of example calls. */
  readonly examples: readonly Readonly<Record<string, unknown>>[];
  /** JSON Schema of the result; null if the tool has none. */
  readonly returns: Readonly<Record<string, unknown>> | null;
  readonly annotations: Readonly<Record<string, unknown>>;
  /** The HTML file that shows its results, and the origins that it declares. */
  readonly app?: {
    readonly file: string;
    readonly connectDomains: readonly string[];
    readonly resourceDomains: readonly string[];
  };
  /** SHA-256 of the tool file, in hexadecimal. */
  readonly hash: string;
  /** `last-good`: the file has an error, and calls run the version before it. */
  readonly state: 'ready' | 'last-good';
}

export interface Problem {
  readonly severity: 'error' | 'warning' | 'note';
  readonly code: string;
  readonly file: string;
  readonly line: number | null;
  readonly message: string;
  readonly hint: string;
}

export interface Listing {
  readonly state: 'none' | 'scanning' | 'ready';
  /** Null if no folder is open. */
  readonly folder: string | null;
  /** Empty if no folder is open. */
  readonly folderId: string;
  /** Changes whenever a tool or a problem changes. */
  readonly revision: string;
  readonly tools: readonly Tool[];
  readonly problems: readonly Problem[];
}

export interface Content {
  readonly type: 'text' | 'json' | 'image' | 'binary';
  /** The content of a part of type `text` or `json`. */
  readonly text?: string;
  readonly mediaType?: string;
  /** The content of a part of type `image` or `binary`, as base64. */
  readonly data?: string;
}

export interface Result {
  readonly callId: string;
  readonly state: 'ended';
  readonly resultType: 'success' | 'failure';
  readonly textResultForLlm: string;
  /** `Type: message`, or `cancelled`, `timeout`, `interrupted`, `crashed` or `approval_required`. */
  readonly error?: string;
  readonly traceback?: string;
  readonly content: readonly Content[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly stdout: string;
  readonly stderr: string;
  readonly outputDropped: number;
  readonly updates: readonly { readonly n: number; readonly json: JsonText }[];
  readonly updatesDropped: number;
  readonly log: readonly { readonly level: string; readonly message: string }[];
  readonly isError: boolean;
  readonly recoverable: boolean;
  readonly durationMs: number;
  readonly interpreter: string;
  /** Whether Python's state had been lost before the call. */
  readonly stateLost: boolean;
}

/** The events of a call, in this order; the last one is the result. */
export type CallEvent =
  | { readonly type: 'call'; readonly callId: string }
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly type: 'log'; readonly level: string; readonly message: string }
  /** `value` is `json`, parsed. */
  | {
      readonly type: 'update';
      readonly n: number;
      readonly json: JsonText;
      readonly value: unknown;
    }
  | { readonly type: 'result'; readonly result: Result };

export interface CallEntry {
  readonly id: string;
  readonly tool: string;
  readonly caller: string;
  /** The call of the program that made this call; null for any other caller. */
  readonly parent: string | null;
  /** Empty without a session. */
  readonly session: string;
  /** Origin of the page that made the call; null for Cloche's own pages. */
  readonly site: string | null;
  readonly state: 'running' | 'ended';
  readonly folder: string;
  readonly folderId: string;
  /** Milliseconds since the epoch; null while the call runs. */
  readonly endedAt: number | null;
  readonly resultType: 'success' | 'failure' | null;
  readonly error: string | null;
  readonly durationMs: number | null;
  /** The name that the user gave the call; empty if none. */
  readonly name: string;
  readonly pinned: boolean;
}

export interface SessionEntry {
  readonly id: string;
  readonly title: string;
  readonly folder: string;
  readonly folderId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly changedAt: number;
  readonly messages: number;
  readonly model: string | null;
  readonly forkOf: string | null;
  /** The run whose plan the session works on as a sub-agent; null for other sessions. */
  readonly run: string | null;
  readonly open: boolean;
}

/** `waiting`: the user has not approved it yet. */
export type RunState =
  'waiting' | 'running' | 'paused' | 'interrupted' | 'done' | 'stuck' | 'stopped';

export interface RunHead {
  readonly id: string;
  readonly goal: string;
  readonly state: RunState;
  readonly reason: string;
  /** Number of tasks that are done, and of all tasks. */
  readonly done: number;
  readonly total: number;
}

export interface Run extends RunHead {
  readonly tasks: readonly {
    readonly id: string;
    readonly title: string;
    readonly state: string;
    readonly output: unknown;
  }[];
}

export type RunEvent =
  | { readonly type: 'event'; readonly name: string; readonly data: unknown }
  | { readonly type: 'result'; readonly run: Run };

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The id of a session, whose selection and Python state the call uses. */
  readonly session?: string;
  /** False skips the check of the arguments. */
  readonly validate?: boolean;
  /** A repeated request with the same key rejoins its call. */
  readonly key?: string;
  /** The id or name of an open folder; without it, the one that was used last. */
  readonly folder?: string;
}

export interface CallFilter {
  readonly tool?: string;
  readonly caller?: string;
  readonly session?: string;
  readonly state?: 'running' | 'ended' | 'success' | 'failure';
  /** Calls that ended at this time or later. */
  readonly since?: Date | number;
  readonly folder?: string;
  readonly signal?: AbortSignal;
}

export interface SessionFilter {
  /** Lists the sessions of a run's sub-agents instead. */
  readonly run?: string;
  readonly folder?: string;
  readonly signal?: AbortSignal;
}
