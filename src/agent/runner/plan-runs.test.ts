import { expect, test } from 'vitest';
import { ToolError } from '../../runtime/spec/error.ts';
import type { PlanTask } from '../../runtime/spec/plan.ts';
import {
  FakeBrowser,
  FakePage,
  runState,
  seeded,
  task,
  ticks,
  type FakeSession,
} from './plan-runs.fixture.ts';
import { minutesText, type RunFact } from './run-record.ts';
import { retryMessage } from './task-messages.ts';

const three = [task('a'), task('b'), task('c', ['a', 'b'])];

test('independent tasks run together, up to the limit, and the others after them', async () => {
  const page = new FakePage();
  const begun: string[] = [];
  let together = 0;
  let max = 0;
  page.behave = async ({ id }) => {
    begun.push(id);
    together += 1;
    max = Math.max(max, together);
    await new Promise((resolve) => setTimeout(resolve, 1));
    together -= 1;
    return { end: 'finished', output: JSON.stringify(id) };
  };
  const { id } = await page.start({ parallel: 2, tasks: [...three, task('d'), task('e')] });
  const run = await page.ended(id);
  expect(run.phase).toBe('done');
  expect(max).toBe(2);
  expect(begun.indexOf('c')).toBeGreaterThan(begun.indexOf('b'));
  expect(run.tasks.get('c')?.output).toBe('"c"');
  const { received } = session(page, 'c');
  expect(received[0]).toContain('Result of the task a:\n"a"');
});

test('a claim is no result: without finish the sub-agent is reminded, and then the task fails', async () => {
  const page = new FakePage();
  page.behave = () => ({ end: 'idle' });
  const { id } = await page.start({ tasks: three });
  const run = await page.ended(id);
  expect(run.phase).toBe('stuck');
  expect(session(page, 'a').received).toHaveLength(3);
  expect(run.tasks.get('a')).toMatchObject({ phase: 'failed' });
  expect(run.tasks.get('a')?.reason).toContain('without calling finish');
  expect(run.tasks.get('c')?.phase).toBe('blocked');
});

test('a failed check is tried again with its reason; the same failure twice is the end', async () => {
  const page = new FakePage();
  const outputs = ['1', '2', '3'];
  page.behave = () => ({ end: 'finished', output: outputs.shift() ?? 'null' });
  page.check = (_, output) => Promise.resolve(output === '3' ? null : `it is ${output}`);
  const check = { expression: 'result == 3' };
  const first = await page.start({ tasks: [task('a', [], { retries: 5, check })] });
  expect(await page.ended(first.id)).toMatchObject({ phase: 'done' });
  expect(session(page, 'a').received.slice(1)).toEqual([
    retryMessage('it is 1'),
    retryMessage('it is 2'),
  ]);
  page.behave = () => ({ end: 'finished', output: '1' });
  const second = await page.start({ tasks: [task('b', [], { retries: 5, check })] });
  const run = await page.ended(second.id);
  expect(run.tasks.get('b')).toMatchObject({ phase: 'failed', attempt: 2 });
  expect(run.tasks.get('b')?.reason).toContain('twice for the same reason');
});

test('many like tasks that succeed are not stuck, and a limit is no target', async () => {
  const page = new FakePage();
  let turns = 0;
  page.behave = () => {
    turns += 1;
    return { end: 'finished', output: '"same"' };
  };
  const tasks = Array.from({ length: 30 }, (_, n) => task(`t${n}`, [], { retries: 10 }));
  const { id } = await page.start({ tasks });
  expect((await page.ended(id)).phase).toBe('done');
  expect(turns).toBe(30);
});

test('the other tasks continue when one fails', async () => {
  const page = new FakePage();
  page.behave = ({ id }) =>
    id === 'a' ? { end: 'failed', reason: 'no' } : { end: 'finished', output: '1' };
  const { id } = await page.start({ parallel: 1, tasks: [...three, task('d')] });
  const run = await page.ended(id);
  expect([...run.tasks].map(([name, { phase }]) => `${name} ${phase}`)).toEqual([
    'a failed',
    'b done',
    'c blocked',
    'd done',
  ]);
  expect(run.reason).toContain('a failed: no');
});

test('stop ends the running tasks, once; resume continues in their sessions', async () => {
  const page = new FakePage();
  let hangs = true;
  page.behave = (_, __, signal) =>
    hangs
      ? new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(new ToolError('aborted', 'stopped'));
          });
        })
      : { end: 'finished', output: '1' };
  const { id } = await page.start({ tasks: three });
  await turnOfEvents();
  await page.runs.stop(id);
  const stopped = await page.ended(id);
  expect(stopped).toMatchObject({ phase: 'stopped', reason: 'The user stopped the run.' });
  expect(stopped.tasks.get('a')?.phase).toBe('stopped');
  hangs = false;
  const before = session(page, 'a');
  await page.runs.resume(id);
  const done = await page.ended(id);
  expect(done.phase).toBe('done');
  expect(done.tasks.get('a')?.session).toBe(before.id);
  expect(before.received).toHaveLength(1);
});

