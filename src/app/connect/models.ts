/** Creates the model providers, with their storage and the worker that sends their requests. */

import type { AgentHooks } from '../../agent/hooks.ts';
import { modelAsker, startModelWorker } from '../../platform/model-asker.ts';
import { openProviderStore } from '../../platform/provider-store.ts';
import { builtInModel } from '../../providers/browser-model.ts';
import { ModelProviders } from '../../providers/model-providers.ts';
import type { PageDeps } from '../page-deps.ts';

export function connectModels(deps: PageDeps & { readonly hooks: AgentHooks }): ModelProviders {
  const { base, window, limits, database, report, hooks } = deps;
  const { origin } = window.location;
  return new ModelProviders({
    store: openProviderStore(database, base.pathname),
    asker: modelAsker(startModelWorker, limits, origin),
    added: hooks.providers,
    builtIn: builtInModel(globalThis),
    newId: () => crypto.randomUUID(),
    now: () => Date.now(),
    ...{ limits, report },
  });
}
