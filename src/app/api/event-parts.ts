/** Turns a call into server-sent events, as the parts of a response body. */

import type { ToolResult } from '../../runtime/spec/result.ts';
import {
  type ApiCall,
  positionId,
  restOf,
  streamEnd,
  type StreamPosition,
  type StreamRest,
} from './calls.ts';
import type { ApiDeps } from './api-deps.ts';
import { type Part, resultPieces, writeRunningText } from './http-form.ts';

const heartbeatMs = 15_000;

export interface EndedCall {
  readonly id: string;
  readonly result: ToolResult;
  /** True if the result comes from the log, which shortens large texts. */
  readonly cut: boolean;
}

/**
 * Yields `call`, the call's stream, and finally `result`, or `running` if `stop` is aborted first. A reader that is too
 * slow misses events rather than having them stored.
 *
 * @param onEnd called when the response no longer waits for the call
 */
export async function* callEvents(
  stop: AbortSignal,
  call: ApiCall,
  from: StreamPosition,
  deps: Pick<ApiDeps, 'after'>,
  onEnd: () => void,
): AsyncGenerator<Part> {
  yield startEvent(call.id, from);
  let at = from;
  while (call.result === undefined) {
    const rest = stop.aborted ? undefined : call.feed.since(at);
    if (rest !== undefined) {
      const next = call.feed.position;
      yield restEvents(rest, at);
      at = next;
    } else if (stop.aborted) {
      onEnd();
      yield serverEvent('running', positionId(at), [writeRunningText(call.id)]);
      return;
    } else if (!(await waitForChange(stop, call.nextChange, deps))) {
      yield [heartbeat];
    }
  }
  onEnd();
  yield endEvents({ id: call.id, result: call.result, cut: false }, at);
}

/** Yields the same events for a call that has ended. */
export function* yieldEndedEvents(ended: EndedCall, from: StreamPosition): Generator<Part> {
  yield startEvent(ended.id, from);
  yield endEvents(ended, from);
}

function startEvent(callId: string, at: StreamPosition): Part {
  const data = JSON.stringify({ callId, rest: `api/calls/${callId}` });
  return serverEvent('call', positionId(at), [data]);
}

function* endEvents({ id, result, cut }: EndedCall, from: StreamPosition): Generator<string> {
  yield* restEvents(restOf(result, from), from);
  yield* serverEvent('result', streamEnd, resultPieces(id, result, cut), { isLast: true });
}

/** The id of each event is the position after it, so that a reader can resume wherever the stream was cut. */
function* restEvents(rest: StreamRest, from: StreamPosition): Generator<string> {
  let at = from;
  for (const stream of ['stdout', 'stderr'] as const) {
    const text = rest[stream];
    if (text === '') continue;
    at = { ...at, [stream]: at[stream] + text.length };
    yield* serverEvent('output', positionId(at), [JSON.stringify({ stream, text })]);
  }
  for (const { n, level, message } of rest.log) {
    at = { ...at, log: n + 1 };
    yield* serverEvent('log', positionId(at), [JSON.stringify({ level, message })]);
  }
  for (const { n, json } of rest.updates) {
    at = { ...at, updates: n + 1 };
    yield* serverEvent('update', positionId(at), [JSON.stringify({ n, json })]);
  }
}

/** Resolves to false if nothing happened within the heartbeat interval. */
export function waitForChange(
  stop: AbortSignal,
  change: Promise<void>,
  deps: Pick<ApiDeps, 'after'>,
): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (hasChanged: boolean): void => {
      cancelTimer();
      stop.removeEventListener('abort', onStop);
      resolve(hasChanged);
    };
    const onStop = (): void => settle(true);
    const cancelTimer = deps.after(heartbeatMs, () => settle(false));
    stop.addEventListener('abort', onStop);
    if (stop.aborted) onStop();
    void change.then(() => settle(true));
  });
}

/**
 * Yields one event in pieces. Line breaks in `data` may be of any kind: each line becomes its own field. The name comes
 * last, so that an event that is cut off has no name and no listener receives it.
 *
 * @param options.isLast true for the final event of the stream
 */
export function* serverEvent(
  name: string,
  id: string,
  data: Iterable<string>,
  { isLast = false } = {},
): Generator<string> {
  yield 'data: ';
  for (const piece of data) {
    yield /[\r\n]/.test(piece) ? piece.replace(/\r\n|\r|\n/g, '\ndata: ') : piece;
  }
  // An EventSource reconnects after every end, whether or not there is more. A long delay prevents that.
  const retry = isLast ? 'retry: 86400000\n' : '';
  yield `\n${retry}id: ${id}\nevent: ${name}\n\n`;
}

/** A comment line, so that proxies do not close an idle stream. */
export const heartbeat = ': alive\n\n';
