import { expect, test } from 'vitest';
import type { Plan, PlanTask } from '../../runtime/spec/plan.ts';
import { FakePage, task } from './plan-runs.fixture.ts';
import type { RunState } from './run-record.ts';

const limited = { calls: 5, tokens: 1_000, cost: 2, minutes: 3 };

test('a change that names no budgets keeps those of the tasks, and gives new tasks the smallest', async () => {
  const tasks = [task('a', [], { budget: limited }), task('b', ['a'], { budget: { calls: 2 } })];
  const { run, refusals } = await revised({ tasks }, [
    [task('a', [], { instructions: 'Do less' }), task('c'), task('b', ['c'])],
  ]);
  expect(refusals).toEqual([]);
  expect(budgets(run)).toEqual({ a: limited, b: { calls: 2 }, c: { ...limited, calls: 2 } });
});

test('a change may lower limits, but not raise or remove one', async () => {
  const a = { budget: limited, retries: 2 };
  const lower = { budget: { ...limited, calls: 4 }, retries: 0 };
  const { run, refusals } = await revised({ tasks: [task('a', [], a)] }, [
    [task('a', [], { budget: { ...limited, calls: 6, tokens: 1_001 }, retries: 2 })],
    [task('a', [], { budget: { calls: 5, tokens: 1_000 }, retries: 3 })],
    [task('a', [], lower)],
  ]);
  expect(refusals).toEqual([
    [
      'the budget of the task “a” must limit calls to at most 5',
      'the budget of the task “a” must limit tokens to at most 1000',
    ],
    [
      'the budget of the task “a” must limit cost to at most 2',
      'the budget of the task “a” must limit minutes to at most 3',
      'the task “a” must have “retries” of at most 2',
    ],
  ]);
  expect(run.plan.tasks).toEqual([task('a', [], lower)]);
});

test('a new name does not free a task from the limits of the plan’s tasks', async () => {
  const tasks = [task('a', [], { budget: limited, retries: 0 })];
  const { run, refusals } = await revised({ tasks }, [
    [task('anew', [], { budget: { ...limited, cost: 100 }, retries: 9 })],
    [task('anew', [], { budget: limited, retries: 0 })],
  ]);
  expect(refusals).toEqual([
    [
      'the budget of the task “anew” must limit cost to at most 2',
      'the task “anew” must have “retries” of at most 0',
    ],
  ]);
  expect(budgets(run)).toEqual({ anew: limited });
});

test('a budget of the plan limits new tasks by itself, but not in place of a task’s own', async () => {
  const plan = {
    budget: { calls: 100 },
    tasks: [task('a', [], { budget: { calls: 5 } }), task('b', ['a'])],
  };
  const { run, refusals } = await revised(plan, [
    [task('a'), task('c'), task('b', ['c'])],
    [task('a', [], { budget: { calls: 5 } }), task('c'), task('b', ['c'])],
  ]);
  expect(refusals).toEqual([['the budget of the task “a” must limit calls to at most 5']]);
  expect(budgets(run)).toEqual({ a: { calls: 5 }, b: undefined, c: undefined });
});

test('a change reads no workspace file that the plan did not read, whichever task reads it', async () => {
  const reads = (path: string) => ({ inputs: { text: { file: path } } });
  const plan = { tasks: [task('a', [], reads('known.txt'))] };
  const { run, refusals } = await revised(plan, [
    [task('a', [], reads('keys.txt'))],
    [task('b', [], { inputs: { a: { file: 'known.txt' }, b: { file: './known.txt' } } })],
    [task('b', [], reads('known.txt'))],
  ]);
  expect(refusals).toEqual([
    ['the task “a” may not read keys.txt'],
    [
      'the input “b” is not a file in the workspace: its path has a part named “.”. Write a path inside the workspace, such as data/a.csv.',
      'the task “b” may not read ./known.txt',
    ],
  ]);
  expect(run.plan.tasks.map(({ id }) => id)).toEqual(['b']);
});

