/** A check that is wrong itself ends its task at once; one that a result does not pass lets it try again. */

import { expect, test } from 'vitest';
import { textResult } from '../../runtime/call/results.ts';
import { writeCompileOnly } from '../saved-tests/judged-outcome.ts';
import { checkOutput, failuresBefore, TaskEndError, type CheckDeps } from './task-checks.ts';
import { FakePage, task } from './plan-runs.fixture.ts';
import type { TaskState } from './run-record.ts';

const expression = 'result >';
const wrong = `invalid expression: ${expression} raised SyntaxError: invalid syntax`;

test('a task whose check is no valid Python fails without another attempt', async () => {
  const whole = await checkedBy({ expression }, wrong);
  expect(whole).toMatchObject({ phase: 'failed', attempt: 1, failures: [] });
  expect(whole?.reason).toBe(`The check is wrong, not the result: ${wrong}`);
  const ofCall = await checkedBy({ call: 'm:f', expect: { expression } }, wrong);
  expect(ofCall).toMatchObject({ phase: 'failed', attempt: 1, reason: whole?.reason });
});

test('an expression that is false lets its task try again, also if it quotes the message', async () => {
  const quoted = `expression: ${JSON.stringify(wrong)} is false, where result is 1`;
  const state = await checkedBy({ expression: JSON.stringify(wrong) }, quoted);
  expect(state).toMatchObject({ phase: 'failed', attempt: 2, failures: [quoted, quoted] });
});

test('an expression is compiled before its task begins, and a wrong one ends it without asking a model', async () => {
  const page = new FakePage();
  const order: string[] = [];
  page.before = ({ id }) => {
    order.push(`before ${id}`);
    return id === 'a' ? Promise.reject(new TaskEndError('failed', 'wrong')) : Promise.resolve([]);
  };
  page.behave = ({ id }) => {
    order.push(`work ${id}`);
    return { end: 'finished', output: '1' };
  };
  const check = { expression };
  const { id } = await page.start({
    parallel: 1,
    tasks: [
      task('a', [], { check }),
      task('b', [], { check: { call: 'm:f', expect: { expression: 'result' } } }),
      task('c', [], { check: { judge: 'Good.' } }),
    ],
  });
  const { tasks } = await page.ended(id);
  expect(order).toEqual(['before a', 'before b', 'work b', 'work c']);
  expect(tasks.get('a')).toMatchObject({ phase: 'failed', reason: 'wrong' });
  expect(page.stored(id).some(({ type }) => type === 'earlier-failures')).toBe(false);

  const { signal } = new AbortController();
  const asked: string[] = [];
  const reason = 'expression: … raised SyntaxError: invalid syntax, where result is ""';
  const deps = (reasons: readonly string[]): CheckDeps => ({
    ...noDeps,
    interpreters: {
      judge: (_, __, expect) => {
        asked.push(expect);
        return Promise.resolve(reasons);
      },
    },
  });
  const of = { task: 'a', session: 's' };
  expect(await failuresBefore(signal, check, of, deps([]))).toEqual([]);
  expect(asked.map((one) => JSON.parse(one) as unknown)).toEqual([
    { expression: writeCompileOnly('result >') },
  ]);
  await expect(failuresBefore(signal, check, of, deps([reason]))).rejects.toThrow(
    'The check is wrong, not the result: SyntaxError: invalid syntax',
  );
});

const noDeps: Omit<CheckDeps, 'interpreters'> = {
  calls: { call: () => Promise.resolve(textResult('1')) },
  runTests: () => Promise.resolve([]),
  ask: () => {
    throw new Error('No model is asked.');
  },
  cost: () => null,
  newId: () => 'c',
};

async function checkedBy(
  check: { expression: string } | { call: string; expect: { expression: string } },
  reason: string,
): Promise<TaskState | undefined> {
  const deps: CheckDeps = {
    ...noDeps,
    interpreters: { judge: () => Promise.resolve([reason]) },
  };
  const { signal } = new AbortController();
  const page = new FakePage();
  page.check = async (_, output) => {
    const checked = { task: 'a', session: 's', output, model: null, evidence: '' };
    return (await checkOutput(signal, check, checked, deps)).fault;
  };
  const { id } = await page.start({ tasks: [task('a', [], { check, retries: 5 })] });
  return (await page.ended(id)).tasks.get('a');
}
