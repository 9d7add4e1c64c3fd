/** Test helpers for providers: a store in memory, and an asker that runs without a worker. */

import type {
  StoredProvider,
  ProviderSecrets,
  ProviderStore,
  ProviderDraft,
} from './provider-types.ts';
import { AddedProviders } from './added-providers.ts';
import { defaultLimits } from '../../runtime/spec/limits.ts';
import { bareAsker } from './wire/endpoint.fixture.ts';
import { ModelProviders, type ProviderDeps } from './model-providers.ts';

export interface MemoryStore extends ProviderStore {
  readonly providers: Map<string, unknown>;
  readonly keys: Map<string, unknown>;
  /** Notifies observers, as after a change in another tab. */
  notifyObservers(): void;
}

export function memoryStore(): MemoryStore {
  const providers = new Map<string, unknown>();
  const keys = new Map<string, unknown>();
  const listeners = new Set<() => void>();
  return {
    providers,
    keys,
    list: () => Promise.resolve([...providers.values()]),
    secrets: (id) => Promise.resolve({ provider: providers.get(id), secrets: keys.get(id) }),
    put: (provider: StoredProvider, secrets: ProviderSecrets | null | undefined) => {
      const stored = providers.get(provider.id) as Partial<StoredProvider> | undefined;
      if (secrets === undefined && stored?.baseUrl !== provider.baseUrl)
        return Promise.resolve(false);
      providers.set(provider.id, structuredClone(provider));
      if (secrets === null) keys.delete(provider.id);
      else if (secrets !== undefined) keys.set(provider.id, structuredClone(secrets));
      return Promise.resolve(true);
    },
    remove: (id) => {
      providers.delete(id);
      keys.delete(id);
      return Promise.resolve();
    },
    observe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notifyObservers: () => {
      for (const listener of listeners) listener();
    },
  };
}

export interface TestProviders {
  readonly providers: ModelProviders;
  readonly reported: unknown[];
}

const added = new AddedProviders(() => undefined);

export function providersOn(store: ProviderStore, more: Partial<ProviderDeps> = {}): TestProviders {
  const reported: unknown[] = [];
  let n = 0;
  const providers = new ModelProviders({
    store,
    asker: bareAsker,
    limits: defaultLimits,
    builtIn: null,
    added,
    newId: () => `p${(n += 1)}`,
    now: () => n,
    report: (thrown) => reported.push(thrown),
    ...more,
  });
  return { providers, reported };
}

export const draft: ProviderDraft = {
  kind: 'openai-compatible',
  name: 'Mine',
  baseUrl: 'http://localhost:1/v1',
  headers: [],
  key: 'sk-secret-1234',
  keep: 'kept',
  models: [],
};
