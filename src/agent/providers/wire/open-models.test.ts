import { expect, test } from 'vitest';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import { accessTo } from './endpoint.fixture.ts';
import type { Adapter, SdkFetch } from './adapter.ts';
import { OpenModels } from './open-models.ts';

const access = accessTo('openai-compatible', 'http://localhost:1');

function bench() {
  const opened: string[] = [];
  const fetches: SdkFetch[] = [];
  const open = (_: unknown, model: string, fetch: SdkFetch): LanguageModelV3 => {
    opened.push(model);
    fetches.push(fetch);
    return { modelId: model } as LanguageModelV3;
  };
  return { opened, fetches, adapter: { open } as unknown as Adapter };
}

/** A `fetch` that answers with a name. */
function answering(name: string): SdkFetch {
  return () => Promise.resolve(new Response(name));
}

test('the requests of a session open their model once, and each sends its own request', async () => {
  const { adapter, fetches, opened } = bench();
  const models = new OpenModels();
  const answers: string[] = [];
  for (const name of ['a', 'b', 'c'])
    await models.with(adapter, access, 'large', answering(name), async () => {
      answers.push(await (await fetches[0]!('http://localhost:1')).text());
    });
  expect([opened, answers]).toEqual([['large'], ['a', 'b', 'c']]);
  await expect(fetches[0]!('http://localhost:1')).rejects.toThrow('its model was not in use');
});

test('requests at the same time, of other models and with other keys have models of their own', async () => {
  const { adapter, opened } = bench();
  const models = new OpenModels();
  const nested = (name: string, key: string): Promise<void> =>
    models.with(adapter, { ...access, key }, name, answering(''), () => Promise.resolve());
  await models.with(adapter, access, 'large', answering(''), () => nested('large', access.key));
  expect(opened).toEqual(['large', 'large']);
  await nested('small', access.key);
  await nested('large', 'sk-other');
  expect(opened).toEqual(['large', 'large', 'small', 'large']);
});

test('a model is given back after a failure, and only a few are kept', async () => {
  const { adapter, opened } = bench();
  const models = new OpenModels();
  const use = (name: string): Promise<void> =>
    models.with(adapter, access, name, answering(''), () => Promise.reject(new Error('no')));
  for (const name of ['a', 'a']) await expect(use(name)).rejects.toThrow('no');
  expect(opened).toEqual(['a']);
  for (let n = 0; n < 8; n += 1) await use(`m${n}`).catch(() => undefined);
  await use('a').catch(() => undefined);
  expect(opened.filter((name) => name === 'a')).toHaveLength(2);
});
