/** Judging a saved test in the interpreter of its session. */

import { expect, test } from 'vitest';
import { ToolError } from '../spec/error.ts';
import { FakePool } from './python.fixture.ts';

const never = new AbortController().signal;

test('a comparison that takes too long ends its interpreter, and the next one gets another', async () => {
  const fake = new FakePool();
  const judge = () => fake.pool.judge(never, 's', '{}', '{}');
  expect(await judge()).toEqual([]);
  const [first] = fake.alive.filter(({ name }) => name === 'python-1');
  if (first === undefined) throw new Error('There is no interpreter.');
  first.verdict = Promise.reject(new ToolError('timeout', 'It took too long'));
  await expect(judge()).rejects.toThrow('It took too long');
  expect(await judge()).toEqual([]);
  expect(first.alive).toBe(false);
  fake.pool.dispose();
});
