/** Connects the providers of models: where they are kept, and the worker that asks them. */

import type { Database } from './platform/db.ts';
import { modelAsker, startModelWorker } from './platform/model-asker.ts';
import { openProviderStore } from './platform/provider-store.ts';
import { builtInModel } from './providers/browser-model.ts';
import { ModelProviders } from './providers/model-providers.ts';
import type { Limits } from './spec/limits.ts';

export interface ModelHands {
  /** Address of the app, with a slash at the end. */
  readonly base: URL;
  readonly window: Window;
  readonly limits: Limits;
  readonly database: () => Promise<Database>;
  readonly report: (thrown: unknown) => void;
}

export function connectModels({
  base,
  window,
  limits,
  database,
  report,
}: ModelHands): ModelProviders {
  const { origin } = window.location;
  return new ModelProviders({
    store: openProviderStore(database, base.pathname),
    asker: modelAsker(startModelWorker, limits, origin),
    limits,
    builtIn: builtInModel(globalThis),
    newId: () => crypto.randomUUID(),
    now: () => Date.now(),
    report,
  });
}
