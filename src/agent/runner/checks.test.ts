/** A check that is wrong itself ends its task at once; one that a result does not pass lets it try again. */

import { expect, test } from 'vitest';
import { textResult } from '../../runtime/call/results.ts';
import { checkOutput, type CheckDeps } from './checks.ts';
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

async function checkedBy(
  check: { expression: string } | { call: string; expect: { expression: string } },
  reason: string,
): Promise<TaskState | undefined> {
  const deps: CheckDeps = {
    calls: { call: () => Promise.resolve(textResult('1')) },
    interpreters: { judge: () => Promise.resolve([reason]) },
    runTests: () => Promise.resolve([]),
    ask: () => {
      throw new Error('No model is asked.');
    },
    cost: () => null,
    newId: () => 'c',
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
