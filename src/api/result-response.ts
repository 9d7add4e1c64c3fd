/** The answer that waits for a call's end. */

import type { ToolResult } from '../spec/result.ts';
import { callResponse } from './call-response.ts';
import type { ApiCall } from './calls.ts';
import type { ApiEffects } from './effects.ts';
import type { Part } from './paced-body.ts';
import { resultPieces, runningText } from './result-pieces.ts';

const soonMs = 100;

/**
 * The result, or, where the signal comes first, that the call goes on. A caller that goes away before cancels the call.
 * `onEnd`: nobody waits any more.
 */
export function resultResponse(
  deadline: AbortSignal,
  call: ApiCall,
  effects: Pick<ApiEffects, 'after'>,
  onEnd: () => void,
): Response {
  const soon = new AbortController();
  const cancelSoon = effects.after(soonMs, () => {
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
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([call.ended, aborted]);
}
