/** Fake providers for UI tests, without a network. */

import type { Providers } from '../../../agent/providers/model-providers.ts';
import type { ProviderConfig } from '../../../agent/providers/provider-types.ts';
import type { ModelInfo } from '../../../runtime/spec/model.ts';

/** When the models were listed. */
const began = Date.UTC(2026, 10, 22, 9, 30);

export const gpt = { provider: 'p1', model: 'gpt-x' } as const;

const model = (id: string, label: string, images = true): ModelInfo => ({
  ref: { provider: 'p1', model: id },
  label,
  context: 128_000,
  images,
  price: { input: 1.25, cached: 0.12, output: 10 },
});

export const config: ProviderConfig = {
  id: 'p1',
  kind: 'openai-responses',
  name: 'OpenAI',
  baseUrl: '',
  headers: [],
  models: [model('gpt-x', 'GPT X'), model('gpt-x-mini', 'GPT X mini', false)],
  listedAt: began,
  byHand: [],
  key: 'kept',
};

const replay: ProviderConfig = {
  id: 'replay',
  kind: 'replay',
  name: 'Replay',
  baseUrl: '',
  headers: [],
  key: 'none',
  models: [],
  listedAt: null,
  byHand: [],
};

export function fakeProviders(added: readonly ProviderConfig[]): Providers {
  let list = [...added, replay];
  const listeners = new Set<(list: readonly ProviderConfig[]) => void>();
  const set = (next: typeof list): void => {
    list = next;
    for (const listener of listeners) listener(list);
  };
  return {
    list: () => list,
    observe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    loaded: Promise.resolve(),
    presets: [
      {
        id: 'ollama',
        kind: 'openai-compatible',
        name: 'Ollama',
        needsKey: false,
        baseUrl: 'http://localhost:11434/v1',
        hint: 'Start it with OLLAMA_ORIGINS set.',
      },
    ],
    add: ({ kind, name, baseUrl, headers, key, keep }) => {
      const made: ProviderConfig = {
        id: `p${list.length + 1}`,
        kind,
        name,
        baseUrl,
        models: [],
        byHand: [],
        listedAt: null,
        headers: headers.map(([header]) => header),
        key: key ? keep : 'none',
      };
      set([made, ...list]);
      return Promise.resolve(made);
    },
    change: () => Promise.resolve(),
    remove: (id) => {
      set(list.filter((each) => each.id !== id));
      return Promise.resolve();
    },
    test: () => Promise.resolve({ ok: true, message: 'Hello.', ms: 812 }),
    sync: () => Promise.resolve(config.models),
    info: (ref) => config.models.find((each) => each.ref.model === ref.model),
    ask: () => {
      throw new Error('The fixture asks nobody.');
    },
  };
}
