import { expect, test } from 'vitest';
import { parameterDescription } from './schema-of.ts';
import { threadMs } from '../../../../tests/support/thread-time.ts';

const from = (docstring: string) => ({ name: 'f', parameters: [], docstring });

test.each([
  ['place: Where.', 'place', 'Where.'],
  [':param str place: Where.', 'place', 'Where.'],
  ['place : str\n    Where.', 'place', 'Where.'],
  ['a.b(: Where.', 'a.b(', 'Where.'],
  ['axb(: Where.', 'a.b(', ''],
  ['$1+: Where.', '$1+', 'Where.'],
])(
  'a docstring describes a parameter by its name, whatever characters that has: %j',
  (text, name, said) => {
    expect(parameterDescription(from(text), name)).toBe(said);
  },
);

test('neither a name nor a long line makes the search slow', () => {
  const start = threadMs();
  const lines = `${'a'.repeat(40)}!\nplace${' '.repeat(190_000)}x`;
  expect(parameterDescription(from(lines), '(a+)+')).toBe('');
  expect(parameterDescription(from(lines), 'place')).toBe('');
  expect(threadMs() - start).toBeLessThan(2_000);
});
