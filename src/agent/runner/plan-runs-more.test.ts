/** Runs that are steered, revised, followed by another tab, and interrupted by what lies outside of them. */

import { expect, test } from 'vitest';
import { ToolError } from '../../runtime/spec/error.ts';
import type { PlanTask } from '../../runtime/spec/plan.ts';
import { FakeBrowser, FakePage, task, type Behave } from './plan-runs.fixture.ts';
import type { RunFact } from './run-record.ts';
import { retryMessage } from './task-messages.ts';

const two = [task('a'), task('b', ['a'])];

test('a model that does not answer interrupts the run, which continues in the same session', async () => {
  const page = new FakePage();
  page.behave = () => ({ end: 'interrupted', reason: 'The endpoint is gone' });
  const { id } = await page.start({ tasks: two });
  const held = await page.ended(id);
  expect(held).toMatchObject({ phase: 'stuck' });
  expect(held.reason).toBe('The task a was interrupted: The endpoint is gone');
  expect(held.tasks.get('a')?.phase).toBe('stopped');
  expect(held.tasks.get('b')?.phase).toBe('waiting');
  page.behave = () => ({ end: 'finished', output: '1' });
  await page.runs.resume(id);
  expect((await page.ended(id)).phase).toBe('done');
  expect(page.browser.sessions.size).toBe(2);
});

test('the reason of a run names the task by its title', async () => {
  const page = new FakePage();
  for (const [end, words] of [
    ['interrupted', 'was interrupted'],
    ['failed', 'failed'],
  ] as const) {
    page.behave = () => ({ end, reason: 'The endpoint is gone' });
    const { id } = await page.start({
      tasks: [{ ...task('a'), title: 'Write notes', retries: 0 }],
    });
    const { reason } = await page.ended(id);
    expect(reason).toBe(`The task “Write notes” ${words}: The endpoint is gone`);
  }
});

test('a task whose session cannot be opened continues once it can', async () => {
  const page = new FakePage();
  page.behave = hang;
  const { id } = await page.start({ tasks: two });
  await later();
  await page.runs.stop(id);
  page.onReopen = () => Promise.reject(new ToolError('no-folder', 'The folder is not open.'));
  await page.runs.resume(id);
  const held = await page.ended(id);
  expect(held.tasks.get('a')).toMatchObject({
    phase: 'stopped',
    reason: 'The folder is not open.',
  });
  page.onReopen = null;
  page.behave = () => ({ end: 'finished', output: '1' });
  await page.runs.resume(id);
  expect((await page.ended(id)).phase).toBe('done');
});

test('a run without a task that can continue rejects a resume', async () => {
  const page = new FakePage();
  page.behave = () => ({ end: 'failed', reason: 'no' });
  const { id } = await page.start({ tasks: two });
  await page.ended(id);
  await expect(page.runs.resume(id)).rejects.toThrow('No task of this run can continue');
  page.behave = () => ({ end: 'finished', output: '1' });
  await page.runs.again(id, 'a');
  await page.ended(id);
  await expect(page.runs.resume(id)).rejects.toThrow('The run is done');
});

test('after a crash between a failed check and the next attempt, the check is not counted twice', async () => {
  const page = await crashed([
    { type: 'task-finished', task: 'a', attempt: 1, output: '7' },
    { type: 'attempt-failed', task: 'a', attempt: 1, reason: 'too small' },
  ]);
  page.behave = () => ({ end: 'finished', output: '8' });
  page.check = (_, output) => Promise.resolve(output === '8' ? null : 'too small');
  await page.runs.resume('r');
  const run = await page.ended('r');
  expect(run.tasks.get('a')).toMatchObject({ phase: 'done', attempt: 2, failures: ['too small'] });
  expect(page.browser.sessions.get('s')?.received).toEqual(['Do a', retryMessage('too small')]);
});

test('after a crash, a reason that came up before is sent again', async () => {
  const failed = (attempt: number, reason: string): RunFact[] => [
    { type: 'task-finished', task: 'a', attempt, output: '7' },
    { type: 'attempt-failed', task: 'a', attempt, reason },
    { type: 'task-began', task: 'a', attempt: attempt + 1, session: 's' },
  ];
  const page = await crashed(
    [...failed(1, 'small'), ...failed(2, 'large'), ...failed(3, 'small')],
    [retryMessage('small'), retryMessage('large')],
  );
  page.behave = () => ({ end: 'finished', output: '8' });
  page.check = (_, output) => Promise.resolve(output === '8' ? null : 'small');
  await page.runs.resume('r');
  expect(await page.ended('r')).toMatchObject({ phase: 'done' });
  expect(page.browser.sessions.get('s')?.received.at(-1)).toBe(retryMessage('small'));
});