test('a run that no page carries out can be stopped too, and continues later', async () => {
  const page = new FakePage();
  page.behave = () => new Promise(() => undefined);
  const { id } = await page.start({ tasks: three });
  await turnOfEvents();
  const other = new FakePage(page.browser);
  await other.runs.loaded;
  await expect(other.runs.stop(id)).rejects.toThrow('Another tab');
  page.kill();
  const next = new FakePage(page.browser);
  await next.runs.loaded;
  await next.runs.stop(id);
  expect(next.runs.get(id)).toMatchObject({ phase: 'stopped' });
  expect(next.runs.get(id)?.tasks.get('a')?.phase).toBe('stopped');
  await next.runs.resume(id);
  expect((await next.ended(id)).phase).toBe('done');
});

test('a damaged run does not hide the others', async () => {
  const page = new FakePage();
  const { id } = await page.start({ tasks: three });
  await page.ended(id);
  page.browser.events.set('broken', ['{"type": "ended", "n": 0, "at": 1}']);
  page.browser.events.set('worse', [
    ...(page.browser.events.get(id) ?? []).slice(0, 1),
    '{"type": "again", "n": 1, "at": 1}',
  ]);
  const next = new FakePage(page.browser);
  await next.runs.loaded;
  expect(next.runs.list().map((run) => run.id)).toEqual([id]);
  expect(next.reported).toHaveLength(2);
});

test('a pause starts no task and holds those that run', async () => {
  const page = new FakePage();
  const { id } = await page.start({ parallel: 1, tasks: three });
  page.runs.pause(id);
  await turnOfEvents();
  expect(page.runs.get(id)?.phase).toBe('paused');
  expect(page.runs.get(id)?.tasks.get('c')?.phase).toBe('waiting');
  await page.runs.resume(id);
  expect((await page.ended(id)).phase).toBe('done');
});

test('budgets end a run or a task, and say which', async () => {
  const page = new FakePage();
  page.behave = (_, own) => {
    own.calls += 3;
    return { end: 'finished', output: '1' };
  };
  const whole = await page.start({ parallel: 1, budget: { calls: 4 }, tasks: three });
  expect(await page.ended(whole.id)).toMatchObject({
    phase: 'stopped',
    reason: 'The budget of 4 calls is used up.',
  });
  const own = await page.start({ tasks: [task('a', [], { budget: { calls: 2 } })] });
  expect((await page.ended(own.id)).tasks.get('a')).toMatchObject({
    phase: 'failed',
    reason: 'The task’s budget of 2 calls is used up.',
  });
  page.behave = (_, __, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(new ToolError('aborted', 'stopped'));
      });
    });
  const long = await page.start({ budget: { minutes: 2 }, tasks: [task('a')] });
  await turnOfEvents();
  expect(page.timers[0]?.ms).toBe(120_000);
  page.timers[0]?.then();
  expect((await page.ended(long.id)).reason).toBe('The budget of 2 minutes is used up.');
});

test('the end of a budget names a fraction of a minute', () => {
  expect([0.5, 1, 1_000].map(minutesText)).toEqual(['0.5 minutes', '1 minute', '1,000 minutes']);
});

test('a task is carried out again with those that depend on it', async () => {
  const page = new FakePage();
  const { id } = await page.start({ tasks: [...three, task('d')] });
  await page.ended(id);
  const sessions = page.browser.sessions.size;
  await page.runs.again(id, 'a');
  const run = await page.ended(id);
  expect(run.phase).toBe('done');
  // Only a and c.
  expect(page.browser.sessions.size).toBe(sessions + 2);
});

test('another tab cannot carry out the same run', async () => {
  const page = new FakePage();
  page.behave = () => new Promise(() => undefined);
  const { id } = await page.start({ tasks: three });
  const other = new FakePage(page.browser);
  await other.runs.loaded;
  await expect(other.runs.resume(id)).rejects.toThrow('Another tab');
});

test('a full disk ends the run, and what was done is known after a reload', async () => {
  const page = new FakePage();
  page.behave = ({ id }) => {
    if (id === 'b') page.browser.full = true;
    return { end: 'finished', output: '1' };
  };
  const { id } = await page.start({ parallel: 1, tasks: three });
  await page.ended(id);
  page.browser.full = false;
  page.kill();
  const next = new FakePage(page.browser);
  await next.runs.loaded;
  await next.runs.resume(id);
  expect((await next.ended(id)).phase).toBe('done');
  expect(ends(next, id)).toEqual(['a', 'b', 'c']);
});

