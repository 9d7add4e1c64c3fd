/** The evaluations and models that a page offers, and what a run of an evaluation begins with. */

import { expect, test } from 'vitest';
import { replayProvider } from '../../runtime/spec/recording.ts';
import { Evals, type EvalsDeps } from './evals.ts';

const evaluation = { name: 'a', prompts: [{ text: 'one' }] };
const file = { path: 'evals/a.yaml', hash: 'h', evaluation, problems: [] };
const modelOf = (provider: string) => [{ ref: { provider, model: 'large' }, price: null }];
const chosen = {
  ...({ models: [], approvals: 'ask', repeats: undefined } as const),
  limits: { requests: 0, tokens: 0, cost: null },
};

/** Evaluations of the folder `tools`, whose runs are stored but cannot be held, so that they do not begin. */
function setup() {
  const order: string[] = [];
  const stored: Record<string, unknown>[] = [];
  const reference = { folder: 'tools', folderId: 'f' };
  const deps = {
    yaml: { planText: (value: unknown) => Promise.resolve(JSON.stringify(value)) },
    registry: { list: () => [{ name: 'm:f', hash: '1' }] },
    folder: { settled: () => Promise.resolve(order.push('settled')) },
    currentFolder: {
      reference,
      get current() {
        order.push('current');
        return null;
      },
    },
    providers: {
      loaded: Promise.resolve(),
      list: () => [
        { id: 'mine', name: 'Mine', models: modelOf('mine') },
        { id: replayProvider, name: 'Recording', models: modelOf(replayProvider) },
      ],
    },
    stored: { events: () => Promise.reject(new Error('There is no such session.')) },
    store: {
      load: () => Promise.resolve(new Map()),
      append: (_: string, __: number, event: string) =>
        Promise.resolve(stored.push(JSON.parse(event) as Record<string, unknown>)),
    },
    hold: () => Promise.resolve(null),
    newId: () => 'run',
    announce: () => undefined,
    observeOthers: () => undefined,
    after: () => () => undefined,
    now: () => 0,
    report: () => undefined,
  };
  return { evals: new Evals(deps as unknown as EvalsDeps), order, stored };
}

test('files are listed once the folder is read; none without a folder', async () => {
  const { evals, order } = setup();
  expect(await evals.files()).toEqual([]);
  expect(order).toEqual(['settled', 'current']);
});

test('models of recordings cannot be tried', async () => {
  const { evals } = setup();
  const ref = { provider: 'mine', model: 'large' };
  expect(await evals.models()).toEqual([{ ref, name: 'Mine/large', price: null }]);
  expect(evals.modelNamed('Mine/large')).toEqual({ ref, name: 'Mine/large' });
  expect(() => evals.modelNamed('Recording/large')).toThrow('There is no model');
});

test('an evaluation with problems is not run, and nothing is stored', async () => {
  const { evals, stored } = setup();
  const started = evals.start({ ...file, evaluation: null }, chosen);
  await expect(started).rejects.toThrow('evals/a.yaml has problems.');
  expect(stored).toEqual([]);
});

test.each([
  [{}, undefined, 1],
  [{ repeats: 2 }, undefined, 2],
  [{ repeats: 2 }, 5, 5],
])(
  'a run of an evaluation with %j, started with %s repeats, has %i',
  async (own, given, expected) => {
    const { evals, stored } = setup();
    const of = { ...file, evaluation: { ...evaluation, ...own } };
    await evals.start(of, { ...chosen, repeats: given }).catch(() => undefined);
    expect(stored[0]).toMatchObject({
      type: 'created',
      file: 'evals/a.yaml',
      fileHash: 'h',
      repeats: expected,
      folder: 'tools',
      folderId: 'f',
      approvals: 'ask',
      toolsHash: expect.stringMatching(/./) as string,
    });
  },
);

test('an evaluation is not made from a session that cannot be read', async () => {
  const { evals } = setup();
  await expect(evals.fromSession('s', null)).rejects.toThrow('no such session');
});

test('another description is compared with the one in the file', async () => {
  const { evals } = setup();
  const prompts = [{ text: 'one' }, { text: 'two' }];
  const { name, text } = await evals.compareDescriptions('m:f', 'Other words.', prompts);
  expect([name, JSON.parse(text)]).toEqual([
    'm-f-descriptions',
    {
      name: 'Descriptions of m:f',
      repeats: 3,
      versions: [
        { name: 'As it is' },
        { name: 'New description', tools: { 'm:f': { description: 'Other words.' } } },
      ],
      prompts,
    },
  ]);
});
