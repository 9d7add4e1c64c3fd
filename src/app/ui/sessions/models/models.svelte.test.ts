import { expect, test } from 'vitest';
import { ModelError } from '../../../../runtime/spec/model-error.ts';
import { Models } from './models.svelte.ts';
import { config, fakeProviders, gpt } from '../providers.fixture.ts';

function connected(providers = fakeProviders([config])) {
  const models = new Models();
  models.connect(providers);
  return models;
}

test('models are found by their words and those of their provider', () => {
  const models = connected();
  const found = (query: string) =>
    models.groups(query).flatMap(({ models: all }) => all.map(({ label }) => label));
  expect([found('openai'), found('mini gpt'), found('nothing')]).toEqual([
    ['GPT X', 'GPT X mini'],
    ['GPT X mini'],
    [],
  ]);
});

test('the name of an unknown model is its id', () => {
  const models = connected(fakeProviders([]));
  expect([models.label(gpt), models.any]).toEqual(['gpt-x', false]);
});

test('a session that plays a recording has the recording as its model', () => {
  expect(connected().label({ provider: 'replay', model: 'What to wear in Oslo' })).toBe(
    'Recording',
  );
});

test('a running test is shown, and then its result', async () => {
  const models = connected();
  const tested = models.test(gpt);
  expect(models.trial('p1')).toMatchObject({ at: 'testing', model: 'gpt-x' });
  await tested;
  expect(models.trial('p1')).toEqual({
    at: 'tested',
    model: 'gpt-x',
    diagnosis: { ok: true, message: 'Hello.', ms: 812 },
  });
});

test('models that cannot be listed are shown with the reason', async () => {
  const refuse = () =>
    Promise.reject(new ModelError('cors', 'It does not let pages ask.', 'Allow this address.'));
  const models = connected({ ...fakeProviders([config]), sync: refuse });
  await models.sync('p1');
  expect(models.trial('p1')).toEqual({
    at: 'failed',
    fault: { message: 'It does not let pages ask.', hint: 'Allow this address.', of: 'cors' },
  });
});

test('a stopped test shows no result', async () => {
  const models = connected();
  const tested = models.test(gpt);
  models.stop('p1');
  await tested;
  expect(models.trial('p1')).toBe(undefined);
});
