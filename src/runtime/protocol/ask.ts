/**
 * What a running call may ask the page for, through the broker: network requests, the user's approval, and
 * the actions of extensions.
 *
 * The tool worker numbers its asks ({@link AskMessage}); the page answers each once ({@link AskAnswer}), in any order.
 * The tool worker pulls the body of a response piece by piece, so that the page never sends more than it takes.
 */

import type { JsonText } from '../spec/json.ts';

/** Limit of the body of one request; bytes. */
export const maxRequestBytes = 8 * 1024 * 1024;

export type HttpHeader = readonly [name: string, value: string];

/** Sends a request. Answered by `response` as soon as the response's head has arrived. */
export interface FetchAsk {
  readonly ask: 'fetch';
  /** Absolute. */
  readonly url: string;
  readonly method: string;
  readonly headers: readonly HttpHeader[];
  /** Base64; null if there is no body. */
  readonly body: string | null;
  /** The tool's own limit for request and response together, in milliseconds; null if it set none. */
  readonly timeoutMs: number | null;
}

/** Reads the next piece of a response's body. Answered by `bytes` or `end`. */
export interface ReadAsk {
  readonly ask: 'read';
  /** Number ({@link AskMessage.n}) of the {@link FetchAsk}. */
  readonly request: number;
}

/** Abandons a response. Answered by `done`. */
export interface CloseAsk {
  readonly ask: 'close';
  readonly request: number;
}

/** Asks the user for approval. Answered by `approval`. */
export interface ApproveAsk {
  readonly ask: 'approve';
  readonly question: string;
  readonly details: JsonText | null;
}

/** Asks the page to perform an action or to read something. Only extensions can; answered by `done` or `value`. */
export interface AppAsk {
  readonly ask: 'app';
  /** `{action, …}`, as `src/agent/extensions/actions.ts` and `src/agent/extensions/python-requests.ts` read it. */
  readonly action: JsonText;
}

export type Ask = FetchAsk | ReadAsk | CloseAsk | ApproveAsk | AppAsk;

/** Payload of an `ask` message, whose id is that of the call. */
export interface AskMessage {
  /** Counts up within each call. */
  readonly n: number;
  readonly ask: Ask;
}

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

export function refused(error: AskError, message: string): AskAnswer {
  return { answer: 'refused', error, message };
}
