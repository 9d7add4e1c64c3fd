/** Calls on the page itself, past the API. What runs in the page sees nothing of this file. */

import type { ToolResult } from '../../src/spec/result.ts';

export interface EndedHere {
  readonly result: ToolResult;
}

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
 * @param call the tool, its arguments as JSON, and after how many milliseconds it is cancelled, if at all
 */
export async function callHere([tool, args, stopAfterMs]: readonly [
  tool: string,
  args: string,
  stopAfterMs: number | undefined,
]): Promise<EndedHere> {
  const stop = new AbortController();
  if (stopAfterMs !== undefined) {
    setTimeout(() => {
      stop.abort();
    }, stopAfterMs);
  }
  const result = await globalThis.cloche.calls.call(stop.signal, {
    id: crypto.randomUUID(),
    tool,
    arguments: args,
    caller: 'page',
    sessionId: '',
    sessionKey: '',
    turnId: '',
    agentId: '',
    validate: true,
  });
  return { result };
}
