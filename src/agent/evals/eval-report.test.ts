/** Results of a run as files. */

import { expect, test } from 'vitest';
import type { Evaluation } from '../../runtime/spec/evaluation.ts';
import { applyEvalEvent, type EvalFact, type EvalState } from './eval-record.ts';
import { evalJson, evalMarkdown } from './eval-report.ts';
import { differenceText } from './version-words.ts';

const usage = { requests: 2, calls: 1, tokens: 30, cost: 0.25 };

function stateOf(versions?: Evaluation['versions']): EvalState {
  const facts: EvalFact[] = [
    {
      type: 'created',
      file: 'evals/a.yaml',
      fileHash: 'f'.repeat(64),
      toolsHash: 't'.repeat(64),
      folder: 'tools',
      folderId: '',
      repeats: 2,
      approvals: 'ask',
      evaluation: {
        name: 'Sums | <b>bold</b>',
        threshold: 0.9,
        ...(versions === undefined ? {} : { versions }),
        prompts: [{ name: 'One | two', text: 'x' }, { text: 'Second\nprompt' }],
      },
      models: [
        { ref: { provider: 'p', model: 'a' }, name: 'P/a' },
        { ref: { provider: 'p', model: 'b' }, name: 'P/b' },
      ],
      limits: { requests: 10, tokens: 10, cost: null },
    },
    trial('0.0.0', 'passed'),
    trial('0.0.1', 'failed', [{ text: 'the answer does not contain “5”', judged: false }]),
    trial('1.0.0', 'failed', [{ text: 'It is not polite.', judged: true }]),
    trial('0.1.0', 'error', [{ text: 'P could not be reached', judged: false }]),
    { type: 'ended', end: 'stopped', reason: 'You stopped the run.' },
  ];
  let state: EvalState | null = null;
  for (const [n, fact] of facts.entries())
    state = applyEvalEvent('r', state, { ...fact, n, at: n });
  if (state === null) throw new Error('no state');
  return state;
}

function trial(
  key: string,
  end: 'passed' | 'failed' | 'error',
  reasons: readonly { text: string; judged: boolean }[] = [],
): EvalFact {
  return { type: 'trial-ended', trial: key, end, reasons, answer: 'Well.', usage, ms: 7 };
}

test('the JSON has the figures of each model and prompt, and each trial', () => {
  const read = JSON.parse(evalJson(stateOf())) as {
    models: { prompts: { trials: unknown[] }[] }[];
  };
  expect(read).toMatchObject({
    format: 'cloche-evaluation-results',
    version: 1,
    state: 'stopped',
    missed: ['P/a: 33 % (6–79), at least 90 % expected', 'P/b: –, at least 90 % expected'],
    models: [
      { model: 'P/a', passed: 1, failed: 2, errors: 0, waiting: 1, requests: 6, cost: 0.75 },
      { model: 'P/b', passed: 0, errors: 1, waiting: 3, rate: null, interval: null },
    ],
  });
  expect(read.models[0]?.prompts[1]?.trials[0]).toEqual({
    state: 'failed',
    answer: 'Well.',
    ...usage,
    ms: 7,
    reasons: [{ text: 'It is not polite.', judged: true }],
  });
  expect(evalJson(stateOf())).toBe(evalJson(stateOf()));
});

test('the Markdown has a table of models, marks what a model has judged, and shows names as text', () => {
  const text = evalMarkdown(stateOf());
  expect(text).toContain('| Prompt | P/a | P/b |');
  expect(text).toContain('| **All** | 33 % (6–79) | – |');
  expect(text).toContain('| One \\| two | 50 % (9–91) | – |');
  expect(text).toContain('- (by a model) It is not polite.');
  expect(text).toContain('- the answer does not contain “5”');
  expect(text).toContain('P/a: 6 requests, 3 calls, 90 tokens, $0.7500, 0 errors.');
  expect(text).toContain('- State: stopped. You stopped the run.');
});

test('versions are compared in both, and none is named without a reason', () => {
  const state = stateOf([{ name: 'As it is' }, { name: 'Short | er' }]);
  const words = 'The run has not finished, so the versions cannot be compared yet.';
  expect(JSON.parse(evalJson(state))).toMatchObject({
    verdict: { at: 'running', words },
    versions: [
      { name: 'As it is', than: null },
      { name: 'Short | er', than: {} },
    ],
  });
  const text = evalMarkdown({ ...state, phase: 'done' });
  expect(text).toContain('Use at least 8 prompts');
  expect(text).toContain('| Version | First half | Held out |');
  expect(text).toContain('| Short \\| er | – | – |');
});

test('differences are written with their interval', () => {
  const of = (value: number, interval: [number, number] | null) => ({ value, interval });
  expect(differenceText(of(0.12, [0.031, 0.209]), 'points')).toBe('+12 (3 to 21) points');
  expect(differenceText(of(-0.001, [-0.2, 0.2]), 'points')).toBe('0 (-20 to 20) points');
  expect(differenceText(of(-3.04, null), '')).toBe('-3.0');
  expect(differenceText(null, '')).toBe('–');
});
