/** Replaces the tool worker's `fetch`, whose policy allows no requests: the page sends each request instead. */

import type { Ask } from '../../src/runtime/protocol/ask.ts';
import { toBase64 } from '../../src/runtime/spec/bytes.ts';
import type { NumberedAnswer } from './outgoing.ts';

export interface BridgeDeps {
  /** Id of the call whose code is running; 0 if none is. */
  readonly currentCall: () => number;
  readonly ask: (call: number, ask: Ask) => Promise<NumberedAnswer>;
}

/** Statuses whose responses have no body. */
const bodiless = new Set([101, 103, 204, 205, 304]);

/** A standard `fetch`, within what the page allows: no cookies, and no redirects. */
export function bridgeFetch({ currentCall, ask }: BridgeDeps): typeof fetch {
  return async (input, init) => {
    // The call is read before the first await; afterwards another one may be running.
    const call = currentCall();
    const request = new Request(input, { ...init, redirect: 'error' });
    request.signal.throwIfAborted();
    const body = new Uint8Array(await request.arrayBuffer());
    const asked = ask(call, {
      ask: 'fetch',
      url: request.url,
      method: request.method,
      headers: [...request.headers],
      body: body.byteLength === 0 ? null : toBase64(body),
      timeoutMs: null,
    });
    const answer = await orAborted(request.signal, asked, (late) => {
      void ask(call, { ask: 'close', request: late.request });
    });
    if (answer.answer !== 'response') throw errorOf(answer);
    const { status, statusText, headers, url } = answer;
    const read = (): Promise<NumberedAnswer> => ask(call, { ask: 'read', request: answer.request });
    const close = (): void => void ask(call, { ask: 'close', request: answer.request });
    const fail = (error: Error): Error => {
      // If a body cannot be read, Pyodide reports the signal's reason, which it expects even if nothing was aborted.
      const signal = init?.signal;
      if (signal?.aborted === false) Object.defineProperty(signal, 'reason', { value: error });
      return error;
    };
    const stream = bodiless.has(status) ? null : bodyOf(request.signal, read, close, fail);
    const response = new Response(stream, {
      status,
      statusText,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
    });
    return Object.defineProperty(response, 'url', { value: url });
  };
}

/** The body of a response, which is read from the page piece by piece. @param fail prepares an error to be thrown */
function bodyOf(
  signal: AbortSignal,
  read: () => Promise<NumberedAnswer>,
  close: () => void,
  fail: (error: Error) => Error,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (controller) => {
        const answer = await orAborted(signal, read(), close);
        if (answer.answer === 'bytes') controller.enqueue(answer.bytes);
        else if (answer.answer === 'end') controller.close();
        else throw fail(errorOf(answer));
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}

/**
 * Creates a TypeError, as `fetch` rejects with, and which Python turns into an OSError; the message
 * is the page's.
 */
function errorOf(answer: NumberedAnswer): Error {
  const why = answer.answer === 'refused' ? answer.message : 'The page sent an invalid answer.';
  if (answer.answer === 'refused' && answer.error === 'TimeoutError')
    return new DOMException(why, 'TimeoutError');
  return new TypeError(why);
}

/** Resolves with the answer, or rejects when the signal aborts. @param discard receives an answer that arrives after the abort */
async function orAborted(
  signal: AbortSignal,
  answer: Promise<NumberedAnswer>,
  discard: (late: NumberedAnswer) => void,
): Promise<NumberedAnswer> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
      void answer.then(discard);
    };
    if (signal.aborted) {
      abort();
      return;
    }
    signal.addEventListener('abort', abort, { once: true });
    void answer.then((one) => {
      signal.removeEventListener('abort', abort);
      resolve(one);
    });
  });
}
