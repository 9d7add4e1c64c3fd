/** Checks that failed before their task began: what they found then does not block the task, if the plan says so. */

import { expect, test } from 'vitest';
import { failure } from '../call/results.ts';
import { success } from '../agent/agent.fixture.ts';
import type { PlanCheck } from '../spec/plan.ts';
import type { TestState } from '../spec/saved-test.ts';
import { checkOutput, failuresBefore, type CheckDeps, type Checked } from './checks.ts';
import { FakePage, task } from './plan-runs.fixture.ts';

const { signal } = new AbortController();
const checked: Checked = { task: 'a', session: 's', output: '1', model: null, evidence: '' };
const byTest: PlanCheck = { test: 'tests/a.json', ignore_earlier_failures: true };
const byCall: PlanCheck = { call: 'm:lint', ignore_earlier_failures: true };

test('a test that failed before does not count, and one that is broken now does', async () => {
  const states: Record<string, TestState> = { adds: 'passed', divides: 'failed' };
  const deps = fake({ tests: () => states });
  const earlier = await failuresBefore(signal, byTest, checked, deps);
  expect(earlier).toEqual([{ key: 'divides', text: 'divides: failed' }]);
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
  // What the task itself has broken in the meantime is not taken for earlier.
  await page.runs.again(id, 'a');
  await page.ended(id);
  expect(order.filter((what) => what === 'before a')).toHaveLength(1);
});

test('a check that failed before does not block its task for ever: the task fails, and the rest goes on', async () => {
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
  result = success('ok'),
}: {
  readonly tests?: () => Readonly<Record<string, TestState>>;
  readonly reasons?: () => readonly string[];
  readonly result?: Awaited<ReturnType<CheckDeps['call']>>;
}): CheckDeps {
  return {
    call: () => Promise.resolve(result),
    judge: () => Promise.resolve(reasons()),
    runTests: () =>
      Promise.resolve(
        Object.entries(tests()).map(([id, state]) => ({
          ...{ test: { id, name: id } as never, state, reasons: [], result: null, isStale: false },
        })),
      ),
    ask: () => {
      throw new Error('No model is asked.');
    },
    cost: () => null,
    newId: () => 'c',
  };
}
