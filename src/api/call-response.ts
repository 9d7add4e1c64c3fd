/** Answers about a call, as JSON or as server-sent events: always 200, since how a call ended is in the body. */

import { wait } from '../async/wait.ts';
import type { ToolResult } from '../spec/result.ts';
import type { ApiRequest } from './api-request.ts';
import type { ApiCall } from './calls.ts';
import { mediaTypes, type ResultForm } from './content-negotiation.ts';
import type { ApiDeps } from './api-deps.ts';
import { callEvents, endedEvents } from './event-parts.ts';
import { pacedBody, type Part } from './paced-body.ts';
import { resultPieces, runningText } from './result-pieces.ts';
import { parsePosition, streamEnd } from './stream-position.ts';

/** Milliseconds. Browsers end a service worker whose request lasts five minutes. */
export const longestAnswerMs = 4 * 60_000;

const soonMs = 100;

export interface EndedCall {
  readonly id: string;
  readonly result: ToolResult;
  /** From the log, which keeps large texts shortened. */
  readonly cut: boolean;
}

export interface Leaving {
  /** Nobody waits any more: the call has ended, or goes on without. */
  readonly onServed: () => void;
  /** The reader went away before. */
  readonly onGone: () => void;
}

/** The head is there at once; the body is written as its parts come. */
export function callResponse(
  callId: string,
  form: ResultForm,
  parts: Iterable<Part> | AsyncIterable<Part>,
  onCancel?: () => void,
): Response {
  return new Response(pacedBody(parts, onCancel), {
    headers: {
      'Content-Type': mediaTypes[form],
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      'Cloche-Call': callId,
    },
  });
}

/**
 * The result, or, where the signal comes first, that the call goes on. A caller that goes away before cancels the call.
 * `onEnd`: nobody waits any more.
 */
export function resultResponse(
  deadline: AbortSignal,
  call: ApiCall,
  deps: Pick<ApiDeps, 'after'>,
  onEnd: () => void,
): Response {
  const soon = new AbortController();
  const cancelSoon = deps.after(soonMs, () => {
    soon.abort();
  });
  const leave = call.join();
  const end = (why: 'served' | 'gone'): void => {
    cancelSoon();
    leave(why);
    onEnd();
  };
  return callResponse(call.id, 'json', parts(call, soon.signal, deadline, end), () => {
    end('gone');
  });
}

/** From where the reader was, where it says so in `Last-Event-ID`. */
export function eventResponse(
  request: ApiRequest,
  deadline: AbortSignal,
  call: ApiCall,
  deps: Pick<ApiDeps, 'after'>,
  { onServed, onGone }: Leaving,
): Response {
  const gone = new AbortController();
  const over = AbortSignal.any([deadline, gone.signal]);
  const from = parsePosition(request.headers.get('Last-Event-ID'));
  return callResponse(call.id, 'events', callEvents(over, call, from, deps, onServed), () => {
    onGone();
    gone.abort();
  });
}

/** Of a call that has ended. An `EventSource` that comes back for more is told that there is none: 204 stops it. */
export function endedEventResponse(request: ApiRequest, { id, result, cut }: EndedCall): Response {
  const last = request.headers.get('Last-Event-ID');
  if (last === streamEnd) return new Response(null, { status: 204 });
  return callResponse(id, 'events', endedEvents(id, result, cut, parsePosition(last)));
}

async function* parts(
  call: ApiCall,
  soon: AbortSignal,
  deadline: AbortSignal,
  end: (why: 'served') => void,
): AsyncGenerator<Part> {
  let result = await endedBefore(soon, call);
  if (result === undefined) {
    // Firefox shows a response's head only when its first bytes are there. Space before JSON means nothing.
    yield ['\n'];
    result = await endedBefore(deadline, call);
  }
  end('served');
  yield result === undefined ? [runningText(call.id)] : resultPieces(call.id, result);
}

function endedBefore(signal: AbortSignal, call: ApiCall): Promise<ToolResult | undefined> {
  return wait(signal, call.ended).catch((thrown: unknown) => {
    if (signal.aborted) return undefined;
    throw thrown;
  });
}
