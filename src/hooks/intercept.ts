/** Interceptors: foreign code round a call, which may change it, refuse it or change its result; it fails closed. */

import { ToolError } from '../spec/error.ts';
import { byPriority } from './priority.ts';

/** Goes on with the call inside; may be called once. */
export type Next<C, R> = (call: C) => Promise<R>;

export type Interceptor<C, R> = (call: C, next: Next<C, R>) => Promise<R>;

export interface Interceptors<C, R> {
  /** Registers one; the highest priority stands outermost. The returned function ends it. */
  intercept(priority: number, interceptor: Interceptor<C, R>): () => void;
  /** Runs the call through those registered now and then `last`; whatever one throws reaches the caller. */
  run(call: C, last: (call: C) => Promise<R>): Promise<R>;
}

/** A list of interceptors. Whoever registers a foreign one gives it its deadline. */
export function createInterceptors<C, R>(): Interceptors<C, R> {
  let entries: readonly Entry<C, R>[] = [];
  return {
    intercept(priority, interceptor) {
      const entry = { priority: -priority, interceptor };
      entries = [...entries, entry].sort(byPriority);
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
