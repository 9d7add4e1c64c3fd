import { afterAll, beforeEach, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../tests/support/model-endpoint.ts';
import type { ProviderConfig } from './provider-types.ts';
import { ModelError } from '../../runtime/spec/model-error.ts';
import { hello, partsOf } from './wire/endpoint.fixture.ts';
import { draft, memoryStore, providersOn } from './provider-types.fixture.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
  Object.assign(endpoint.habits, { key: null, models: [{ id: 'small' }, { id: 'large' }] });
});
afterAll(() => endpoint.close());

const { signal } = new AbortController();
const here = { ...draft, baseUrl: `${endpoint.url}/v1` };

function named(id: string): object {
  return {
    ref: { provider: 'p1', model: id },
    label: id,
    context: null,
    images: null,
    price: null,
  };
}

test('a provider is stored apart from its key, and available at the next visit', async () => {
  const store = memoryStore();
  const { providers } = providersOn(store);
  const seen: (readonly ProviderConfig[])[] = [];
  providers.observe((list) => seen.push(list));
  const added = await providers.add({
    ...here,
    headers: [['X-Title', 'Cloche']],
    models: ['by-hand', ' ', 'by-hand'],
  });
  expect(added).toEqual({
    id: 'p1',
    kind: 'openai-compatible',
    name: 'Mine',
    baseUrl: here.baseUrl,
    headers: ['x-title'],
    facts: [],
    models: [named('by-hand')],
    byHand: ['by-hand'],
    listedAt: null,
    key: 'kept',
  });
  expect(seen.at(-1)).toEqual([added]);
  expect([...store.keys]).toEqual([
    ['p1', { baseUrl: here.baseUrl, key: 'sk-secret-1234', headers: { 'x-title': 'Cloche' } }],
  ]);
  expect(JSON.stringify([...store.providers, ...providers.list(), providers])).not.toMatch(
    /sk-secret|Cloche/,
  );
  const next = providersOn(store).providers;
  await next.loaded;
  expect(next.list()).toEqual([added]);
  endpoint.habits.key = 'sk-secret-1234';
  endpoint.answer({ text: 'Hello.' });
  await partsOf(next.ask({ provider: 'p1', model: 'by-hand' }));
  expect(endpoint.requests[0]?.headers).toMatchObject({ 'x-title': 'Cloche' });
});

test('a key for this visit only is never stored, and is requested again after it', async () => {
  const store = memoryStore();
  const { providers } = providersOn(store);
  await providers.add({ ...here, keep: 'visit', models: ['m'] });
  endpoint.habits.key = 'sk-secret-1234';
  endpoint.answer({ text: 'Hello.' });
  const ref = { provider: 'p1', model: 'm' };
  expect(await partsOf(providers.ask(ref))).toHaveLength(3);
  expect(JSON.stringify([[...store.providers], [...store.keys]])).not.toContain('sk-secret');
  const next = providersOn(store).providers;
  await next.loaded;
  expect(next.list()[0]?.key).toBe('visit');
  expect(() => next.ask(ref)).toThrow(
    expect.objectContaining({
      fault: 'key',
      message: 'The key of Mine, or one of its headers, was kept for one visit only.',
    }),
  );
});

test('a change keeps, moves or replaces the key, and a new address discards it', async () => {
  const store = memoryStore();
  const { providers } = providersOn(store);
  await providers.add({ ...here, headers: [['x-org', 'one']] });
  const change = {
    ...here,
    key: null,
    headers: [
      ['x-org', ''],
      ['x-more', 'two'],
    ],
  } as const;
  await providers.change('p1', { ...change, name: 'Yours' });
  expect(providers.list()[0]).toMatchObject({ name: 'Yours', key: 'kept' });
  const headers = { 'x-org': 'one', 'x-more': 'two' };
  const secrets = { baseUrl: here.baseUrl, key: 'sk-secret-1234', headers };
  expect(store.keys.get('p1')).toEqual(secrets);
  await providers.change('p1', { ...change, keep: 'visit' });
  expect(store.keys.get('p1')).toBeUndefined();
  endpoint.habits.key = 'sk-secret-1234';
  expect(await providers.sync(signal, 'p1')).toHaveLength(2);
  await providers.change('p1', { ...change, keep: 'kept' });
  expect(store.keys.get('p1')).toEqual(secrets);
  await providers.change('p1', { ...change, baseUrl: 'https://elsewhere.example/v1' });
  expect([providers.list()[0]?.key, store.keys.get('p1')]).toEqual([
    'none',
    { baseUrl: 'https://elsewhere.example/v1', key: '', headers: { 'x-org': '', 'x-more': 'two' } },
  ]);
  await providers.remove('p1');
  expect([providers.list(), store.providers.size, store.keys.size]).toEqual([[], 0, 0]);
});

