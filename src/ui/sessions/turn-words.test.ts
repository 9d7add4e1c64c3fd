import { expect, test } from 'vitest';
import { nextTry, phaseWords } from './turn-words.ts';

const about = { model: 'Large', tool: () => 'count', asking: false, elsewhere: false };
const message = 'Mine wants fewer requests (429).';
const fault = { fault: 'rate-limit' as const, message };

test('why the next try waits, and how long, are told apart: one is cut before the other', () => {
  const waiting = { fault, until: 10_000, attempt: 1 };
  expect([
    phaseWords({ phase: 'waiting', waiting, paused: null }, about),
    nextTry(10_000, 1_100),
    nextTry(10_000, 12_000),
  ]).toEqual(['Mine wants fewer requests (429)', 'Retrying in 9 s', 'Retrying in 0 s']);
});

test('each phase has its words', () => {
  const phases = ['idle', 'asking', 'streaming', 'calling', 'compacting', 'paused'] as const;
  const reported = phases.map((phase) => phaseWords({ phase, waiting: null, paused: null }, about));
  expect(reported).toEqual([
    '',
    'Waiting for Large',
    'Receiving an answer from Large',
    'Running tools',
    'Summarising earlier messages',
    'Paused before the next request to Large',
  ]);
});
