import { expect, test } from 'vitest';
import { applyEvalEvent, noEvalUsage, type EvalFact, type EvalState } from './eval-record.ts';
import {
  figuresOf,
  findMissedThresholds,
  ratesOfTool,
  rateText,
  computeWilsonInterval,
} from './figures.ts';

test('the interval is the one of Wilson', () => {
  const [low, high] = computeWilsonInterval(8, 10);
  expect(low).toBeCloseTo(0.4901625, 6);
  expect(high).toBeCloseTo(0.9433178, 6);
  expect(computeWilsonInterval(0, 3)[0]).toBeCloseTo(0, 12);
  expect(computeWilsonInterval(3, 3)[1]).toBeCloseTo(1, 12);
});

// Method 3 of table I in R. G. Newcombe, Two-sided confidence intervals for the single proportion (1998).
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('the interval of %i of %i is the published one', (passed, total, low, high) => {
  const found = computeWilsonInterval(passed, total);
  expect(found[0]).toBeCloseTo(low, 4);
  expect(found[1]).toBeCloseTo(high, 4);
});

function stateOf(...ends: ('passed' | 'failed' | 'error')[]): EvalState {
  const facts: EvalFact[] = [
    {
      type: 'created',
      file: 'evals/a.yaml',
      fileHash: '',
      toolsHash: '',
      folder: 'f',
      folderId: '',
      repeats: ends.length + 1,
      approvals: 'ask',
      evaluation: { name: 'a', threshold: 0.9, prompts: [{ text: 'Hi' }] },
      models: [{ ref: { provider: 'p', model: 'm' }, name: 'P/m' }],
      limits: { requests: 10, tokens: 10, cost: null },
    },
    ...ends.map((end, n): EvalFact => ({
      type: 'trial-ended',
      trial: `0.0.${n}`,
      end,
      reasons: [],
      answer: '',
      usage: { requests: 2, calls: 1, tokens: 10, cost: null },
      ms: n + 1,
    })),
  ];
  let state: EvalState | null = null;
  for (const [n, fact] of facts.entries())
    state = applyEvalEvent('r', state, { ...fact, n, at: n });
  if (state === null) throw new Error('no state');
  return state;
}

test('errors are counted apart, and trials that are left do not count', () => {
  const figures = figuresOf(stateOf('passed', 'failed', 'error').trials.values());
  expect(figures).toMatchObject({
    passed: 1,
    failed: 1,
    errors: 1,
    waiting: 1,
    rate: 0.5,
    ms: 1,
    usage: { requests: 6, calls: 3, tokens: 30, cost: null },
  });
  expect(rateText({ rate: null, interval: null })).toBe('–');
});

test('a threshold is missed below it', () => {
  expect(findMissedThresholds(stateOf('passed', 'passed'))).toEqual([]);
  expect(findMissedThresholds(stateOf('passed', 'failed'))).toEqual([
    'P/m: 50 % (9–91), at least 90 % expected',
  ]);
});

test('the rate of a tool is that of the prompts that expect it, in the newest run of each file that has any', () => {
  const prompts = [
    { text: 'a', expect: { calls: { must: ['m:f'] } } },
    { text: 'b', expect: { calls: { must: [{ tool: 'm:g', includes: {} }] } } },
  ];
  const run = (file: string, ...phases: readonly (readonly [number, string])[]) =>
    ({
      file,
      evaluation: { name: file, prompts },
      trials: new Map(
        phases.map(([prompt, phase], key) => [
          String(key),
          { prompt, phase, version: 0, usage: noEvalUsage, ms: 1 },
        ]),
      ),
    }) as unknown as EvalState;
  const runs = [
    run('a', [0, 'waiting'], [1, 'failed']),
    run('a', [0, 'passed'], [0, 'failed'], [1, 'failed']),
    run('a', [0, 'failed']),
    run('b', [0, 'passed']),
  ];
  const rates = (tool: string) =>
    ratesOfTool(runs, tool).map(({ run: { file }, figures }) => [file, figures.rate]);
  expect(rates('m:f')).toEqual([
    ['a', 0.5],
    ['b', 1],
  ]);
  expect(rates('m:g')).toEqual([['a', 0]]);
  expect(rates('m:h')).toEqual([]);
});