test('a change adds neither tools nor models that the plan did not allow', async () => {
  const plan = { tools: ['m:f'], model: 'p/small', tasks: [task('a')] };
  const { run, refusals } = await revised(plan, [
    [task('a', [], { tools: ['m:f', 'm:g'] })],
    [task('a', [], { model: 'p/large' })],
    [task('a', [], { instructions: 'Do less', tools: ['m:f'], model: 'p/small' })],
  ]);
  expect(refusals).toEqual([
    ['the task “a” may not use m:g'],
    ['the task “a” may not use the model p/large'],
  ]);
  expect(run.plan.tasks).toMatchObject([{ id: 'a', instructions: 'Do less' }]);
});

test('a task that is divided gets no more calls than it had, in as many pieces as there may be', async () => {
  const parts = Array.from({ length: 6 }, (_, n) => task(`part-${n}`));
  const page = new FakePage();
  let proposals = 0;
  page.behave = ({ id }, own) => {
    if (id === 'revision') {
      proposals += 1;
      own.calls += 100;
      const tasks =
        proposals === 1 ? parts : parts.map((part) => ({ ...part, id: `${part.id}-b` }));
      return { end: 'finished', output: JSON.stringify({ reason: 'Smaller', tasks }) };
    }
    own.calls += 3;
    const isOver = id === 'a' || id === 'part-0';
    return isOver ? { end: 'failed', reason: 'too hard' } : { end: 'finished', output: '1' };
  };
  const tasks = [task('a', [], { budget: { calls: 10 } })];
  const { id } = await page.start({ revisions: 2, parallel: 1, tasks });
  const run = await page.ended(id);
  // 3 for a, and 3 for each part.
  expect(run).toMatchObject({
    phase: 'stopped',
    reason: 'The tasks’ shared budget of 10 calls is used up.',
  });
  expect([...run.tasks.values()].filter(({ usage }) => usage.calls > 0)).toHaveLength(3);
  expect(run.usage.calls).toBe(112);
});

test('minutes are divided too, and the model gets the limit', async () => {
  const tasks = [task('a', [], { budget: { minutes: 4 } })];
  const half = { budget: { minutes: 2 } };
  const { refusals, run } = await revised({ tasks }, [
    [task('one'), task('two')],
    [task('one', [], half), task('two', [], half)],
  ]);
  expect(refusals).toEqual([['the tasks may have at most 4 minutes together']]);
  expect(budgets(run)).toEqual({ one: { minutes: 2 }, two: { minutes: 2 } });
});

test('a change cannot make a check ignore what failed before', async () => {
  const check = { test: 'adds' };
  const lenient = { check: { ...check, ignore_earlier_failures: true } };
  const { refusals } = await revised({ tasks: [task('a', [], { check })] }, [
    [task('a', [], lenient)],
    [task('b', [], { check })],
  ]);
  expect(refusals).toEqual([['the check of the task “a” may not ignore earlier failures']]);
});

/** A run whose task `a` fails once, and whose plan a model then changes, with what was refused before. */
async function revised(
  plan: Partial<Plan> & Pick<Plan, 'tasks'>,
  proposals: readonly (readonly PlanTask[])[],
): Promise<{ readonly run: RunState; readonly refusals: readonly (readonly string[])[] }> {
  const page = new FakePage();
  const left = [...proposals];
  let failures = 1;
  page.behave = ({ id }) => {
    if (id === 'revision')
      return {
        end: 'finished',
        output: JSON.stringify({ reason: 'Better', tasks: left.shift() ?? [] }),
      };
    if (id === 'a' && (failures -= 1) >= 0) return { end: 'failed', reason: 'too hard' };
    return { end: 'finished', output: '1' };
  };
  const { id } = await page.start({ revisions: 1, ...plan });
  const run = await page.ended(id);
  expect(run).toMatchObject({ phase: 'done', revisions: [{ by: 'model', reason: 'Better' }] });
  const reviser = [...page.browser.sessions.values()].find((one) => one.task === 'revision');
  const refusals = (reviser?.received.slice(1) ?? []).map((text) =>
    text.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : [])),
  );
  return { run, refusals };
}

function budgets({ plan }: RunState): Readonly<Record<string, PlanTask['budget']>> {
  return Object.fromEntries(plan.tasks.map(({ id, budget }) => [id, budget]));
}
