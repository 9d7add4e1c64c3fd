import { expect, test } from 'vitest';
import type { ProviderDeps } from './model-providers.ts';
import type { ModelError } from '../../runtime/spec/model-error.ts';
import { partsOf } from './wire/endpoint.fixture.ts';
import { draft, memoryStore, providersOn, type MemoryStore } from './provider-types.fixture.ts';

const before = 'https://good.example/v1';
const after = 'https://new.example/v1';
const ref = { provider: 'p1', model: 'm' };

interface Page {
  readonly providers: ReturnType<typeof providersOn>['providers'];
  /** The keys that were sent, with their addresses. */
  readonly sent: (readonly [url: string, key: string])[];
  /**
   * Asks the model.
   *
   * @returns the fault, or null
   */
  ask(): Promise<string | null>;
}

function page(store: MemoryStore): Page {
  const sent: [string, string][] = [];
  const asker: ProviderDeps['asker'] = {
    pageOrigin: 'https://cloche.example',
    // eslint-disable-next-line @typescript-eslint/require-await -- it has nothing to wait for
    async *ask(_signal, { baseUrl, key }) {
      sent.push([baseUrl, key]);
      yield { type: 'part-ended', id: '0' };
    },
    list: () => Promise.resolve([]),
  };
  const { providers } = providersOn(store, { asker });
  const ask = async (): Promise<string | null> => {
    try {
      await partsOf(providers.ask(ref));
      return null;
    } catch (thrown) {
      return (thrown as ModelError).fault;
    }
  };
  return { providers, sent, ask };
}

/** Two pages that share a provider. */
async function pages(keep: 'kept' | 'visit'): Promise<[Page, Page, MemoryStore]> {
  const store = memoryStore();
  const first = page(store);
  await first.providers.add({ ...draft, baseUrl: before, key: 'old', keep, models: ['m'] });
  const second = page(store);
  await second.providers.loaded;
  return [first, second, store];
}

test('a key for this visit is not sent to an address that another tab has set', async () => {
  const [first, second, store] = await pages('visit');
  await second.providers.change('p1', { ...draft, baseUrl: after, key: 'new', keep: 'visit' });
  store.notifyObservers();
  await expect.poll(() => first.providers.list()[0]?.baseUrl).toBe(after);
  expect([await first.ask(), await second.ask()]).toEqual(['key', null]);
  await second.providers.change('p1', { ...draft, baseUrl: after, key: 'new', keep: 'kept' });
  store.notifyObservers();
  await expect.poll(() => first.providers.list()[0]?.key).toBe('kept');
  expect(await first.ask()).toBeNull();
  expect([first.sent, second.sent]).toEqual([[[after, 'new']], [[after, 'new']]]);
});

test('a page that does not know a new address sends no key', async () => {
  const [first, second] = await pages('kept');
  await second.providers.change('p1', { ...draft, baseUrl: after, key: 'new' });
  expect([await first.ask(), first.sent]).toEqual(['key', []]);
});

for (const keep of ['kept', 'visit'] as const)
  test(`a request from before a change of address is not sent with the new key: ${keep}`, async () => {
    const [first] = await pages(keep);
    const ask = first.providers.ask(ref);
    await first.providers.change('p1', { ...draft, baseUrl: after, key: 'new', keep });
    await expect(partsOf(ask)).rejects.toMatchObject({ fault: 'key' });
    expect(first.sent).toEqual([]);
  });

test('a key stored by an older version is sent to the address that it was stored with', async () => {
  const [first, second, store] = await pages('kept');
  store.keys.set('p1', { key: 'old', headers: {} });
  expect([await second.ask(), second.sent]).toEqual([null, [[before, 'old']]]);
  store.providers.set('p1', { id: 'p1', kind: 'anthropic', baseUrl: after, key: 'kept' });
  expect([await first.ask(), first.sent]).toEqual(['key', []]);
});