test('models are listed, manual ones stay, and other tabs follow', async () => {
  const store = memoryStore();
  const { providers } = providersOn(store, { now: () => 77 });
  const other = providersOn(store).providers;
  await providers.add({ ...here, models: ['mine', 'small'] });
  const models = [named('small'), named('large'), named('mine')];
  expect(await providers.sync(signal, 'p1')).toEqual(models);
  expect(providers.info({ provider: 'p1', model: 'large' })).toEqual(named('large'));
  store.notifyObservers();
  await expect.poll(() => other.list()[0]).toMatchObject({ models, listedAt: 77 });
  // A listed model need not be added by hand.
  expect(providers.list()[0]?.byHand).toEqual(['mine']);
  for (let saved = 0; saved < 2; saved += 1) {
    await providers.change('p1', { ...here, models: ['mine', 'small'] });
    expect(providers.list()[0]).toMatchObject({ models, byHand: ['mine'] });
  }
  await providers.change('p1', { ...here, models: [] });
  expect(providers.list()[0]?.models).toEqual([named('small'), named('large')]);
  // Another address may not list what the first one did.
  const moved = { ...here, baseUrl: 'https://elsewhere.example/v1', models: ['small'] };
  await providers.change('p1', moved);
  expect(providers.list()[0]?.byHand).toEqual(['small']);
});

test("a test reports the model's answer, or the error and its remedy", async () => {
  const { providers } = providersOn(memoryStore());
  await providers.add({ ...here, models: ['m'] });
  const ref = { provider: 'p1', model: 'm' };
  endpoint.answer(
    { text: ' Hello there! ' },
    { status: 401, error: { message: 'Bad key sk-secret-1234.' } },
  );
  const ms = expect.any(Number) as number;
  expect(await providers.test(signal, ref)).toEqual({ ok: true, message: 'Hello there!', ms });
  expect(await providers.test(signal, ref)).toEqual({
    ok: false,
    message: 'Mine rejected the key (401): Bad key [secret].',
    ms,
    fault: 'key',
    hint: 'Check that the key in the settings of this provider is complete, still valid, and allowed to use this model.',
  });
  expect(await providers.test(signal, { provider: 'gone', model: 'm' })).toEqual({
    ok: false,
    message: 'The provider of this model was removed.',
    ms,
    fault: 'model',
    hint: 'Choose another model.',
  });
  expect(await providers.test(AbortSignal.abort(), ref)).toEqual({
    ok: false,
    message: 'The test was stopped.',
    ms,
  });
});

test('an invalid provider is refused with an explanation', async () => {
  const { providers } = providersOn(memoryStore());
  const messages: unknown[] = [];
  for (const wrong of [
    { baseUrl: '' },
    { baseUrl: 'ftp://example.com' },
    { baseUrl: 'https://me:secret@example.com/v1' },
    { baseUrl: 'https://example.com/v1?key=secret' },
    { key: 'sk\nsecret' },
    { key: 'sk-ключ' },
    { headers: [['Host', 'x']] },
    { headers: [['bad name', 'x']] },
    { headers: [['x-fine', 'a\r\nb: c']] },
    { kind: 'replay' },
  ] as const)
    messages.push(
      await providers
        .add({ ...draft, ...wrong })
        .catch((thrown: unknown) => (thrown as Error).message),
    );
  expect(messages).toEqual([
    'The base URL is missing.',
    'ftp: is neither http: nor https:.',
    'The base URL must not contain a user name or password.',
    'The base URL must not contain ? or #.',
    'This key contains invalid characters.',
    'This key contains invalid characters.',
    '"Host" cannot be added as a header.',
    '"bad name" cannot be added as a header.',
    'The value of x-fine contains invalid characters.',
    'This provider is built in and cannot be added.',
  ]);
  expect(providers.list()).toEqual([]);
});

