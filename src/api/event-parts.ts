/** The events of a call as the parts of a body. */

import type { ToolResult } from '../spec/result.ts';
import type { ApiCall } from './calls.ts';
import type { ApiDeps } from './api-deps.ts';
import { heartbeat, serverEvent } from './event-stream.ts';
import type { Part } from './paced-body.ts';
import { resultPieces, runningText } from './result-pieces.ts';
import {
  positionId,
  restOf,
  streamEnd,
  type StreamPosition,
  type StreamRest,
} from './stream-position.ts';

const heartbeatMs = 15_000;

/**
 * `call`, then what it streams as it comes, then `result`, or `running` where `over` comes first. What a reader is too slow
 * for is left out rather than kept for it.
 *
 * @param onEnd there is nothing more to wait for
 */
export async function* callEvents(
  over: AbortSignal,
  call: ApiCall,
  from: StreamPosition,
  deps: Pick<ApiDeps, 'after'>,
  onEnd: () => void,
): AsyncGenerator<Part> {
  yield begun(call.id, from);
  let at = from;
  while (call.result === undefined) {
    const rest = over.aborted ? undefined : call.feed.since(at);
    if (rest !== undefined) {
      const next = call.feed.position;
      yield restEvents(rest, at);
      at = next;
    } else if (over.aborted) {
      onEnd();
      yield serverEvent('running', positionId(at), [runningText(call.id)]);
      return;
    } else if (!(await newsOf(over, call, deps))) {
      yield [heartbeat];
    }
  }
  onEnd();
  yield ending(call.id, call.result, false, at);
}

/** The same of a call that has ended. */
export function* endedEvents(
  callId: string,
  result: ToolResult,
  cut: boolean,
  from: StreamPosition,
): Generator<Part> {
  yield begun(callId, from);
  yield ending(callId, result, cut, from);
}

function begun(callId: string, at: StreamPosition): Part {
  const data = JSON.stringify({ callId, rest: `api/calls/${callId}` });
  return serverEvent('call', positionId(at), [data]);
}

function* ending(
  callId: string,
  result: ToolResult,
  cut: boolean,
  from: StreamPosition,
): Generator<string> {
  yield* restEvents(restOf(result, from), from);
  yield* serverEvent('result', streamEnd, resultPieces(callId, result, cut), true);
}

/** The id of each is the position behind it, so that a stream that is cut anywhere can be taken up again. */
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

/** False where nothing has happened for a while. */
function newsOf(over: AbortSignal, call: ApiCall, deps: Pick<ApiDeps, 'after'>): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (news: boolean): void => {
      cancelTimer();
      over.removeEventListener('abort', onOver);
      resolve(news);
    };
    const onOver = (): void => settle(true);
    const cancelTimer = deps.after(heartbeatMs, () => settle(false));
    over.addEventListener('abort', onOver);
    if (over.aborted) onOver();
    void call.news.then(() => settle(true));
  });
}
