/** Interceptors: foreign code around a call that may change its arguments or result, or refuse it. An error refuses the call. */

import { ToolError } from '../spec/error.ts';

/** Continues with the next interceptor or the tool. May be called once. */
type Next<C, R> = (call: C) => Promise<R>;

type Interceptor<C, R> = (call: C, next: Next<C, R>) => Promise<R>;

export interface Interceptors<C, R> {
  /** Registers an interceptor; the highest priority runs first, around the others. @returns dispose */
  intercept(priority: number, interceptor: Interceptor<C, R>): () => void;
  /** Runs a call through the current interceptors and then `last`. Rejects with what any of them throws. */
  run(call: C, last: (call: C) => Promise<R>): Promise<R>;
}

/** A list of interceptors. It sets no deadlines: registrants wrap foreign interceptors in one. */
export function createInterceptors<C, R>(): Interceptors<C, R> {
  let entries: readonly Entry<C, R>[] = [];
  return {
    intercept(priority, interceptor) {
      const entry = { priority, interceptor };
      // Equal priorities keep the order of registration, since sorting is stable.
      entries = [...entries, entry].sort((a, b) => b.priority - a.priority);
      return () => {
        entries = entries.filter((other) => other !== entry);
      };
    },
    run(call, last) {
      return step(entries, 0, call, last);
    },
  };
}

interface Entry<C, R> {
  readonly priority: number;
  readonly interceptor: Interceptor<C, R>;
}

async function step<C, R>(
  entries: readonly Entry<C, R>[],
  index: number,
  call: C,
  last: (call: C) => Promise<R>,
): Promise<R> {
  const entry = entries[index];
  if (entry === undefined) return last(call);
  let called = false;
  return entry.interceptor(call, (changed) => {
    // @mutant an interceptor calls next only once => never
    if (called) {
      throw new ToolError(
        'bad-input',
        'An interceptor called next twice.',
        'Call next at most once. To run the tool again, make another call.',
      );
    }
    called = true;
    return step(entries, index + 1, changed, last);
  });
}
