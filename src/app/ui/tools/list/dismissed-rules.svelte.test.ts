import { expect, test } from 'vitest';
import { sampleProblem } from '../../../../../tests/support/ui-samples.ts';
import { DismissedRules } from './dismissed-rules.svelte.ts';

function memory() {
  const stored = new Map<string, string>();
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
}

const problems = [
  sampleProblem({ code: 'no-returns', severity: 'warning' }),
  sampleProblem({ code: 'no-returns', severity: 'error' }),
  sampleProblem({ code: 'unused-file', severity: 'warning' }),
];

test('warnings of a dismissed rule are hidden in this folder; errors are not', () => {
  const kept = memory();
  let folder: string | null = 'one';
  const rules = new DismissedRules(kept, () => folder);
  rules.dismiss('no-returns');
  expect(rules.without(problems)).toEqual(problems.slice(1));
  folder = 'two';
  expect(rules.without(problems)).toEqual(problems);
  const later = new DismissedRules(kept, () => 'one');
  expect(later.all).toEqual(['no-returns']);
  later.restore();
  expect(later.without(problems)).toEqual(problems);
});

test('nothing is dismissed where there is no folder or no storage', () => {
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  for (const rules of [
    new DismissedRules(memory(), () => null),
    new DismissedRules(null, () => 'one'),
    new DismissedRules(full, () => 'one'),
  ]) {
    rules.dismiss('no-returns');
    expect(rules.without(problems)).toEqual(problems);
  }
});
