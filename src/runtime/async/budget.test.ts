import { expect, test } from 'vitest';
import { Budget } from './budget.ts';

test('a budget is spent when more is taken than it has', () => {
  const budget = new Budget(3);
  expect([budget.take(), budget.take(2), budget.isSpent]).toEqual([true, true, false]);
  expect([budget.take(), budget.isSpent, budget.take(0)]).toEqual([false, true, false]);
});
