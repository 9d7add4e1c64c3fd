/**
 * What a running call may ask of the page, over the broker: a request to the network, or the person's approval.
 *
 * The tool worker numbers its questions ({@link AskMessage}), the page answers each once ({@link AskAnswer}), in any
 * order. The body of a response is asked for piece by piece, so that nobody sends more than the other takes.
 */

import type { JsonText } from '../spec/json.ts';

/** The body of one request; bytes. */
export const mostRequestBytes = 8 * 1024 * 1024;

/** Name and value. */
export type HttpHeader = readonly [name: string, value: string];

/** Asks for a request; answered by `response` as soon as its head is there. */
export interface FetchAsk {
  readonly ask: 'fetch';
  /** Absolute. */
  readonly url: string;
  readonly method: string;
  readonly headers: readonly HttpHeader[];
  /** In base64; null: none. */
  readonly body: string | null;
  /** For the whole of it; null: no limit of the tool's own. Milliseconds. */
  readonly timeoutMs: number | null;
}

/** Asks for the next piece of a response's body; answered by `bytes` or `end`. */
export interface ReadAsk {
  readonly ask: 'read';
  /** The number of the question that the response was the answer to. */
  readonly request: number;
}

/** Gives a response up; answered by `done`. */
export interface CloseAsk {
  readonly ask: 'close';
  readonly request: number;
}

/** Asks the person; answered by `approval`. */
export interface ApproveAsk {
  readonly ask: 'approve';
  readonly question: string;
  readonly details: JsonText | null;
}

export type Ask = FetchAsk | ReadAsk | CloseAsk | ApproveAsk;

/** The payload of a message of type `ask`; its id is the call's. */
export interface AskMessage {
  /** Counts up in each call. */
  readonly n: number;
  readonly ask: Ask;
}

/** Python's own exceptions, since that is what a tool sees. */
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
  | { readonly answer: 'approval'; readonly approved: boolean; readonly reason: string }
  | { readonly answer: 'refused'; readonly error: AskError; readonly message: string };

export function refused(error: AskError, message: string): AskAnswer {
  return { answer: 'refused', error, message };
}
