/** Each way in which a run is stuck says why, and what the user could do. */

import { expect, test } from 'vitest';
import { FakePage, task, type Behave } from '../../../agent/runner/plan-runs.fixture.ts';
import type { RunState } from '../../../agent/runner/run-record.ts';
import type { Plan } from '../../../runtime/spec/plan.ts';
import { adviceFor, runWords } from './plan-words.ts';

const check = { expression: 'False' };

async function stuck(plan: Partial<Plan> & Pick<Plan, 'tasks'>, behave: Behave, fault?: string) {
  const page = new FakePage(undefined, behave);
  if (fault !== undefined) page.check = () => Promise.resolve(fault);
  const { id } = await page.start(plan);
  const run = await page.ended(id);
  return { run, words: runWords(run, false), why: run.reason, advice: adviceFor(run, false) };
}

const finishes: Behave = (_, own) => {
  own.calls += 3;
  return { end: 'finished', output: '1' };
};

test('the same failure twice', async () => {
  const found = await stuck({ tasks: [task('a', [], { check, retries: 9 })] }, finishes, 'it is 1');
  expect(found.words).toBe('Needs attention, 0 of 1 tasks done');
  expect(found.why).toBe('The task a failed: The check failed twice for the same reason: it is 1');
  expect(found.advice).toContain('Fix the task, its tools or its check under “Change plan”');
});

test('no progress', async () => {
  const found = await stuck({ tasks: [task('a')] }, (_, own) => {
    own.repeats = 12;
    return { end: 'finished', output: '1' };
  });
  expect(found.why).toContain('made the same call 12 times in a row');
  expect(found.advice).toContain('run the task again');
});

test('empty answers', async () => {
  const found = await stuck({ tasks: [task('a')] }, () => ({ end: 'idle' }));
  expect(found.why).toContain('stopped without calling finish');
  expect(found.advice).toContain('under “Change plan”');
});

test('a budget of the run, and one of a task', async () => {
  const whole = await stuck({ budget: { calls: 2 }, tasks: [task('a'), task('b')] }, finishes);
  expect(whole.why).toBe('The budget of 2 calls is used up.');
  expect(whole.advice).toContain('Raise the budget under “Change plan”');
  const own = await stuck({ tasks: [task('a', [], { budget: { calls: 2 } })] }, finishes);
  expect(own.why).toContain('The task’s budget of 2 calls is used up.');
  expect(own.advice).toContain('Raise the budget under “Change plan”');
  for (const limit of ['$0.5', '1,200 tokens', '1 minute']) {
    const reason = `The budget of ${limit} is used up.`;
    const run: RunState = { ...whole.run, reason };
    expect(adviceFor(run, false)).toContain('Raise the budget');
    expect(adviceFor({ ...run, reason: `The tasks’ shared ${reason.slice(4)}` }, false)).toContain(
      'Raise the budget',
    );
  }
});

test('a failure that tells of another budget', async () => {
  for (const fault of [
    'the travel budget of 500 is used up',
    'The budget of 2 calls is used up.',
  ]) {
    const found = await stuck({ tasks: [task('a', [], { check, retries: 0 })] }, finishes, fault);
    expect(found.why).toContain(fault);
    expect(found.advice).toContain('Fix the task');
  }
});

test('a fault outside of the task', async () => {
  const found = await stuck({ tasks: [task('a')] }, () => ({
    end: 'interrupted',
    reason: 'The endpoint is gone',
  }));
  expect(found.why).toBe('The task a was interrupted: The endpoint is gone');
  expect(found.advice).toContain('then press “Resume”');
  const played = (reason: string) => adviceFor({ ...found.run, reason }, false);
  const ended = 'The task a was interrupted: The recording has ended.';
  // The recording is merely shorter than the session.
  expect(played(ended)).toBe(found.advice);
  const failed = `${ended} It has no answer to this failure of f:g:`;
  expect(played(`${failed} ValueError`)).toContain('Fix the cause, then run the task again');
  expect(played(`${failed} No workspace is open`)).toContain(
    'Choose a workspace under “Workspace” in the folder’s menu, then run the task again',
  );
});

test('a run that this page does not carry out may run in another tab', async () => {
  const page = new FakePage(undefined, () => new Promise(() => undefined));
  const run = await page.start({ tasks: [task('a')] });
  expect(runWords(run, true)).toBe('Running, 0 of 1 tasks done');
  expect(runWords(run, false)).toBe('Not running in this tab, 0 of 1 tasks done');
  expect(adviceFor(run, false)).toContain('another tab is running it');
});
