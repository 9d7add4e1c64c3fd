import { expect, test, vi } from 'vitest';
import type { ModelInfo, ModelRef } from '../../runtime/spec/model.ts';
import type { SessionHead } from '../../runtime/spec/session.ts';
import { DefaultModel } from './default-model.ts';
import type { ProviderConfig } from './provider-types.ts';

const provider = (id: string, models: readonly string[], more: Partial<ProviderConfig> = {}) =>
  ({
    id,
    kind: 'anthropic',
    name: id,
    baseUrl: '',
    headers: [],
    byHand: [],
    ...more,
    listedAt: null,
    key: 'none',
    models: models.map((model) => ({ ref: { provider: id, model } }) as ModelInfo),
  }) as ProviderConfig;
const used = (model: ModelRef | null, run?: string) =>
  ({ model, ...(run !== undefined && { run }) }) as SessionHead;

function open(providers: readonly ProviderConfig[], sessions: readonly SessionHead[] = []) {
  const loaded = Promise.resolve();
  return new DefaultModel(
    { list: () => [...sessions], loaded },
    { list: () => providers, observe: () => () => undefined, loaded },
  );
}

async function current(...given: Parameters<typeof open>): Promise<ModelRef | null> {
  const opened = open(...given);
  await opened.loaded;
  return opened.current;
}

test('the default is the model of the latest session whose provider still exists', async () => {
  const providers = [provider('a', ['first', 'second']), provider('b', ['third'])];
  const third = { provider: 'b', model: 'third' };
  expect(await current(providers, [used(null), used(third)])).toEqual(third);
  const gone = { provider: 'removed', model: 'old' };
  expect(await current(providers, [used(gone), used(third)])).toEqual(third);
});

test('models of sub-agents and recordings do not become the default', async () => {
  const providers = [provider('a', ['first']), provider('replay', ['r'], { kind: 'replay' })];
  const first = { provider: 'a', model: 'first' };
  const other = { provider: 'a', model: 'of-a-task' };
  expect(await current(providers, [used(other, 'run-1')])).toEqual(first);
  expect(await current(providers, [used({ provider: 'replay', model: 'r' })])).toEqual(first);
});

test('the models of the browser and of extensions are used only after the user has chosen them', async () => {
  const own = provider('browser', ['nano'], { kind: 'browser' });
  const extended = provider('x', ['y'], { from: { extension: 'e', file: 'e.py' } });
  expect(await current([own, extended])).toBeNull();
  expect(await current([own, extended, provider('a', ['first'])])).toEqual({
    provider: 'a',
    model: 'first',
  });
  const chosen = { provider: 'x', model: 'y' };
  expect(await current([own, extended], [used(chosen)])).toEqual(chosen);
});

test('there is no default until sessions and providers have loaded, and listeners are called then', async () => {
  const opened = open([provider('a', ['first'])]);
  const listener = vi.fn();
  opened.observe(listener);
  expect(opened.current).toBeNull();
  expect(listener).not.toHaveBeenCalled();
  await opened.loaded;
  await Promise.resolve();
  expect(opened.current).not.toBeNull();
  expect(listener).toHaveBeenCalledTimes(1);
});