test('after a crash, a result that was handed over is only checked', async () => {
  const page = await crashed([{ type: 'task-finished', task: 'a', attempt: 1, output: '7' }], null);
  page.behave = () => ({ end: 'failed', reason: 'it was asked again' });
  const checked: string[] = [];
  page.check = (_, output) => {
    checked.push(output);
    return Promise.resolve(null);
  };
  await page.runs.resume('r');
  expect((await page.ended('r')).phase).toBe('done');
  expect(checked).toEqual(['7']);
});

test('after a crash, the reason of a failed check is sent if it was not', async () => {
  const page = await crashed(
    [
      { type: 'task-finished', task: 'a', attempt: 1, output: '7' },
      { type: 'attempt-failed', task: 'a', attempt: 1, reason: 'too small' },
      { type: 'task-began', task: 'a', attempt: 2, session: 's' },
    ],
    { end: 'finished', output: '7' },
  );
  page.behave = () => ({ end: 'finished', output: '8' });
  page.check = (_, output) => Promise.resolve(output === '8' ? null : 'too small');
  await page.runs.resume('r');
  expect(await page.ended('r')).toMatchObject({ phase: 'done' });
  expect(session(page, 'a').received).toEqual(['Do a', retryMessage('too small')]);
});

test('whatever happens, each task ends once, its effect happens once, and the record replays to the same state', async () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const random = seeded(seed);
    const tasks = Array.from({ length: 12 }, (_, n): PlanTask => {
      const earlier = Array.from({ length: n }, (_id, k) => `t${k}`);
      const after = n < 4 ? [] : earlier.filter(() => random() < 0.25);
      return task(`t${n}`, after, { retries: 3, check: { expression: 'True' } });
    });
    const effects = new Map<string, number>();
    const browser = new FakeBrowser();
    let page = new FakePage(browser);
    const arm = (): void => {
      page.behave = async ({ id }, own) => {
        await ticks(random);
        if (random() < 0.1) return { end: 'idle' };
        // The effects of a sub-agent are in its session.
        if (own.calls === 0) {
          own.calls = 1;
          effects.set(id, (effects.get(id) ?? 0) + 1);
        }
        await ticks(random);
        return { end: 'finished', output: String(own.received.length) };
      };
      page.check = async () => {
        await ticks(random);
        return random() < 0.15 ? `no ${String(random())}` : null;
      };
    };
    arm();
    const { id } = await page.start({ parallel: 4, tasks });
    for (let kills = 0; kills < 8; kills += 1) {
      await Promise.race([page.runs.settled(id), ticks(random, 60)]);
      if (page.runs.get(id)?.phase === 'done' || page.runs.get(id)?.phase === 'stuck') break;
      if (random() < 0.3) {
        await page.runs.stop(id);
      } else page.kill();
      page = new FakePage(browser);
      arm();
      await page.runs.loaded;
      const { phase } = page.runs.get(id) ?? {};
      if (phase === 'done' || phase === 'stuck') break;
      await page.runs.resume(id);
    }
    const run = await page.ended(id);
    const stored = page.stored(id);
    const context = `seed ${seed}`;
    expect(runState(id, stored), context).toEqual(run);
    expect(['done', 'stuck'], context).toContain(run.phase);
    for (const { id: name } of tasks) {
      const final = stored.filter(
        (event) => event.type === 'task-ended' && event.task === name && event.end !== 'stopped',
      );
      expect(final.length, `${context} ${name}`).toBeLessThanOrEqual(1);
      expect(effects.get(name) ?? 0, `${context} ${name}`).toBeLessThanOrEqual(1);
      if (run.phase === 'done') expect(final.length, `${context} ${name}`).toBe(1);
    }
    expect(page.reported, context).toEqual([]);
  }
});

/** A page after a crash of another one, which has begun task `a` in session `s`. */
async function crashed(facts: readonly RunFact[], last: FakeSession['last']): Promise<FakePage> {
  const browser = new FakeBrowser();
  const plan = { goal: 'g', tasks: [task('a', [], { check: { expression: 'True' } })] };
  const about = { session: '', folder: 'tools', folderId: 'f', inherited: null };
  const all: RunFact[] = [
    { type: 'created', plan, ...about },
    { type: 'task-began', task: 'a', attempt: 1, session: 's' },
    ...facts,
  ];
  browser.events.set(
    'r',
    all.map((fact, n) => JSON.stringify({ ...fact, n, at: n })),
  );
  browser.sessions.set('s', { id: 's', task: 'a', received: ['Do a'], last, calls: 1 });
  const page = new FakePage(browser);
  await page.runs.loaded;
  return page;
}

function session(page: FakePage, of: string): FakeSession {
  const found = [...page.browser.sessions.values()].filter((one) => one.task === of).at(-1);
  if (found === undefined) throw new Error(`The task ${of} has no session.`);
  return found;
}

function ends(page: FakePage, id: string): string[] {
  return page
    .stored(id)
    .flatMap((event) => (event.type === 'task-ended' && event.end === 'done' ? [event.task] : []));
}

/** Lets everything run that waits for no timer. */
function turnOfEvents(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}
