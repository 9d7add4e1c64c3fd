import { expect, test } from 'vitest';
import type { Entry } from '../../../../agent/session/session-state.ts';
import { step } from '../sessions.fixture.ts';
import { describeSummary } from './entry-text.ts';

function message(n: number, text: string): Entry {
  const parts = [{ type: 'text', text } as const];
  return { n, at: n, kind: 'message', id: `m${n}`, turnId: `t${n}`, parts, steering: false };
}

test('a summary is named by the first message after it, in one line', () => {
  const long = `${'😀'.repeat(70)}\nand more`;
  const entries = [message(1, 'One'), step(2, [], 't1'), message(5, long), message(12, 'After')];
  expect([
    describeSummary(entries, { n: 9, before: 5 }),
    describeSummary([message(1, 'One'), message(5, 'Two\nmore')], { n: 9, before: 3 }),
  ]).toEqual([
    `Messages before “${'😀'.repeat(60)}…” were summarised for the model.`,
    'Messages before “Two” were summarised for the model.',
  ]);
});

test('a summary inside a long turn is named by its steps', () => {
  const entries = [message(1, 'One'), step(2, [], 't1'), step(5, [], 't1'), message(12, 'After')];
  expect([
    describeSummary(entries, { n: 9, before: 5 }),
    describeSummary(entries, { n: 9, before: 9 }),
  ]).toEqual([
    'Everything above except the last steps was summarised for the model.',
    'Everything above was summarised for the model.',
  ]);
});
