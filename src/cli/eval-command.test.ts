import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runEvals, type EvalRequest } from './eval-command.ts';

const figures = { rate: 0.5, interval: [0.25, 0.75] };
const result = {
  name: 'Sums',
  file: 'evals/sums.yaml',
  state: 'done',
  reason: '',
  missed: [],
  models: [
    {
      model: 'p/m',
      passed: 1,
      failed: 1,
      errors: 0,
      ...figures,
      requests: 4,
      tokens: 30,
      cost: null,
    },
  ],
  versions: [
    { name: 'As it is', chosenBy: figures, heldOut: figures, tokens: 15, requests: 2 },
    {
      name: 'Shorter',
      chosenBy: { rate: null, interval: null },
      heldOut: figures,
      tokens: null,
      requests: null,
    },
  ],
  verdict: { words: 'This run does not say which version is better.' },
};
const request: EvalRequest = {
  folder: '/tools',
  file: null,
  only: '',
  json: undefined,
  model: {
    kind: 'openai-compatible',
    provider: 'p',
    baseUrl: 'http://localhost',
    model: 'm',
    key: '',
  },
  repeats: undefined,
  limits: {},
};

test('versions are printed below the models, with what can be said about them', async () => {
  const answers: Readonly<Record<string, unknown>> = {
    addModel: { price: null },
    evaluations: [{ path: 'evals/sums.yaml', problems: [] }],
    evaluate: JSON.stringify(result),
  };
  const printed: string[] = [];
  const page = { ask: (what: string) => Promise.resolve(answers[what]) };
  const code = await runEvals(
    page as never,
    request,
    (line) => printed.push(line),
    () => undefined,
  );
  expect([code, printed]).toEqual([
    0,
    [
      '\nSums (evals/sums.yaml): done',
      '  p/m: 50 % (95 %: 25 % to 75 %), 1 passed, 1 failed, 0 errors, 4 requests, 30 tokens, cost unknown',
      '  As it is: 50 % (95 %: 25 % to 75 %) in the first half, 50 % (95 %: 25 % to 75 %) held out, 15.0 tokens, 2.0 requests a trial',
      '  Shorter: no rate in the first half, 50 % (95 %: 25 % to 75 %) held out, unknown tokens, unknown requests a trial',
      '  This run does not say which version is better.',
    ],
  ]);
});

test('if an evaluation fails, the results of those before it are printed and written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cloche-eval-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const json = join(folder, 'results.json');
  const paths = ['evals/a.yaml', 'evals/b.yaml'];
  const page = {
    ask: (what: string, { path = '' } = {}) => {
      if (what === 'addModel') return Promise.resolve({ price: null });
      if (what === 'evaluations')
        return Promise.resolve(paths.map((one) => ({ path: one, problems: [] })));
      return path === paths[0]
        ? Promise.resolve(JSON.stringify(result))
        : Promise.reject(new Error('The page has crashed.'));
    },
  };
  const printed: string[] = [];
  await expect(
    runEvals(
      page as never,
      { ...request, json },
      (line) => printed.push(line),
      () => undefined,
    ),
  ).rejects.toThrow('The page has crashed.');
  expect(printed[0]).toBe('\nSums (evals/sums.yaml): done');
  expect(JSON.parse(await readFile(json, 'utf8'))).toEqual([result]);
});
