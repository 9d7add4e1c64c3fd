/** Types of a call: who makes it, its arguments, its events, its entry in the log, and how the tools of an origin are run. */

import type { JsonText } from './json.ts';
import type { Stream, ToolResult } from './result.ts';
import type { RegisteredTool } from './tool.ts';

export const callers = [
  'user',
  'model',
  'http',
  'mcp',
  'webmcp',
  'page',
  'extension',
  'sub-agent',
  'test',
  'program',
  'app',
] as const;

export type Caller = (typeof callers)[number];

/** Returns whether a model made the call, in a session of the user's or of a sub-agent. */
export function isModel(caller: Caller): boolean {
  return caller === 'model' || caller === 'sub-agent';
}

/** Returns whether a model made the call, by itself or in a program. */
export function isOfModel(caller: Caller): boolean {
  return isModel(caller) || caller === 'program';
}

/** Identifies a call to an HTTP caller that repeats its request. */
export interface RejoinKey {
  /** The request's `Idempotency-Key`, at most 255 characters. */
  readonly key: string;
  /** Fingerprint of the request; a different request must not use the same key. */
  readonly fingerprint: string;
}

/** The user's answer to a call that needed approval. */
export type Approval = 'once' | 'session' | 'always' | 'deny' | 'never';

export interface CallAnswer {
  readonly approval: Approval;
  /** Why the user denied it; may be empty. */
  readonly reason: string;
  /** The arguments as the user changed them; absent if unchanged. */
  readonly arguments?: JsonText;
}

/** A call as its caller makes it. */
export interface ToolCall {
  /** Unique; a `crypto.randomUUID()` of the caller. */
  readonly id: string;
  readonly tool: string;
  /** Text of a JSON object, passed to Python exactly as the caller wrote it. */
  readonly arguments: JsonText;
  readonly caller: Caller;
  /** Empty if the call belongs to no session and runs in the folder's shared interpreter. */
  readonly sessionId: string;
  /** What tools get as `session_key`: the id again if a session of Cloche makes the call, else empty. */
  readonly sessionKey: string;
  /** The turn of the session; empty outside of turns. */
  readonly turnId: string;
  /** The task of a plan whose sub-agent makes the call, or the background prompt that does; empty for others. */
  readonly agentId: string;
  /** False skips the schema check, but not the signature check, and is logged. */
  readonly validate: boolean;
  /** Origin of the page that made the call, if it is not Cloche's own. */
  readonly site?: string;
  readonly rejoin?: RejoinKey;
  /** Id of the call that runs the program that makes this one; absent for any other caller. */
  readonly parent?: string;
}

/** A new call. Its arguments are checked and it belongs to no session, unless `more` says otherwise. */
export function newCall(
  caller: Caller,
  tool: string,
  args: JsonText,
  more: Partial<ToolCall> = {},
): ToolCall {
  return {
    id: crypto.randomUUID(),
    tool,
    arguments: args,
    caller,
    sessionId: '',
    sessionKey: '',
    turnId: '',
    agentId: '',
    validate: true,
    ...more,
  };
}

/** Events of a call; `at` is in milliseconds since the epoch. */
export type CallEvent =
  | { readonly type: 'call-queued'; readonly call: ToolCall; readonly at: number }
  | {
      readonly type: 'call-answered';
      readonly callId: string;
      /** The name under which the answer is kept: that of the tool, or of its current version. */
      readonly tool: string;
      readonly answer: CallAnswer;
    }
  | { readonly type: 'call-started'; readonly callId: string; readonly at: number }
  | { readonly type: 'call-stream'; readonly callId: string; readonly stream: Stream }
  | {
      readonly type: 'call-ended';
      readonly call: ToolCall;
      readonly result: ToolResult;
      /** Milliseconds since the epoch. */
      readonly at: number;
    };

export interface BegunCall {
  readonly id: string;
  /** Set while it is not approved, so that it has not run. */
  readonly unapproved?: true;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly call: ToolCall;
  readonly folder: string;
  /** Distinguishes folders with the same name; empty if the folder is not stored between visits. */
  readonly folderId: string;
  /** SHA-256 of the tool's file at the start of the call, hexadecimal; absent if the tool has no file. */
  readonly fileHash?: string;
}

/** An entry of the call log: a call that has ended. */
export interface LoggedCall extends BegunCall {
  readonly result: ToolResult;
  /** Whether large texts were cut before storing. */
  readonly cut: boolean;
  /** The user's name or pin for the call; absent if there is none. */
  readonly mark?: RunMark;
}

/** A logged run, from which the schema of a tool's results is inferred. */
export interface ObservedRun {
  readonly arguments: JsonText;
  /** The value that it returned. */
  readonly value: JsonText;
}

/** A name or a pin that the user gave a run. */
export interface RunMark {
  /** The name; empty if there is none. */
  readonly name: string;
  /** Pinned runs are listed first, and the log drops them last. */
  readonly pinned: boolean;
  /** Milliseconds since the epoch; of two marks of a run, the later one counts. */
  readonly at: number;
}

/** `built-in`: offered to models by Cloche itself, and not shown in lists of tools. `mcp`: a server that the user has added. */
export type Origin = 'folder' | 'extension' | 'mcp' | 'built-in';

/** Receives the events of a running call. */
export interface RunWatch {
  /** The call has left the queue. */
  onStart(): void;
  onStream(stream: Stream): void;
}

/** Runs a call until it ends, the tool's timeout passes, or the signal aborts. Never rejects. */
export type Run = (
  signal: AbortSignal,
  tool: RegisteredTool,
  call: ToolCall,
  watch: RunWatch,
) => Promise<ToolResult>;

/** Runs the tools of one origin. Only the call path uses it. */
export interface Dispatch {
  readonly run: Run;
  /**
   * Checks a call's arguments against the tool's signature and schema, as {@link run} does first.
   * @returns the failure with which the run would end; null if the check passes or cannot be made. Never rejects.
   */
  check(signal: AbortSignal, tool: RegisteredTool, call: ToolCall): Promise<ToolResult | null>;
  /** Evaluates a callable `requires_approval` for this call. @throws {ToolError} */
  needsApproval(signal: AbortSignal, tool: RegisteredTool, call: ToolCall): Promise<boolean>;
}

/** A tool that can be called, with its origin. */
export interface KnownTool {
  readonly tool: RegisteredTool;
  readonly origin: Origin;
  readonly dispatch: Dispatch;
}
