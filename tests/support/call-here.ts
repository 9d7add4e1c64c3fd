/** Calls tools in the page, without the API. Code that runs in the page cannot use anything from this file. */

import type { ToolResult } from '../../src/runtime/spec/result.ts';

export interface EndedHere {
  readonly result: ToolResult;
}

/** Milliseconds after its start, or when its first output arrives. */
export type StopAt = number | 'first output';

interface Counting {
  /** How often each call has ended, by its id. */
  callEndings?: Record<string, number>;
}

/** Runs in the page: counts from now on how often each call ends. */
export function countEndings(): void {
  const page = globalThis as Counting;
  if (page.callEndings) return;
  const counted: Record<string, number> = (page.callEndings = {});
  globalThis.cloche.calls.observe((event) => {
    if (event.type === 'call-ended') counted[event.call.id] = (counted[event.call.id] ?? 0) + 1;
  });
}

/** Runs in the page. @returns how often calls have ended, each number once: `[1]` where none has ended twice */
export function endingsHere(): number[] {
  return [...new Set(Object.values((globalThis as Counting).callEndings ?? {}))];
}

/**
 * Runs in the page.
 * @param call the tool, its arguments as JSON, when it is cancelled, if at all: see {@link StopAt}, and who calls
 */
export async function callHere([tool, args, stopAt, caller = 'page']: readonly [
  tool: string,
  args: string,
  stopAt: StopAt | undefined,
  caller?: 'page' | 'user',
]): Promise<EndedHere> {
  const { calls } = globalThis.cloche;
  const id = crypto.randomUUID();
  const stop = new AbortController();
  if (stopAt === 'first output')
    calls.observe((event) => {
      if (event.type === 'call-stream' && event.callId === id) stop.abort();
    });
  else if (stopAt !== undefined)
    setTimeout(() => {
      stop.abort();
    }, stopAt);
  const result = await calls.call(stop.signal, {
    id,
    tool,
    arguments: args,
    caller,
    sessionId: '',
    sessionKey: '',
    turnId: '',
    agentId: '',
    validate: true,
  });
  return { result };
}
