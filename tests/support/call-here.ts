/** A call on the page itself, past the API, that counts how often it ends. Runs in the page: it sees nothing of this file. */

import type { ToolResult } from '../../src/spec/result.ts';

export interface EndedHere {
  readonly result: ToolResult;
  /** How often the call ended. */
  readonly endings: number;
}

/** @param call the tool, its arguments as JSON, and after how many milliseconds it is cancelled, if at all */
export async function callHere([tool, args, stopAfterMs]: readonly [
  tool: string,
  args: string,
  stopAfterMs: number | undefined,
]): Promise<EndedHere> {
  const { calls } = globalThis.cloche;
  const id = crypto.randomUUID();
  let endings = 0;
  const stopWatching = calls.observe((event) => {
    if (event.type === 'call-ended' && event.call.id === id) endings += 1;
  });
  const stop = new AbortController();
  if (stopAfterMs !== undefined) {
    setTimeout(() => {
      stop.abort();
    }, stopAfterMs);
  }
  const result = await calls.call(stop.signal, {
    id,
    tool,
    arguments: args,
    caller: 'page',
    sessionId: '',
    sessionKey: '',
    turnId: '',
    agentId: '',
    validate: true,
  });
  // Whoever speaks again does so soon.
  await new Promise((wake) => setTimeout(wake, 700));
  stopWatching();
  return { result, endings };
}
