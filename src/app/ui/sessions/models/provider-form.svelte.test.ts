import { expect, test } from 'vitest';
import type {
  ProviderConfig,
  ProviderDraft,
  ProviderPreset,
} from '../../../../agent/providers/provider-types.ts';
import { ToolError } from '../../../../runtime/spec/error.ts';
import { ProviderForm } from './provider-form.svelte.ts';

const preset = {
  id: 'openrouter',
  kind: 'openai-compatible',
  name: 'OpenRouter',
  needsKey: true,
  baseUrl: 'https://openrouter.ai/api/v1',
  hint: 'Make a key there.',
} as const satisfies ProviderPreset;

const config: ProviderConfig = {
  id: 'p1',
  kind: 'openai-compatible',
  name: 'Mine',
  baseUrl: 'http://localhost:1/v1',
  headers: ['X-Team'],
  models: [],
  listedAt: null,
  byHand: [],
  key: 'visit',
};

function fakeProviders() {
  const seen: unknown[] = [];
  return {
    seen,
    add: (draft: ProviderDraft) => {
      seen.push(draft);
      return Promise.resolve(config);
    },
    change: (id: string, draft: ProviderDraft) => {
      seen.push([id, draft]);
      return Promise.resolve();
    },
  };
}

test('a preset fills in the form, and the input becomes the provider', async () => {
  const providers = fakeProviders();
  const form = ProviderForm.begin(preset);
  form.key = ' sk-1 ';
  form.keep = 'visit';
  form.models = 'a\n b, a\n';
  form.facts = 'a 1 2 8k';
  form.headers = [
    { name: 'X-A', value: '1' },
    { name: ' ', value: 'lost' },
  ];
  expect(await form.save(providers)).toBe('p1');
  expect(providers.seen).toEqual([
    {
      kind: 'openai-compatible',
      name: 'OpenRouter',
      keep: 'visit',
      key: 'sk-1',
      baseUrl: 'https://openrouter.ai/api/v1',
      headers: [['X-A', '1']],
      models: ['a', 'b'],
      facts: [{ model: 'a', price: { input: 1, output: 2, cached: 1 }, context: 8_000 }],
    },
  ]);
  expect(form.key).toBe('');
});

test('missing input is reported before the provider is contacted', async () => {
  const providers = fakeProviders();
  const keyless = ProviderForm.begin(preset);
  const nowhere = ProviderForm.begin(null);
  const odd = ProviderForm.begin(null);
  odd.baseUrl = 'localhost:11434';
  const saved = await Promise.all([keyless, nowhere, odd].map((form) => form.save(providers)));
  expect(saved).toEqual([null, null, null]);
  expect([keyless, nowhere, odd].map(({ fault }) => fault?.message)).toEqual([
    'Enter an API key: this provider requires one.',
    'Enter a base URL.',
    'The base URL must start with http:// or https://.',
  ]);
  expect([keyless, nowhere, odd].map(({ fault }) => fault?.at)).toEqual([
    undefined,
    'address',
    'address',
  ]);
  expect(providers.seen).toEqual([]);
});

test('a stored key does not apply to another address', () => {
  const form = ProviderForm.of(config);
  expect([form.keepsKey, ProviderForm.begin(null).keepsKey]).toEqual([true, false]);
  form.baseUrl = 'http://localhost:2/v1';
  expect(form.keepsKey).toBe(false);
});

test('a name that came from the address follows it, and one that the user chose stays', () => {
  const renamed = (name: string, baseUrl: string): string => {
    const form = ProviderForm.of({ ...config, name });
    form.baseUrl = baseUrl;
    return form.draft.name;
  };
  expect([
    renamed('localhost:1', 'http://localhost:2/v1'),
    renamed('Mine', 'http://localhost:2/v1'),
  ]).toEqual(['localhost:2', 'Mine']);
  const form = ProviderForm.of({ ...config, name: 'localhost:1' });
  form.name = 'My server';
  form.baseUrl = 'http://localhost:2/v1';
  expect(form.draft.name).toBe('My server');
});

