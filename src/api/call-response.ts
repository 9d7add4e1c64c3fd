/**
 * HTTP responses for a call, as JSON or as server-sent events. The status is always 200; the body says how the call
 * ended.
 */

import { wait } from '../async/wait.ts';
import type { ToolResult } from '../spec/result.ts';
import type { ApiRequest } from './api-deps.ts';
import type { ApiCall } from './calls.ts';
import { type ResultForm, answerHeaders } from './result-form.ts';
import type { ApiDeps } from './api-deps.ts';
import { callEvents, endedEvents } from './event-parts.ts';
import { pacedBody, type Part } from './paced-body.ts';
import { resultPieces, runningText } from './result-pieces.ts';
import { parsePosition, streamEnd } from './stream-position.ts';

/**
 * Milliseconds until an answer ends while its call runs on. Browsers stop a service worker whose request lasts five
 * minutes.
 */
export const longestAnswerMs = 4 * 60_000;

const firstByteMs = 100;

export interface EndedCall {
  readonly id: string;
  readonly result: ToolResult;
  /** True if the result comes from the log, which shortens large texts. */
  readonly cut: boolean;
}

export interface Leaving {
  /** Called when the response is complete, whether the call has ended or still runs. */
  readonly onServed: () => void;
  /** Called when the reader disconnects before that. */
  readonly onGone: () => void;
}

/** Returns a response with its headers ready at once; the body is written as its parts arrive. */
export function callResponse(
  callId: string,
  form: ResultForm,
  parts: Iterable<Part> | AsyncIterable<Part>,
  onCancel?: () => void,
): Response {
  return new Response(pacedBody(parts, onCancel), {
    headers: { ...answerHeaders(form), 'Cloche-Call': callId },
  });
}

/**
 * Answers with the result as JSON, or with "running" if `deadline` fires first. A caller that disconnects before that
 * cancels the call, unless other callers wait for it.
 *
 * @param onEnd called once, when this response no longer waits for the call
 */
export function resultResponse(
  deadline: AbortSignal,
  call: ApiCall,
  deps: Pick<ApiDeps, 'after'>,
  onEnd: () => void,
): Response {
  const firstByteDeadline = new AbortController();
  const cancelFirstByte = deps.after(firstByteMs, () => {
    firstByteDeadline.abort();
  });
  const leave = call.join();
  const end = (why: 'served' | 'gone'): void => {
    cancelFirstByte();
    leave(why);
    onEnd();
  };
  return callResponse(call.id, 'json', parts(call, firstByteDeadline.signal, deadline, end), () => {
    end('gone');
  });
}

/** Streams the call's events, starting after the reader's `Last-Event-ID` if the request has one. */
export function eventResponse(
  request: ApiRequest,
  deadline: AbortSignal,
  call: ApiCall,
  deps: Pick<ApiDeps, 'after'>,
  { onServed, onGone }: Leaving,
): Response {
  const gone = new AbortController();
  const stop = AbortSignal.any([deadline, gone.signal]);
  const from = parsePosition(request.headers.get('Last-Event-ID'));
  return callResponse(call.id, 'events', callEvents(stop, call, from, deps, onServed), () => {
    onGone();
    gone.abort();
  });
}

/** Events of an ended call. Answers 204 to an `EventSource` that reconnects after the last event, which stops it. */
export function endedEventResponse(request: ApiRequest, { id, result, cut }: EndedCall): Response {
  const last = request.headers.get('Last-Event-ID');
  if (last === streamEnd) return new Response(null, { status: 204 });
  return callResponse(id, 'events', endedEvents(id, result, cut, parsePosition(last)));
}

async function* parts(
  call: ApiCall,
  firstByteDeadline: AbortSignal,
  deadline: AbortSignal,
  end: (why: 'served') => void,
): AsyncGenerator<Part> {
  let result = await resultBefore(firstByteDeadline, call);
  if (result === undefined) {
    // Firefox shows a response's headers only once the body's first bytes arrive. White space before JSON is allowed.
    yield ['\n'];
    result = await resultBefore(deadline, call);
  }
  end('served');
  yield result === undefined ? [runningText(call.id)] : resultPieces(call.id, result);
}

function resultBefore(signal: AbortSignal, call: ApiCall): Promise<ToolResult | undefined> {
  return wait(signal, call.ended).catch((thrown: unknown) => {
    if (signal.aborted) return undefined;
    throw thrown;
  });
}
