/** The offline worker: downloads and stores a build. The memory that this takes is freed with the worker. */

import { expose } from 'comlink';
import { BuildStore, type OnStored } from '../../src/app/offline/build-store.ts';
import type { StoreFailure, StoreWorker } from '../../src/app/offline/store-build.ts';
import { errorText, ToolError } from '../../src/runtime/spec/error.ts';

declare const self: DedicatedWorkerGlobalScope;

expose({ store } satisfies StoreWorker);

async function store(
  base: string,
  build: string,
  onStored: OnStored,
): Promise<StoreFailure | null> {
  const builds = new BuildStore({
    base: new URL(base),
    build,
    caches: self.caches,
    locks: self.navigator.locks,
    fetch: (url, init) => fetch(url, init),
    now: () => Date.now(),
  });
  try {
    await builds.store(new AbortController().signal, onStored);
    return null;
  } catch (thrown) {
    if (!(thrown instanceof ToolError))
      return { code: 'storage', message: errorText(thrown), hint: undefined };
    const { code, message, hint } = thrown;
    return { code, message, hint };
  }
}
