/**
 * The requests of a running call to the page, through the broker: for the network, the user's approval, the
 * actions of extensions, and the calls of programs. A {@link CallHost} answers them on the page’s side.
 *
 * The tool worker numbers its asks ({@link AskMessage}); the page answers each once ({@link AskAnswer}), in any order.
 * The tool worker pulls the body of a response piece by piece, so that the page never sends more than it takes.
 */

import type { JsonText } from '../spec/json.ts';
import type { ask } from '../spec/schemas/sandbox.ts';
import type { Accepted } from '../spec/schemas/schema.ts';
import type { ToolCall } from '../spec/call.ts';
import type { RegisteredTool } from '../spec/tool.ts';

/** Limit of the body of one request; bytes. */
export const maxRequestBytes = 8 * 1024 * 1024;

export type HttpHeader = readonly [name: string, value: string];

/** Payload of an `ask` message, whose id is that of the call. */
export type AskMessage = Accepted<typeof ask>;
export type Ask = AskMessage['ask'];
export type FetchAsk = Extract<Ask, { ask: 'fetch' }>;
export type CallAsk = Extract<Ask, { ask: 'call' }>;
export type ApproveAsk = Extract<Ask, { ask: 'approve' }>;

/** The Python exception that is raised in the tool. */
export type AskError =
  'PermissionError' | 'ConnectionError' | 'TimeoutError' | 'ValueError' | 'RuntimeError';

export type AskAnswer =
  | {
      readonly answer: 'response';
      readonly status: number;
      readonly statusText: string;
      readonly headers: readonly HttpHeader[];
      readonly url: string;
    }
  | { readonly answer: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly answer: 'end' }
  | { readonly answer: 'done' }
  | { readonly answer: 'value'; readonly value: JsonText }
  | { readonly answer: 'approval'; readonly approved: boolean; readonly reason: string }
  | { readonly answer: 'refused'; readonly error: AskError; readonly message: string };

export function refusal(error: AskError, message: string): AskAnswer {
  return { answer: 'refused', error, message };
}

/** The time limits of a call, which pause while the user is asked. */
export interface CallClock {
  pause(): void;
  resume(): void;
  /** Records progress that is not an update from the tool. */
  progress(): void;
}

/** Answers the requests of a running call, on the page's side of the sandbox. */
export interface CallHost {
  /** Origins that the tool may currently reach, for `context.sandbox`. */
  readonly network: readonly string[];
  /** Answers a question of the call. Never rejects: a refusal is an answer too. */
  answer(n: number, ask: Ask): Promise<AskAnswer>;
  /** Gives up pending questions because the call has ended. */
  end(): void;
}

export type OpenHost = (tool: RegisteredTool, call: ToolCall, clock: CallClock) => CallHost;