test('the same address in another spelling keeps its key and its test', () => {
  const form = ProviderForm.of(config);
  for (const same of [
    'http://localhost:1/v1/',
    ' HTTP://LOCALHOST:1/v1/chat/completions ',
    'localhost:1',
  ]) {
    form.baseUrl = same;
    expect([form.keepsKey, form.hasValueOf('X-Team'), form.needsNewTest]).toEqual([
      true,
      true,
      false,
    ]);
  }
  for (const other of ['', 'http://localhost:1/v2', 'http://', 'https://localhost:1/v1']) {
    form.baseUrl = other;
    expect([form.keepsKey, form.needsNewTest]).toEqual([false, true]);
  }
  const usual = ProviderForm.of({ ...config, kind: 'openai-responses', baseUrl: '' });
  usual.baseUrl = 'https://api.openai.com/v1/';
  expect(usual.keepsKey).toBe(true);
});

test('a new address, key or header requires a new test, and a new name or price does not', () => {
  const anew = (change: (form: ProviderForm) => void): boolean => {
    const form = ProviderForm.of(config);
    change(form);
    return form.needsNewTest;
  };
  expect([
    ProviderForm.begin(null).needsNewTest,
    anew((form) => (form.baseUrl = 'http://localhost:2/v1')),
    anew((form) => (form.key = 'new')),
    anew((form) => (form.forgetsKey = true)),
    anew((form) => (form.headers = [{ name: 'X-Team', value: 'b' }])),
    anew((form) => (form.headers = [])),
  ]).toEqual(Array<boolean>(6).fill(true));
  expect([
    anew(() => undefined),
    anew((form) => (form.name = 'Ours')),
    anew((form) => (form.facts = 'a cheap')),
  ]).toEqual([false, false, false]);
});

test('an invalid price is reported, and nothing is saved', async () => {
  const providers = fakeProviders();
  const form = ProviderForm.of(config);
  form.facts = 'a cheap';
  expect(await form.save(providers)).toBe(null);
  expect(form.fault?.message).toBe('“a cheap” contains neither a price nor a context size.');
  expect(providers.seen).toEqual([]);
});

test('a stored key stays if none is typed, and is removed on request', () => {
  const form = ProviderForm.of(config);
  expect([form.draft.key, form.draft.keep]).toEqual([null, 'visit']);
  form.forgetsKey = true;
  expect(form.draft.key).toBe('');
  form.key = 'new';
  expect(form.draft.key).toBe('new');
});

test('a stored header keeps its value if none is typed, except for another address', () => {
  const form = ProviderForm.of(config);
  const has = () => ['x-team', ' X-Team ', 'X-New', ''].map((name) => form.hasValueOf(name));
  expect(has()).toEqual([true, true, false, false]);
  form.baseUrl = 'http://localhost:2/v1';
  expect(has()).toEqual([false, false, false, false]);
});

test('an error of saving is shown, and the form stays open', async () => {
  const form = ProviderForm.of(config);
  const refuse = () => Promise.reject(new ToolError('bad-input', 'No address.', 'Mend it.'));
  expect(await form.save({ add: refuse, change: refuse })).toBe(null);
  expect(form.fault).toEqual({ message: 'No address.', hint: 'Mend it.' });
  expect([form.name, form.saving]).toEqual(['Mine', false]);
});

test('published values are offered for editing, after what the user has entered', () => {
  const published = { by: 'OpenAI', read: '2026-11-18' };
  const price = { input: 2, cached: 0.1, output: 10, published };
  const model = (id: string, more: object) => ({
    ref: { provider: 'p', model: id },
    label: id,
    images: null,
    price: null,
    context: null,
    ...more,
  });
  const openai: ProviderConfig = {
    id: 'p',
    kind: 'openai-responses',
    name: 'OpenAI',
    baseUrl: '',
    headers: [],
    byHand: [],
    listedAt: null,
    key: 'kept',
    facts: [{ model: 'mine', price: { input: 1, cached: 1, output: 2 }, context: null }],
    models: [model('sol', { price, context: 1_050_000 }), model('other', {})],
    publisher: { name: 'OpenAI', read: '2026-11-18', sources: ['https://example.org/prices'] },
  };
  const form = ProviderForm.of(openai);
  expect(form.publisher?.name).toBe('OpenAI');
  expect(form.published).toBe('mine 1 2\nsol 2 10 0.1 1050k');
  form.facts = form.published;
  expect(form.draft.facts?.[1]).toEqual({
    model: 'sol',
    price: { input: 2, cached: 0.1, output: 10 },
    context: 1_050_000,
  });
  // Published prices belong to the company's own address.
  form.baseUrl = 'https://proxy.example.org/v1';
  expect(form.publisher).toBeNull();
  expect(ProviderForm.begin(null).publisher).toBeNull();
});
