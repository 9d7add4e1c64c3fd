/** Checks that failed before their task began: what they found then does not block the task, if the plan says so. */

import { expect, test } from 'vitest';
import { failure, textResult } from '../../runtime/call/results.ts';
import type { PlanCheck } from '../../runtime/spec/plan.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { SavedTest, TestState, TestStatus } from '../../runtime/spec/saved-test.ts';
import { checkOutput, failuresBefore, type CheckDeps, type CheckedOutput } from './task-checks.ts';
import { FakePage, task } from './plan-runs.fixture.ts';

const { signal } = new AbortController();
const checked: CheckedOutput = { task: 'a', session: 's', output: '1', model: null, evidence: '' };
const byTest: PlanCheck = { test: 'tests/a.json', ignore_earlier_failures: true };
const byCall: PlanCheck = { call: 'm:lint', ignore_earlier_failures: true };

test('a test that failed before does not count, and one that is broken now does', async () => {
  const states: Record<string, TestState> = { adds: 'passed', divides: 'failed' };
  const deps = fake({ tests: () => states });
  const earlier = await failuresBefore(signal, byTest, checked, deps);
  expect(earlier).toMatchObject([{ text: 'divides: failed' }]);
  const passed = await checkOutput(signal, byTest, checked, deps, earlier);
  expect(passed).toMatchObject({
    fault: null,
    words: 'The check has passed, except for 1 earlier failure.',
  });
  states.adds = 'failed';
  expect((await checkOutput(signal, byTest, checked, deps, earlier)).fault).toBe('adds: failed');
  expect((await checkOutput(signal, byTest, checked, deps)).fault).toContain('divides');
});

test('of a call, the same reasons do not count', async () => {
  let reasons = ['line 3 is too long'];
  const deps = fake({ reasons: () => reasons });
  const earlier = await failuresBefore(signal, byCall, checked, deps);
  expect((await checkOutput(signal, byCall, checked, deps, earlier)).fault).toBeNull();
  reasons = ['line 3 is too long', 'line 9 is too long'];
  expect((await checkOutput(signal, byCall, checked, deps, earlier)).fault).toBe(
    'm:lint: line 9 is too long',
  );
});

test('what could not be checked before counts, and so does everything unless the plan says otherwise', async () => {
  const denied = fake({
    reasons: () => ['it failed: approval_required'],
    result: failure('approval_required', 'The user said no'),
  });
  expect(await failuresBefore(signal, byCall, checked, denied)).toEqual([]);
  const gone = fake({ tests: () => ({}) });
  expect(await failuresBefore(signal, byTest, checked, gone)).toEqual([]);
  expect((await checkOutput(signal, byTest, checked, gone)).fault).toContain('no saved test');
  const stopped = fake({ tests: () => ({ adds: 'stopped' }) });
  expect(await failuresBefore(signal, byTest, checked, stopped)).toEqual([]);
  const broken = fake({ tests: () => ({ adds: 'failed' }) });
  expect(await failuresBefore(signal, { test: 'adds' }, checked, broken)).toEqual([]);
  expect(await failuresBefore(signal, byTest, checked, broken)).toHaveLength(1);
});

test('a call that was refused is no earlier failure, and one whose tool has raised an exception is', async () => {
  const before = (result: ToolResult) =>
    failuresBefore(signal, byCall, checked, fake({ reasons: () => ['it failed'], result }));
  const ran = (traceback: string, frame?: string) => ({
    interpreter: 'python-1',
    traceback,
    frames: frame === undefined ? [] : [{ file: 'm.py', line: 1, name: frame }],
  });
  const unrun = [
    failure('LookupError: there is no tool m:lint', ''),
    failure('ValidationError: the arguments are not a JSON object', ''),
    failure('BusyError: 64 calls are running or waiting', ''),
    failure('Error: the folder was closed', ''),
    failure('InterceptorError: no', ''),
    failure('timeout', '', ran('')),
    // Arguments that Python refuses, and a module that cannot be imported.
    failure('ValidationError: $: x is missing', '', ran('ValidationError: $: x is missing\n')),
    failure('ImportError: no', '', ran('Traceback (most recent call last):', '<module>')),
  ];
  for (const result of unrun) expect(await before(result), result.error).toEqual([]);
  const conclusive = [
    failure('LookupError: no', '', ran('Traceback (most recent call last):', 'lint')),
    // An error that the tool has returned.
    failure('ToolError: two faults', '', ran('')),
    textResult('two faults'),
  ];
  for (const result of conclusive) expect(await before(result), result.error).toHaveLength(1);
});

