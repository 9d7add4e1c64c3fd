/** Stores a build in a separate worker, which ends with it. */

import { proxy } from 'comlink';
import { askOnce } from '../../runtime/async/worker-client.ts';
import { ToolError, type ToolErrorCode } from '../../runtime/spec/error.ts';
import type { BuildStore, OnStored } from './build-store.ts';

/** A {@link ToolError} as data. */
export interface StoreFailure {
  readonly code: ToolErrorCode;
  readonly message: string;
  readonly hint: string | undefined;
}

/** The worker's methods. */
export interface StoreWorker {
  /** Stores the missing files of a build. Resolves with a failure instead of rejecting. */
  store(base: string, build: string, onStored: OnStored): Promise<StoreFailure | null>;
}

/** {@link BuildStore.store} in a worker. An abort ends the worker. */
export function buildStorer(start: () => Worker, base: URL, build: string): BuildStore['store'] {
  const diedError = (): ToolError =>
    new ToolError('crashed', 'The worker that stores the files has stopped', 'Reload the page.');
  return async (signal, onStored) => {
    const failure = await askOnce<StoreWorker, StoreFailure | null>(
      signal,
      { start, died: diedError },
      async (worker): Promise<StoreFailure | null> =>
        worker.store(base.href, build, proxy(onStored)),
      {},
    );
    if (failure !== null) throw new ToolError(failure.code, failure.message, failure.hint);
  };
}
