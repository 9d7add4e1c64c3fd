import { expect, test } from 'vitest';
import { noUsage } from '../../../agent/session/usage.ts';
import { formatMoney, formatTokens, usageWords } from './usage-words.ts';

test('token counts are short', () => {
  expect([0, 999, 1_000, 9_949, 9_950, 999_499, 999_500, 2_000_000].map(formatTokens)).toEqual([
    '0',
    '999',
    '1.0k',
    '9.9k',
    '10k',
    '999k',
    '1.0M',
    '2.0M',
  ]);
});

test('costs have as many digits as matter', () => {
  expect([0, 0.00001, 0.0008, 0.034, 1.2].map(formatMoney)).toEqual([
    '$0',
    'under $0.0001',
    '$0.0008',
    '$0.034',
    '$1.20',
  ]);
});

test('unknown values are left out', () => {
  expect(usageWords(noUsage)).toBe('');
  expect(usageWords({ ...noUsage, output: 12 })).toBe('12 out tokens');
  expect(usageWords({ input: 2_000, cached: 500, output: 40, reasoning: 10 })).toBe(
    '2.0k in (500 cached), 40 out (10 reasoning) tokens',
  );
});
