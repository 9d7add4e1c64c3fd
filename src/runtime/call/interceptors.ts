/** Interceptors: extension code that is registered to run before and after each call. */

import { lazy } from '../async/late-value.ts';
import { wait } from '../async/wait.ts';
import type { ToolCall } from '../spec/call.ts';
import type { JsonText } from '../spec/json.ts';
import type { Limits } from '../spec/limits.ts';
import type { CallChange, ToolResult } from '../spec/result.ts';
import type { CallInterceptor, interceptedCall } from './intercepted-call.ts';
import { endingText, failure } from './results.ts';

export class CallInterceptors {
  readonly #deadlineMs: number;
  /** Loads the code that runs interceptors on first use, since most folders have no interceptors. */
  readonly #load: () => Promise<{ readonly interceptedCall: typeof interceptedCall }>;
  #entries: readonly CallInterceptor[] = [];
  readonly #holds = new Set<Promise<void>>();

  constructor(
    { interceptorMs }: Pick<Limits, 'interceptorMs'>,
    load = lazy(() => import('./intercepted-call.ts')),
  ) {
    this.#deadlineMs = interceptorMs;
    this.#load = load;
  }

  /** @returns dispose; a running call still uses the interceptors that it started with */
  register(interceptor: CallInterceptor): () => void {
    const entry = { ...interceptor };
    this.#entries = [...this.#entries, entry].sort((a, b) => b.priority - a.priority);
    return () => {
      this.#entries = this.#entries.filter((other) => other !== entry);
    };
  }

  /**
   * Makes calls wait until interceptors are registered that are being loaded. If that fails, calls are refused.
   * @returns dispose
   */
  hold(ready: Promise<void>): () => void {
    const release = (): void => {
      this.#holds.delete(ready);
    };
    this.#holds.add(ready);
    // After a failure, calls stay refused.
    ready.then(release, () => undefined);
    return release;
  }

  /**
   * Runs a call with the registered interceptors.
   * @param run receives the arguments as the interceptors have changed them
   * @param onChange receives each change that an interceptor makes to the arguments or the result
   * @throws if the code that runs interceptors cannot be loaded, in which case the call has not run
   */
  async around(
    signal: AbortSignal,
    call: ToolCall,
    run: (args: JsonText) => Promise<ToolResult>,
    onChange: (change: CallChange) => void = () => undefined,
  ): Promise<ToolResult> {
    const holds = this.#holds;
    if (holds.size === 0 && this.#entries.length === 0) return run(call.arguments);
    const deadlineMs = this.#deadlineMs;
    const loading = wait(signal, this.#load(), {
      deadlineMs,
      what: 'Loading the code that runs interceptors',
    });
    const loaded = await loading.catch((thrown: unknown) => {
      if (signal.aborted) return null;
      throw thrown;
    });
    if (loaded === null) return failure('cancelled', endingText('cancelled', call.tool));
    const registered = (): readonly CallInterceptor[] => this.#entries;
    return loaded.interceptedCall(signal, call, { holds, registered, deadlineMs }, run, onChange);
  }
}
