import { expect, test } from 'vitest';
import type { ProviderDraft } from './provider-types.ts';
import type { ProviderDeps } from './model-providers.ts';
import { hello, partsOf } from './wire/endpoint.fixture.ts';
import { draft, memoryStore, providersOn, type MemoryStore } from './provider-types.fixture.ts';

const headers = [['x-org', 'one']] as const;
const named = { ...draft, headers, models: ['m'] };
const kept = { baseUrl: draft.baseUrl, key: 'sk-secret-1234', headers: { 'x-org': 'one' } };
/** The form's values if no secret was typed. */
const renamed: ProviderDraft = { ...named, key: null, name: 'Yours', headers: [['X-Org', '']] };
const ref = { provider: 'p1', model: 'm' };

/** A store of which some operations can be made to fail. */
function frail(): MemoryStore & { fails: 'secrets' | 'put' | null } {
  const store = memoryStore();
  const failing = {
    ...store,
    fails: null as 'secrets' | 'put' | null,
    secrets: (id: string) =>
      failing.fails === 'secrets' ? Promise.reject(new Error('busy')) : store.secrets(id),
    put: (...given: Parameters<MemoryStore['put']>) =>
      failing.fails === 'put' ? Promise.reject(new Error('full')) : store.put(...given),
  };
  return failing;
}

test('a key that cannot be read for the moment survives every change', async () => {
  const store = frail();
  const { providers, reported } = providersOn(store);
  await providers.add(named);
  store.fails = 'secrets';
  // The secrets need not be read for that.
  await providers.change('p1', renamed);
  expect([providers.list()[0], store.keys.get('p1')]).toMatchObject([
    { name: 'Yours', key: 'kept' },
    kept,
  ]);
  for (const change of [
    { ...renamed, name: 'Ours', headers: [...renamed.headers, ['x-more', 'two']] },
    { ...renamed, name: 'Ours', keep: 'visit' },
    { ...renamed, name: 'Ours', key: 'new' },
    { ...renamed, name: 'Ours', headers: [] },
  ] as const)
    await expect(providers.change('p1', change)).rejects.toMatchObject({
      code: 'storage',
      message: 'The key and headers of Yours could not be read. Nothing was saved: busy',
    });
  expect([providers.list()[0]?.name, store.keys.get('p1')]).toEqual(['Yours', kept]);
  expect(reported).toEqual(Array(4).fill(new Error('busy')));
  // Newly typed secrets need none of the stored ones.
  await providers.change('p1', { ...named, key: 'new', headers: [['x-org', 'two']] });
  expect(store.keys.get('p1')).toEqual({ ...kept, key: 'new', headers: { 'x-org': 'two' } });
});

test('a key survives a change that storage refused', async () => {
  const store = frail();
  const { providers } = providersOn(store);
  await providers.add(named);
  store.fails = 'put';
  await providers.change('p1', renamed);
  store.fails = null;
  await providers.change('p1', { ...renamed, name: 'Ours' });
  expect([providers.list()[0], store.keys.get('p1')]).toMatchObject([
    { name: 'Ours', key: 'kept' },
    kept,
  ]);
});

test('a provider without secrets can be changed while storage is failing', async () => {
  const store = frail();
  const { providers } = providersOn(store);
  store.fails = 'put';
  await providers.add({ ...draft, key: '' });
  store.fails = 'secrets';
  await providers.change('p1', { ...draft, key: '', name: 'Yours' });
  expect([providers.list()[0]?.name, store.providers.size]).toEqual(['Yours', 1]);
});

for (const [what, change] of [
  ['name', renamed],
  ['header', { ...renamed, headers: [['x-org', 'two']] }],
] as const)
  test(`a change of the ${what} does not undo another tab's change of address, or its removal`, async () => {
    const store = memoryStore();
    const first = providersOn(store).providers;
    await first.add(named);
    const stale = providersOn(store).providers;
    await stale.loaded;
    const there = { ...named, baseUrl: 'https://new.example/v1', key: 'new' };
    await first.change('p1', there);
    const stored = structuredClone([...store.providers, ...store.keys]);
    const refused = {
      code: 'not-found',
      message: 'Mine was changed or removed in another tab. Nothing was saved.',
    };
    await expect(stale.change('p1', change)).rejects.toMatchObject(refused);
    expect([...store.providers, ...store.keys]).toEqual(stored);
    expect(stale.list()[0]?.baseUrl).toBe(there.baseUrl);
    await first.remove('p1');
    await expect(stale.change('p1', { ...change, ...there, key: null })).rejects.toMatchObject(
      refused,
    );
    expect([store.providers.size, stale.list().map(({ id }) => id)]).toEqual([0, []]);
  });

const asker: ProviderDeps['asker'] = {
  pageOrigin: '',
  // eslint-disable-next-line @typescript-eslint/require-await -- it has nothing to wait for
  async *ask() {
    yield { type: 'part-ended', id: '0' };
  },
  list: () => Promise.resolve([]),
};

test('a model list that arrives after its provider was removed in another tab does not restore it', async () => {
  const store = memoryStore();
  const removing: ProviderDeps['asker'] = {
    ...asker,
    list: async () => {
      await store.remove('p1');
      return [];
    },
  };
  const { providers } = providersOn(store, { asker: removing });
  await providers.add(named);
  await providers.sync(new AbortController().signal, 'p1');
  expect([store.providers.size, providers.list().map(({ id }) => id)]).toEqual([0, []]);
});

test('an abort ends a request and a model list that wait for a key from storage', async () => {
  const store = memoryStore();
  const { providers } = providersOn(store, { asker });
  await providers.add(named);
  store.secrets = () => new Promise(() => undefined);
  const stop = new AbortController();
  const asking = partsOf(providers.ask(ref), hello, stop.signal);
  const listing = providers.sync(stop.signal, 'p1');
  const reason = new Error('stopped by the user');
  stop.abort(reason);
  await expect(asking).rejects.toBe(reason);
  await expect(listing).rejects.toBe(reason);
});

test('requests that follow each other read the key once, until it may have changed', async () => {
  const store = memoryStore();
  let reads = 0;
  const { secrets } = store;
  store.secrets = (id) => {
    reads += 1;
    return secrets(id);
  };
  const keys: string[] = [];
  const telling: ProviderDeps['asker'] = {
    ...asker,
    // eslint-disable-next-line @typescript-eslint/require-await, require-yield
    async *ask(_, { key }) {
      keys.push(key);
    },
  };
  let now = 0;
  const { providers } = providersOn(store, { asker: telling, now: () => now });
  const ask = (): Promise<unknown> => partsOf(providers.ask(ref));
  await providers.add(named);
  for (let n = 0; n < 5; n += 1) await ask();
  expect(reads).toBe(1);
  await providers.change('p1', { ...named, key: 'sk-second' });
  await ask();
  // Another tab has changed it.
  store.keys.set('p1', { ...kept, key: 'sk-third' });
  store.notifyObservers();
  await ask();
  store.keys.set('p1', { ...kept, key: 'sk-fourth' });
  now += 5_000;
  await ask();
  expect(keys.slice(-4)).toEqual([named.key, 'sk-second', 'sk-third', 'sk-fourth']);
});
