/** Models of extensions among those of the user. */

import { expect, test, vi } from 'vitest';
import { AddedProviders, type AddedProvider } from './added-providers.ts';
import type { ProviderConfig } from './provider-types.ts';
import type { ProviderDeps } from './model-providers.ts';
import type { AskModel, ModelPart, ModelRequest } from '../../runtime/spec/model.ts';
import { memoryStore, providersOn } from './provider-types.fixture.ts';
import { bareAsker } from './wire/endpoint.fixture.ts';

const ref = { provider: 'extension x.py lab', model: 'm' };
const config: ProviderConfig = {
  id: ref.provider,
  kind: 'extension',
  name: 'lab',
  baseUrl: '',
  headers: [],
  byHand: [],
  listedAt: null,
  key: 'none',
  from: { extension: 'Lab', file: 'x.py' },
  models: [{ ref, label: 'M', context: null, images: false, price: null }],
};
const request: ModelRequest = { system: '', messages: [], tools: [] };
const said: ModelPart = { type: 'text', id: '1', delta: 'hi' };
const never = new AbortController().signal;
const byCode: AddedProvider = {
  config,
  reached: {
    by: 'code',
    ask: () =>
      async function* () {
        yield await Promise.resolve(said);
      },
  },
};

async function parts(ask: AskModel): Promise<ModelPart[]> {
  const all: ModelPart[] = [];
  for await (const part of ask(never, request)) all.push(part);
  return all;
}

test('they are listed while they are offered, and observers are notified', async () => {
  const added = new AddedProviders(() => undefined);
  const { providers } = providersOn(memoryStore(), { added });
  await providers.loaded;
  const seen: string[][] = [];
  providers.observe((list) => seen.push(list.map(({ id }) => id)));
  const end = added.add(byCode);
  expect(providers.info(ref)?.label).toBe('M');
  expect(await parts(providers.ask(ref))).toEqual([said]);
  end();
  expect(seen).toEqual([[ref.provider], []]);
  expect(() => providers.ask(ref)).toThrow('does not run, or lacks a power');
});

test('they can be neither changed nor removed from the settings', async () => {
  const added = new AddedProviders(() => undefined);
  const store = memoryStore();
  const { providers } = providersOn(store, { added });
  added.add(byCode);
  await providers.remove(ref.provider);
  expect(providers.info(ref)?.label).toBe('M');
  expect(store.providers.size).toBe(0);
  expect(await providers.sync(never, ref.provider)).toEqual(config.models);
});

test('one with an address is asked over the network with what the user has allowed, until it is gone', async () => {
  const added = new AddedProviders(() => undefined);
  const life = new AbortController();
  const access = {
    ...({ kind: 'openai-chat', name: 'lab', baseUrl: 'https://lab.example/v1', key: '' } as const),
    headers: [['X-A', '1']] as const,
  };
  const asked = vi.fn();
  const asker: ProviderDeps['asker'] = {
    ...bareAsker,
    ask: async function* (signal, ...rest) {
      asked(...rest);
      yield said;
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error);
        });
      });
    },
  };
  const { providers } = providersOn(memoryStore(), { added, asker });
  added.add({
    config: { ...config, kind: 'openai-chat' },
    reached: { by: 'network', access: () => Promise.resolve(access), life: life.signal },
  });
  const answer = providers.ask(ref)(never, request)[Symbol.asyncIterator]();
  expect(await answer.next()).toEqual({ done: false, value: said });
  expect(asked.mock.calls).toEqual([[access, ref, request, undefined]]);
  const rest = answer.next();
  life.abort(new Error('no longer offered'));
  await expect(rest).rejects.toThrow('no longer offered');
});
