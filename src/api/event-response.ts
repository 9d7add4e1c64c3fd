/** The answer that tells of a call as it goes on, as server-sent events. */

import type { ApiRequest } from './api-request.ts';
import { callResponse } from './call-response.ts';
import type { ApiCall } from './calls.ts';
import type { ApiEffects } from './effects.ts';
import { callEvents, endedEvents } from './event-parts.ts';
import type { EndedCall } from './ended-call.ts';
import { parsePosition, streamEnd } from './stream-position.ts';

export interface Leaving {
  /** Nobody waits any more: the call has ended, or goes on without. */
  readonly onServed: () => void;
  /** The reader went away before. */
  readonly onGone: () => void;
}

/** From where the reader was, where it says so in `Last-Event-ID`. */
export function eventResponse(
  request: ApiRequest,
  deadline: AbortSignal,
  call: ApiCall,
  effects: Pick<ApiEffects, 'after'>,
  { onServed, onGone }: Leaving,
): Response {
  const gone = new AbortController();
  const over = AbortSignal.any([deadline, gone.signal]);
  const from = parsePosition(request.headers.get('Last-Event-ID'));
  return callResponse(call.id, 'events', callEvents(over, call, from, effects, onServed), () => {
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