test('after a full disk the run continues in the same page', async () => {
  const page = new FakePage();
  page.behave = ({ id }) => {
    page.browser.full = id === 'b';
    return { end: 'finished', output: '1' };
  };
  const { id } = await page.start({ tasks: two });
  const full = await page.ended(id);
  // The state is what storage has.
  expect(full.tasks.get('b')).toMatchObject({ phase: 'running', output: null });
  expect(page.runs.fault(id)).toContain('The disk is full');
  page.browser.full = false;
  page.behave = () => ({ end: 'finished', output: '2' });
  await page.runs.resume(id);
  expect(await page.ended(id)).toMatchObject({ phase: 'done' });
  expect(page.runs.fault(id)).toBe('');
  expect(page.stored(id).map(({ n }) => n)).toEqual(page.stored(id).map((_, n) => n));
  expect(page.reported).toEqual([]);
});

test('stop ends a task whose session is still being opened', async () => {
  const page = new FakePage();
  page.onBegin = () => new Promise(() => undefined);
  const { id } = await page.start({ tasks: two });
  await later();
  await page.runs.stop(id);
  expect(page.runs.get(id)).toMatchObject({ phase: 'stopped' });
  page.onBegin = null;
  await page.runs.resume(id);
  expect((await page.ended(id)).phase).toBe('done');
});

test('a task that begins during a pause is held, and a retry too', async () => {
  const page = new FakePage();
  let refusals = 1;
  page.check = () => Promise.resolve((refusals -= 1) >= 0 ? 'no' : null);
  page.behave = (_, { received }) => {
    if (received.length === 1) page.runs.pause(id);
    return { end: 'finished', output: '1' };
  };
  const { id } = await page.start({
    tasks: [task('a', [], { retries: 3, check: { expression: 'True' } })],
  });
  await later();
  const held = page.runs.get(id);
  expect([held?.phase, held?.tasks.get('a')?.attempt]).toEqual(['paused', 2]);
  expect(page.browser.sessions.values().next().value?.received).toHaveLength(1);
  await page.runs.resume(id);
  expect(await page.ended(id)).toMatchObject({ phase: 'done' });
});

test('a message to all reaches those who work and those who begin later', async () => {
  const page = new FakePage();
  let finish: () => void = () => undefined;
  page.behave = ({ id: name }) =>
    name === 'a'
      ? new Promise((resolve) => {
          finish = () => resolve({ end: 'finished', output: '1' });
        })
      : { end: 'finished', output: '1' };
  const { id } = await page.start({ tasks: [...two, task('c')] });
  await later();
  expect(page.runs.steer(id, null, 'In French, please')).toBe(1);
  expect(page.runs.steer(id, 'b', 'Only for b')).toBe(0);
  finish();
  await page.ended(id);
  const [a, , b] = [...page.browser.sessions.values()];
  expect(a?.received.at(-1)).toBe('In French, please');
  expect(b?.received[0]).toContain('The user adds:\nIn French, please');
  expect(b?.received[0]).toContain('The user adds:\nOnly for b');
  expect(() => page.runs.steer(id, null, 'Too late')).toThrow('does not control the run');
});

test('a sub-agent that repeats the same call with the same result is stuck', async () => {
  const page = new FakePage();
  page.behave = (_, own) => {
    own.repeats = 12;
    return { end: 'finished', output: '1' };
  };
  const { id } = await page.start({ tasks: [task('a')] });
  const run = await page.ended(id);
  expect(run.tasks.get('a')?.reason).toContain('the same call 12 times in a row');
});

