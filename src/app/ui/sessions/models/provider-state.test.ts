import { expect, test } from 'vitest';
import type { ModelFault } from '../../../../runtime/spec/model-error.ts';
import { providerState } from './provider-state.ts';

const model = {
  ref: { provider: 'p', model: 'm' },
  label: 'm',
  context: null,
  images: null,
  price: null,
};
const local: Parameters<typeof providerState>[0] = {
  kind: 'openai-compatible',
  baseUrl: 'http://localhost:1/v1',
  key: 'none',
  models: [model],
  listedAt: 1,
};

test('a provider is ready once its models are known, and says when it has none', () => {
  expect(providerState(local, undefined)).toEqual({ is: 'ready', words: 'Ready: 1 model' });
  expect(providerState({ ...local, models: [], listedAt: null }, undefined).words).toBe(
    'Not checked yet',
  );
  expect(providerState({ ...local, models: [] }, undefined).words).toBe('No models');
  const listing = { at: 'listing', since: 0 } as const;
  expect(providerState(local, listing)).toEqual({ is: 'checking', words: 'Checking' });
});

test('the model of the browser is ready only after a test', () => {
  const browser = { ...local, kind: 'browser', baseUrl: '', listedAt: null } as const;
  expect(providerState(browser, undefined)).toEqual({ is: 'unknown', words: 'Not checked yet' });
  const diagnosis = { ok: true, message: 'Hello.', ms: 1 };
  expect(providerState(browser, { at: 'tested', model: 'built-in', diagnosis }).is).toBe('ready');
});

test('a company needs a key, a server of the user does not', () => {
  const company = { ...local, kind: 'anthropic', baseUrl: '' } as const;
  expect(providerState(company, undefined)).toEqual({ is: 'problem', words: 'No key' });
  expect(providerState({ ...company, key: 'kept' }, undefined).is).toBe('ready');
  expect(providerState({ ...company, baseUrl: 'http://proxy/v1' }, undefined).is).toBe('ready');
});

test.each([
  ['cors', 'Not reachable: it does not allow this page (CORS)'],
  ['network', 'Not reachable, or it does not allow this page (CORS)'],
  ['key', 'The key was not accepted'],
  ['answer', 'The last check failed'],
  [undefined, 'The last check failed'],
] as const)('the last check failed with %s', (of: ModelFault | undefined, words) => {
  const fault = { message: 'No.', hint: '', ...(of && { of }) };
  const diagnosis = { ok: false, message: 'No.', ms: 1, ...(of && { fault: of }) };
  expect(providerState(local, { at: 'failed', fault })).toEqual({ is: 'problem', words });
  expect(providerState(local, { at: 'tested', model: 'm', diagnosis })).toEqual({
    is: 'problem',
    words,
  });
});
