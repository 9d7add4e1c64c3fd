import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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

/** Runs three evaluations, of which only the first ones succeed, with a file that has the results of an earlier run. */
async function runWithFile(succeed: number) {
  const folder = await mkdtemp(join(tmpdir(), 'cloche-eval-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const json = join(folder, 'results.json');
  await writeFile(json, '["earlier"]');
  const paths = ['evals/a.yaml', 'evals/b.yaml', 'evals/c.yaml'];
  const page = {
    ask: (what: string, { path = '' } = {}) => {
      if (what === 'addModel') return Promise.resolve({ price: null });
      if (what === 'evaluations')
        return Promise.resolve(paths.map((one) => ({ path: one, problems: [] })));
      return paths.indexOf(path) < succeed
        ? Promise.resolve(JSON.stringify(result))
        : Promise.reject(new Error('The page has crashed.'));
    },
  };
  const printed: string[] = [];
  const noted: string[] = [];
  const run = (): Promise<number> =>
    runEvals(
      page as never,
      { ...request, json },
      (line) => printed.push(line),
      (line) => noted.push(line),
    );
  const read = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));
  return { run, read, folder, json, partial: `${json}.partial`, printed, noted };
}

test('a run that ends replaces the results of an earlier one', async () => {
  const { run, read, folder, json } = await runWithFile(3);
  expect(await run()).toBe(0);
  expect([await read(json), await readdir(folder)]).toEqual([
    [result, result, result],
    ['results.json'],
  ]);
});

test('a run that fails keeps its results beside those of an earlier one', async () => {
  const { run, read, json, partial, printed, noted } = await runWithFile(2);
  await expect(run()).rejects.toThrow('The page has crashed.');
  expect(printed[0]).toBe('\nSums (evals/sums.yaml): done');
  expect(await read(json)).toEqual(['earlier']);
  expect(await read(partial)).toEqual([result, result]);
  expect(noted.at(-1)).toBe(`The results until then are in ${partial}.`);
});

test('a run that fails at once writes nothing', async () => {
  const { run, read, folder, json } = await runWithFile(0);
  await expect(run()).rejects.toThrow('The page has crashed.');
  expect([await read(json), await readdir(folder)]).toEqual([['earlier'], ['results.json']]);
});

test('results that cannot be written do not hide why a run failed', async () => {
  const { run, partial, noted } = await runWithFile(1);
  await mkdir(partial);
  await expect(run()).rejects.toThrow('The page has crashed.');
  expect(noted.at(-1)).toContain(`${partial} cannot be written: `);
});