test('a test that could not run counts, and the others of its file are not affected', async () => {
  const states: Record<string, TestState> = { adds: 'failed', lost: 'failed', denied: 'stopped' };
  const deps = fake({ tests: () => states, inconclusive: ['lost'] });
  const earlier = await failuresBefore(signal, byTest, checked, deps);
  expect(earlier).toMatchObject([{ text: 'adds: failed' }]);
  const { fault } = await checkOutput(signal, byTest, checked, deps, earlier);
  expect(fault).toBe('lost: failed\ndenied: stopped');
});

test('a test whose place in its file changes is the same; one that changes itself is another', async () => {
  let file: readonly SavedTest[] = [saved(0, 'adds'), saved(1, 'test 2', '{"a": 1}')];
  const deps = {
    ...fake({}),
    runTests: () => Promise.resolve(file.map((one) => statusOf(one, 'failed'))),
  };
  const earlier = await failuresBefore(signal, byTest, checked, deps);
  expect(earlier).toHaveLength(2);
  const faults = async () => (await checkOutput(signal, byTest, checked, deps, earlier)).fault;
  file = [saved(1, 'adds'), saved(2, 'test 3', '{"a": 1}')];
  expect(await faults()).toBeNull();
  // In the places of those that failed before.
  file = [saved(0, 'subtracts'), saved(1, 'test 2', '{"a": 2}')];
  expect(await faults()).toBe('subtracts: failed\ntest 2: failed');
});

test('a check that does not ignore them gets none, even if there are some', async () => {
  const deps = fake({ reasons: () => ['line 3 is too long'] });
  const earlier = await failuresBefore(signal, byCall, checked, deps);
  expect(earlier).toHaveLength(1);
  const { fault } = await checkOutput(signal, { call: 'm:lint' }, checked, deps, earlier);
  expect(fault).toBe('m:lint: line 3 is too long');
});

test('of another check than the one that found them, nothing is ignored', async () => {
  const page = new FakePage();
  const looked: string[] = [];
  page.before = ({ id }) => {
    looked.push(id);
    return Promise.resolve([{ key: 'x', text: 'x is broken' }]);
  };
  let fault: string | null = 'no';
  page.check = () => Promise.resolve(fault);
  const strict: PlanCheck = { test: 'tests/a.json' };
  const options = { retries: 0 };
  const { id } = await page.start({
    tasks: [
      task('same', [], { check: byTest, ...options }),
      task('other', [], { check: byTest }),
      task('late', [], { check: strict, ...options }),
      task('new', ['late'], { check: strict }),
    ],
  });
  await page.ended(id);
  expect(looked.sort()).toEqual(['other', 'same']);
  fault = null;
  const tasks = [
    task('same', [], { check: byTest }),
    task('other', [], { check: byCall }),
    task('late', [], { check: byTest }),
    task('new', ['late'], { check: byTest }),
  ];
  await page.runs.revise(id, { goal: 'a goal', tasks });
  await page.runs.resume(id);
  const run = await page.ended(id);
  expect(run.phase).toBe('done');
  // A check that the failed task has broken does not count as an earlier failure; a task that has not begun is checked first.
  expect(looked).toEqual(['other', 'same', 'new']);
  const counts = [...run.tasks].map(([name, { earlierFailures }]) => [
    name,
    earlierFailures?.length,
  ]);
  expect(Object.fromEntries(counts)).toEqual({ same: 1, other: 0, late: 0, new: 1 });
  // A task that is done stays so, and is carried out again with the new check.
  const stricter = tasks.map((one) => ({ ...one, check: strict }));
  await page.runs.revise(id, { goal: 'a goal', tasks: stricter });
  await page.runs.revise(id, { goal: 'a goal', tasks });
  await page.runs.again(id, 'same');
  expect((await page.ended(id)).tasks.get('same')?.earlierFailures).toEqual([]);
  expect(looked).toHaveLength(3);
});

