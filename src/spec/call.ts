/** One invocation of a tool: who asks, with what, and the events it gives off. */

import type { JsonText } from './json.ts';
import type { Stream, ToolResult } from './result.ts';

export type Caller = 'person' | 'model' | 'http' | 'mcp' | 'page' | 'extension' | 'sub-agent';

/** By what a caller over HTTP finds its call again. */
export interface RejoinKey {
  /** Its `Idempotency-Key`, at most 255 characters. */
  readonly key: string;
  /** Of the request; another request must not use the same key. */
  readonly fingerprint: string;
}

/** What the person said to a call that they were asked about. */
export type Approval = 'once' | 'session' | 'always' | 'deny' | 'never';

export interface CallAnswer {
  readonly approval: Approval;
  /** Why it was denied, in the person's words. */
  readonly reason: string;
  /** What it runs with, where the person changed that. */
  readonly arguments?: JsonText;
}

export interface ToolCall {
  /** Unique; made by {@link CallPath} callers with `crypto.randomUUID()`. */
  readonly id: string;
  readonly tool: string;
  /** The caller's own text of a JSON object; never re-serialised on its way to Python. */
  readonly arguments: JsonText;
  readonly caller: Caller;
  /** Empty: the folder's shared interpreter. */
  readonly sessionId: string;
  readonly sessionKey: string;
  readonly turnId: string;
  readonly agentId: string;
  /** false skips the schema check (never the signature check), and is logged. */
  readonly validate: boolean;
  readonly rejoin?: RejoinKey;
}

export type CallEvent =
  | { readonly type: 'call-queued'; readonly call: ToolCall; readonly at: number }
  | {
      readonly type: 'call-answered';
      readonly callId: string;
      /** The tool that the person was asked about: interceptors may have changed it. */
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

/** A call as it begins. */
export interface BegunCall {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly call: ToolCall;
  /** The folder's name. */
  readonly folder: string;
  /** Tells folders of one name apart; empty where the folder is not known from one visit to the next. */
  readonly folderId: string;
}

/** One entry of the call log: a call as it ended, and when. */
export interface LoggedCall extends BegunCall {
  readonly result: ToolResult;
  /** Large texts were cut for keeping. */
  readonly cut: boolean;
}
