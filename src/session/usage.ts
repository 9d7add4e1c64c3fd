/** Tokens of several answers together. */

import type { Usage } from '../spec/model.ts';

export const noUsage: Usage = { input: null, cached: null, output: null, reasoning: null };

/** Both together; what one of them does not know is the other's. */
export function usageSum(a: Usage, b: Usage): Usage {
  const cacheWrites = plus(a.cacheWrites ?? null, b.cacheWrites ?? null);
  return {
    input: plus(a.input, b.input),
    cached: plus(a.cached, b.cached),
    output: plus(a.output, b.output),
    reasoning: plus(a.reasoning, b.reasoning),
    ...(cacheWrites === null ? {} : { cacheWrites }),
  };
}

/** Of amounts that may be unknown. */
export function plus(before: number | null, more: number | null): number | null {
  return more === null ? before : (before ?? 0) + more;
}