test('minutes count only while the run is carried out', async () => {
  const page = new FakePage();
  page.behave = hang;
  const { id } = await page.start({ budget: { minutes: 2 }, tasks: [task('a')] });
  await later();
  page.browser.time += 60_000;
  page.runs.pause(id);
  page.browser.time += 600_000;
  expect(page.timers).toEqual([]);
  await page.runs.resume(id);
  expect(page.timers[0]?.ms).toBeGreaterThan(59_000);
  expect(page.timers[0]?.ms).toBeLessThan(60_001);
  page.kill();
  page.browser.time += 600_000;
  const next = new FakePage(page.browser, hang);
  await next.runs.loaded;
  await next.runs.resume(id);
  expect(next.timers[0]?.ms).toBeGreaterThan(59_000);
  next.timers[0]?.then();
  expect(await next.ended(id)).toMatchObject({
    phase: 'stopped',
    reason: 'The budget of 2 minutes is used up.',
  });
});

test('a task has its own limit of minutes', async () => {
  const page = new FakePage(undefined, hang);
  const { id } = await page.start({ tasks: [task('a', [], { budget: { minutes: 1 } })] });
  await later();
  page.timers[0]?.then();
  expect((await page.ended(id)).tasks.get('a')).toMatchObject({
    phase: 'failed',
    reason: 'The task’s budget of 1 minute is used up.',
  });
});

test('a budget of money ends a run of which a part has an unknown cost', async () => {
  const page = new FakePage();
  page.cost = ({ id }) => (id === 'free' ? 0 : id === 'known' ? 0.1 : null);
  const run = async (name: string, budget: object) => {
    const { id } = await page.start({ budget, tasks: [task('known'), task(name, ['known'])] });
    return page.ended(id);
  };
  expect(await run('unknown', { cost: 1 })).toMatchObject({
    phase: 'stopped',
    reason: 'A part of the cost is unknown, so the budget of $1 cannot be kept.',
  });
  expect((await run('free', { cost: 1 })).phase).toBe('done');
  expect((await run('unknown', { tokens: 1_000 })).phase).toBe('done');
});

test('the minutes of a task go on after a pause, a stop and the end of a page', async () => {
  const page = new FakePage(undefined, hang);
  const budget = { minutes: 10 };
  const tasks = [task('a', [], { budget }), task('b', [], { budget })];
  const { id } = await page.start({ parallel: 1, tasks });
  const left = ({ timers }: FakePage): number => Math.round((timers[0]?.ms ?? 0) / 60_000);
  const minutes = (count: number): number => (page.browser.time += count * 60_000);
  await later();
  expect(left(page)).toBe(10);
  minutes(1);
  page.runs.pause(id);
  minutes(100);
  await page.runs.resume(id);
  expect(left(page)).toBe(9);
  minutes(2);
  await page.runs.stop(id);
  minutes(100);
  await page.runs.resume(id);
  await later();
  expect(left(page)).toBe(7);
  minutes(3);
  page.runs.steer(id, null, 'The last that is stored');
  await later();
  page.kill();
  minutes(100);
  const next = new FakePage(page.browser, hang);
  await next.runs.loaded;
  await next.runs.resume(id);
  await later();
  expect(left(next)).toBe(4);
  expect(next.runs.get(id)?.tasks.get('b')?.activeMs).toBe(0);
  next.timers[0]?.then();
  await later();
  expect(next.runs.get(id)?.tasks.get('a')?.phase).toBe('failed');
  // The next task begins with all of its time, and so does one that is carried out again.
  expect(left(next)).toBe(10);
  await next.runs.stop(id);
  await next.runs.again(id, 'a');
  expect(next.runs.get(id)?.tasks.get('a')?.activeMs).toBe(0);
  await next.runs.stop(id);
});

test('another tab shows the run live, and carries it on with all that was stored', async () => {
  const page = new FakePage();
  const other = new FakePage(page.browser);
  await other.runs.loaded;
  let hangs = true;
  page.behave = ({ id: name }, _, signal) =>
    name === 'b' && hangs ? hang(task(name), none, signal) : { end: 'finished', output: '1' };
  const { id } = await page.start({ tasks: two });
  await later();
  expect(other.runs.get(id)?.tasks.get('a')?.phase).toBe('done');
  expect(other.runs.get(id)).toEqual(page.runs.get(id));
  page.kill();
  hangs = false;
  await other.runs.resume(id);
  expect((await other.ended(id)).phase).toBe('done');
  await other.runs.remove(id);
  expect([other.runs.get(id), page.browser.sessions.size]).toEqual([null, 0]);
});