test('they are looked for once, before the first message, and recorded', async () => {
  const page = new FakePage();
  const order: string[] = [];
  page.before = ({ id }) => {
    order.push(`before ${id}`);
    return Promise.resolve([{ key: 'x', text: 'x is broken' }]);
  };
  page.behave = ({ id }) => {
    order.push(`work ${id}`);
    return { end: 'finished', output: '1' };
  };
  const faults = ['no', null, null];
  page.check = () => Promise.resolve(faults.shift() ?? null);
  const tasks = [task('a', [], { check: byTest }), task('b', ['a'], { check: { test: 'adds' } })];
  const { id } = await page.start({ tasks });
  expect((await page.ended(id)).phase).toBe('done');
  expect(order).toEqual(['before a', 'work a', 'work a', 'work b']);
  expect(page.stored(id).filter(({ type }) => type === 'earlier-failures')).toHaveLength(1);
  const known = [{ key: 'x', text: 'x is broken' }];
  expect(page.runs.get(id)?.tasks.get('a')?.earlierFailures).toEqual(known);
  expect(page.runs.get(id)?.tasks.get('b')?.earlierFailures).toBeNull();
  // A check that the task itself has broken in the meantime does not count as an earlier failure.
  await page.runs.again(id, 'a');
  await page.ended(id);
  expect(order.filter((what) => what === 'before a')).toHaveLength(1);
});

test('a check that failed before does not block its task forever: the task fails, and the others continue', async () => {
  const page = new FakePage();
  page.check = ({ id }) => Promise.resolve(id === 'a' ? 'broken all along' : null);
  let turns = 0;
  page.behave = () => {
    turns += 1;
    return { end: 'finished', output: '1' };
  };
  const check = { test: 'adds' };
  const { id } = await page.start({
    tasks: [task('a', [], { check, retries: 20 }), task('b', [], { check }), task('c', ['a'])],
  });
  const run = await page.ended(id);
  expect([...run.tasks].map(([name, { phase }]) => `${name} ${phase}`)).toEqual([
    'a failed',
    'b done',
    'c blocked',
  ]);
  expect(turns).toBe(3);
});

test('a page that ends before they are stored looks for them again', async () => {
  const page = new FakePage();
  page.before = () => new Promise(() => undefined);
  const { id } = await page.start({ tasks: [task('a', [], { check: byTest })] });
  await new Promise((resolve) => setTimeout(resolve, 5));
  page.kill();
  const next = new FakePage(page.browser);
  let looked = 0;
  next.before = () => {
    looked += 1;
    return Promise.resolve([]);
  };
  await next.runs.loaded;
  await next.runs.resume(id);
  expect((await next.ended(id)).phase).toBe('done');
  expect(looked).toBe(1);
});

function fake({
  tests = () => ({}),
  reasons = () => [],
  result = textResult('ok'),
  inconclusive = [],
}: {
  readonly tests?: () => Readonly<Record<string, TestState>>;
  readonly reasons?: () => readonly string[];
  readonly result?: ToolResult;
  /** Names of tests. */
  readonly inconclusive?: readonly string[];
}): CheckDeps {
  return {
    calls: { call: () => Promise.resolve(result) },
    interpreters: { judge: () => Promise.resolve(reasons()) },
    runTests: () =>
      Promise.resolve(
        Object.entries(tests()).map(([name, state], index) =>
          statusOf(saved(index, name), state, inconclusive.includes(name)),
        ),
      ),
    ask: () => {
      throw new Error('No model is asked.');
    },
    cost: () => null,
    newId: () => 'c',
  };
}

function saved(index: number, name: string, args = '{}'): SavedTest {
  return {
    id: `tests/a.json#${index}`,
    file: 'tests/a.json',
    index,
    line: 1,
    name,
    tool: 'm:f',
    arguments: args,
    expect: null,
  };
}

function statusOf(saved: SavedTest, state: TestState, isInconclusive = false): TestStatus {
  const result = {
    resultType: 'failure',
    text: '',
    isJson: false,
    callId: '',
    durationMs: 1,
  } as const;
  return {
    test: saved,
    state,
    reasons: [],
    isStale: false,
    result: isInconclusive ? { ...result, isInconclusive } : result,
  };
}