test('if storage fails, everything works until the page is closed, and the failure is reported', async () => {
  const failing = { ...memoryStore(), put: () => Promise.reject(new Error('full')) };
  const { providers, reported } = providersOn(failing);
  await providers.add({ ...here, models: ['m'] });
  endpoint.habits.key = 'sk-secret-1234';
  endpoint.answer({ text: 'Hello.' });
  expect(await partsOf(providers.ask({ provider: 'p1', model: 'm' }), hello)).toHaveLength(3);
  expect(reported).toEqual([new Error('full')]);
});

test('stored values are validated', async () => {
  const store = memoryStore();
  const good = {
    id: 'good',
    kind: 'anthropic',
    baseUrl: '',
    key: 'kept',
    models: [{ ref: { model: 'c' } }, 7],
  };
  for (const [n, value] of [
    null,
    7,
    {},
    { ...good, id: '' },
    { ...good, kind: 'browser' },
    { ...good, baseUrl: 'javascript:alert(1)' },
    { ...good, baseUrl: 'https://me:secret@example.com' },
    good,
  ].entries())
    store.providers.set(String(n), value);
  store.keys.set('good', { key: 7 });
  const { providers } = providersOn(store);
  await providers.loaded;
  expect(providers.list()).toEqual([
    {
      facts: [],
      id: 'good',
      kind: 'anthropic',
      name: 'anthropic',
      baseUrl: '',
      headers: [],
      models: [
        {
          ref: { provider: 'good', model: 'c' },
          label: 'c',
          context: null,
          images: null,
          price: null,
        },
      ],
      byHand: [],
      listedAt: null,
      key: 'kept',
      publisher: expect.objectContaining({ name: 'Anthropic' }) as unknown,
    },
  ]);
  await expect(partsOf(providers.ask({ provider: 'good', model: 'c' }))).rejects.toEqual(
    new ModelError(
      'key',
      'The saved key of anthropic cannot be read or belongs to another base URL.',
      'Enter it again in the settings of this provider.',
    ),
  );
});

test('an observer that throws does not keep others from being notified', async () => {
  const { providers, reported } = providersOn(memoryStore());
  await providers.loaded;
  const seen: number[] = [];
  const dispose = providers.observe(() => {
    throw new Error('observer');
  });
  providers.observe((list) => seen.push(list.length));
  await providers.add(draft);
  dispose();
  await providers.add(draft);
  expect([seen, reported]).toEqual([[1, 2], [new Error('observer')]]);
});

test('prices are those of the user, or else of the provider, or else those that its company publishes', async () => {
  const store = memoryStore();
  const now = Date.UTC(2026, 10, 26);
  const { providers } = providersOn(store, { now: () => now });
  const models = ['gpt-5', 'gpt-5-mini', 'unknown'];
  const own = { input: 7, cached: 7, output: 8 };
  const facts = [{ model: 'gpt-5', price: own, context: null }];
  const official = { ...draft, kind: 'openai-responses', baseUrl: '', models, facts } as const;
  await providers.add(official);
  await providers.add({ ...official, kind: 'openai-compatible', baseUrl: 'http://localhost:1/v1' });
  const [company, local] = providers.list();
  expect(company?.models.map(({ price }) => price?.input)).toEqual([7, 0.25, undefined]);
  expect(company?.models[1]?.price?.published?.by).toBe('OpenAI');
  expect(company?.models[0]?.price).toEqual(own);
  expect(local?.models.map(({ price }) => price?.input)).toEqual([7, undefined, undefined]);
  // Prices are not stored, so that a newer version of Cloche has newer ones.
  expect(JSON.stringify([...store.providers.values()])).not.toContain('published');
});