test('a stuck plan is changed by a model, as often as it allows, and not beyond its tools', async () => {
  const page = new FakePage();
  const proposals = [
    { reason: 'More tools', tasks: [task('a', [], { tools: ['m:f', 'm:g'] }), task('b', ['a'])] },
    { reason: 'Smaller', tasks: [task('first'), task('b', ['first'])] },
  ];
  page.behave = ({ id: name }) => {
    if (name === 'a') return { end: 'failed', reason: 'too hard' };
    if (name !== 'revision') return { end: 'finished', output: '1' };
    return { end: 'finished', output: JSON.stringify(proposals.shift()) };
  };
  const plan = { tools: ['m:f'], revisions: 1, tasks: [...two, task('c')] };
  const { id } = await page.start(plan);
  const run = await page.ended(id);
  expect(run.phase).toBe('done');
  expect([...run.tasks.keys()]).toEqual(['c', 'first', 'b']);
  expect(run.revisions).toMatchObject([{ by: 'model', reason: 'Smaller' }]);
  expect(run.revisions[0]?.before.tasks.map((one) => one.id)).toEqual(['a', 'b', 'c']);
  const reviser = [...page.browser.sessions.values()].find((one) => one.task === 'revision');
  expect(reviser?.received[1]).toContain('the task “a” may not use m:g');
  // Tasks that are done stay done, and a plan that allows no change is not changed.
  expect([...page.browser.sessions.values()].filter((one) => one.task === 'c')).toHaveLength(1);
  const { id: strict } = await page.start({ tasks: two });
  expect(await page.ended(strict)).toMatchObject({ phase: 'stuck', revisions: [] });
});

test('a change of the plan that does not help ends the run, with all that it has used', async () => {
  const page = new FakePage();
  page.behave = ({ id: name }, own) => {
    own.calls += 1;
    if (name !== 'revision') return { end: 'failed', reason: 'no' };
    return { end: 'finished', output: JSON.stringify({ reason: 'As it is', tasks: two }) };
  };
  const { id } = await page.start({ revisions: 5, tasks: two });
  const run = await page.ended(id);
  expect(run).toMatchObject({ phase: 'stuck', revisionsBegun: 1, usage: { calls: 2 } });
});

test('the user changes the plan of a run that has ended, and continues it', async () => {
  const page = new FakePage();
  page.behave = ({ instructions }) =>
    instructions === 'Do b' ? { end: 'failed', reason: 'no' } : { end: 'finished', output: '1' };
  const { id } = await page.start({ tasks: two });
  await page.ended(id);
  const better: PlanTask[] = [task('a'), { ...task('b', ['a']), instructions: 'Do it well' }];
  await page.runs.revise(id, { goal: 'a goal', tasks: better });
  await page.runs.resume(id);
  const run = await page.ended(id);
  expect(run).toMatchObject({ phase: 'done', revisions: [{ by: 'user' }] });
  expect([...page.browser.sessions.values()].map((one) => one.task)).toEqual(['a', 'b', 'b']);
  expect(run.usage.tokens).toBe(30);
});

const none = { id: '', task: '', received: [], last: null, calls: 0 };

/** Works until it is stopped. */
const hang: Behave = (_, __, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(new ToolError('aborted', 'stopped'));
    });
  });

/** A page after a crash of another one, which has begun task `a` in session `s`. */
async function crashed(
  facts: readonly RunFact[],
  received: readonly string[] = [],
): Promise<FakePage> {
  const browser = new FakeBrowser();
  const tasks = [task('a', [], { retries: 9, check: { expression: 'True' } })];
  const about = { session: '', folder: 'tools', folderId: 'f', inherited: null };
  const all: RunFact[] = [
    { type: 'created', plan: { goal: 'g', tasks }, ...about },
    { type: 'task-began', task: 'a', attempt: 1, session: 's' },
    ...facts,
  ];
  browser.events.set(
    'r',
    all.map((fact, n) => JSON.stringify({ ...fact, n, at: n })),
  );
  const last = { end: 'finished', output: '7' } as const;
  const session = { id: 's', task: 'a', received: ['Do a', ...received], last, calls: 1 };
  browser.sessions.set('s', session);
  const page = new FakePage(browser);
  await page.runs.loaded;
  return page;
}

function later(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10));
}
