import { expect, test } from 'vitest';
import { nextTry, phaseWords } from './turn-words.ts';

const about = { model: 'Large', tool: () => 'count', asking: false, elsewhere: false };
const message = 'Mine wants fewer requests (429).';
const fault = { fault: 'rate-limit' as const, message };

test('the reason and the time of a retry are separate, since one is cut before the other', () => {
  const waiting = { fault, until: 10_000, attempt: 1 };
  expect([
    phaseWords({ phase: 'waiting', waiting, paused: null }, about),
    nextTry(10_000, 1_100),
    nextTry(10_000, 12_000),
  ]).toEqual(['Mine wants fewer requests (429)', 'Retrying in 9 s', 'Retrying in 0 s']);
});

test('each phase is described', () => {
  const phases = ['idle', 'asking', 'streaming', 'calling', 'compacting', 'paused'] as const;
  const words = phases.map((phase) => phaseWords({ phase, waiting: null, paused: null }, about));
  expect(words).toEqual([
    '',
    'Waiting for Large',
    'Receiving an answer from Large',
    'Running tools',
    'Summarising earlier messages',
    'Paused before the next request to Large',
  ]);
});
