/** Which session gets an interpreter when there are not enough, and which one gives one up. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { toolCall } from '../spec/call.fixture.ts';
import { registered } from './fake-tool.fixture.ts';
import { FakePool, later, settled } from './python.fixture.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('queues sessions in order while all interpreters are busy', async () => {
  const fake = new FakePool({ max: 3 });
  const sessions = ['a', 'b', 'c', 'd', 'e'];
  for (const name of sessions) fake.call(name, {}, name);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(fake.running).toEqual(['a', 'b', 'c']);
  fake.of('b').end();
  // A short pause does not count as idle: the session might continue.
  await vi.advanceTimersByTimeAsync(1_000);
  expect(fake.running).toEqual(['a', 'c']);
  await vi.advanceTimersByTimeAsync(2_100);
  expect(fake.running).toEqual(['a', 'c', 'd']);
  fake.of('a').end();
  await vi.advanceTimersByTimeAsync(3_100);
  expect(fake.running).toEqual(['c', 'd', 'e']);
  expect(fake.alive.length).toBe(3);
});

it('takes the interpreter of the session that has been idle longest, whose next result says so', async () => {
  const fake = new FakePool({ max: 3 });
  for (const name of ['a', 'b', 'c']) {
    const call = fake.call(name, {}, name);
    await settled();
    fake.of(name).end();
    await call.result;
    await vi.advanceTimersByTimeAsync(5_000);
  }
  fake.call('d', {}, 'd');
  await settled();
  expect(fake.of('a').python.alive).toBe(false);
  fake.of('d').end();
  await vi.advanceTimersByTimeAsync(5_000);
  const again = fake.call('a again', {}, 'a');
  const other = fake.call('c again', {}, 'c');
  await settled();
  fake.of('a again').end();
  fake.of('c again').end();
  expect((await again.result).stateLost).toBe(true);
  expect((await other.result).stateLost).toBe(false);
});

it('never exceeds its capacity, whatever is killed', async () => {
  const fake = new FakePool({ max: 4 });
  for (let round = 0; round < 20; round += 1) {
    const calls = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
      fake.call(`${name}${round}`, {}, name),
    );
    await vi.advanceTimersByTimeAsync(300);
    expect(fake.alive.length).toBeLessThanOrEqual(4);
    for (const call of calls) call.stop();
    const results = await Promise.all(calls.map(({ result }) => result));
    expect(new Set(results.map(({ error }) => error))).toEqual(new Set(['cancelled']));
  }
});

it('starts no spare while files are imported, because the user is waiting for that', async () => {
  const fake = new FakePool();
  const { signal } = new AbortController();
  const inspected = fake.pool.inspect(signal, ['slow.py', 'b.py'], () => undefined);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(fake.alive.length).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  await inspected;
  expect(fake.alive.length).toBe(2);
});

it('delays the spare while all cores are busy, but not forever', async () => {
  const fake = new FakePool();
  fake.call('a', {}, 'a');
  fake.call('b', {}, 'b');
  await vi.advanceTimersByTimeAsync(2_500);
  expect(fake.alive.length).toBe(2);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(fake.alive.length).toBe(3);
});

it('starts the next spare right after one was used', async () => {
  const fake = new FakePool();
  fake.call('a', {}, 'a');
  await vi.advanceTimersByTimeAsync(99);
  expect(fake.alive.length).toBe(1);
  await vi.advanceTimersByTimeAsync(2);
  expect(fake.alive.length).toBe(2);
  fake.of('a').end();
  fake.call('b', {}, 'b');
  await vi.advanceTimersByTimeAsync(20);
  expect(fake.alive.length).toBe(2);
  await vi.advanceTimersByTimeAsync(10);
  expect(fake.alive.length).toBe(3);
});

it.each([
  [2, 2],
  [1, 1],
])('starts a spare beside a start that a call waits for, on %i cores', async (cores, starts) => {
  const fake = new FakePool({ cores, starts: 1 });
  const stop = fake.call('a').stop;
  await vi.advanceTimersByTimeAsync(200);
  let taken = 0;
  const start = later();
  fake.onTake = () => {
    taken += 1;
    return start.done;
  };
  // The call takes the spare, and is stopped before there is another one.
  stop();
  const second = fake.call('b').stop;
  await vi.advanceTimersByTimeAsync(30);
  second();
  fake.call('c');
  await vi.advanceTimersByTimeAsync(200);
  expect(taken).toBe(starts);
  start.end();
  await settled();
  expect(fake.running).toEqual(['c']);
});

it('ends interpreters that were idle for long, except the one without a session', async () => {
  const fake = new FakePool();
  for (const name of ['', 's']) {
    const call = fake.call(`in ${name}`, {}, name);
    await settled();
    fake.of(`in ${name}`).end();
    await call.result;
  }
  await vi.advanceTimersByTimeAsync(16 * 60_000);
  expect(fake.of('in ').python.alive).toBe(true);
  expect(fake.of('in s').python.alive).toBe(false);
  expect(fake.pool.list().map(({ role }) => role)).toEqual(['session', 'spare']);
});

it('ends the calls of a session that is over, and of no other session', async () => {
  const fake = new FakePool();
  const one = fake.call('a', {}, 'one');
  const two = fake.call('b', {}, 'two');
  await settled();
  fake.pool.endSession('one');
  expect((await one.result).error).toBe('cancelled');
  fake.of('b').end();
  expect((await two.result).resultType).toBe('success');
});

it('reports what every interpreter does', async () => {
  const fake = new FakePool();
  const seen: string[][] = [];
  fake.pool.observe((views) => {
    seen.push(views.map(({ role, state }) => `${role} ${state}`));
  });
  fake.call('a');
  await vi.advanceTimersByTimeAsync(200);
  fake.of('a').end();
  await vi.advanceTimersByTimeAsync(5_000);
  expect([seen[0], seen.at(-1)]).toEqual([['session busy'], ['session ready', 'spare ready']]);
});

it('does not fail a call that began to wait for a spare that then did not start', async () => {
  const fake = new FakePool({ starts: 1 });
  fake.call('a', {}, 'a');
  await settled();
  let fail: (reason: Error) => void = () => undefined;
  fake.onTake = () =>
    new Promise((_, reject) => {
      fail = reject;
    });
  await vi.advanceTimersByTimeAsync(3_000);
  fake.call('b', {}, 'b');
  await settled();
  expect(fake.running).toEqual(['a']);
  fake.onTake = () => Promise.resolve();
  fail(new Error('its frame was removed'));
  await settled();
  expect(fake.running).toEqual(['a', 'b']);
});

it('keeps one of several interpreters that nobody waits for any more, and ends it with the folder', async () => {
  const fake = new FakePool();
  const start = later();
  fake.onTake = () => start.done;
  for (const name of ['a', 'b']) fake.call(name, {}, name);
  await settled();
  for (const name of ['a', 'b']) fake.pool.endSession(name);
  start.end();
  await settled();
  const names = fake.alive.map(({ name }) => name);
  expect([names, fake.pool.list().map(({ name }) => name)]).toEqual([['python-1'], ['python-1']]);
  fake.pool.dispose();
  expect(fake.alive).toEqual([]);
});

it('ends the spare while the page is unused, and starts another when it is used again or something needs it', async () => {
  const fake = new FakePool();
  fake.call('a', {}, 'a');
  await vi.advanceTimersByTimeAsync(1_000);
  fake.of('a').end();
  const spares = () => fake.pool.list().filter(({ role }) => role === 'spare').length;
  expect([fake.alive.length, spares()]).toEqual([2, 1]);
  fake.pool.rest();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([fake.alive.length, spares()]).toEqual([1, 0]);
  fake.pool.wake();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([fake.alive.length, spares()]).toEqual([2, 1]);
  fake.pool.rest();
  fake.call('b', {}, 'b');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(fake.running).toEqual(['b']);
  expect(spares()).toBe(1);
});

it('ends interpreters without Python state while the page is unused, and keeps those that may hold state', async () => {
  const fake = new FakePool();
  fake.call('a', { stateless: true }, '');
  await vi.advanceTimersByTimeAsync(1_000);
  fake.of('a').end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(fake.alive.length).toBe(2);
  fake.pool.rest();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(fake.alive).toEqual([]);
  fake.pool.wake();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(fake.pool.list().map(({ role, state }) => [role, state])).toEqual([['spare', 'ready']]);
  const next = fake.call('b', {}, '');
  await vi.advanceTimersByTimeAsync(1_000);
  fake.of('b').end();
  expect(await next.result).toMatchObject({ stateLost: false });
  fake.pool.rest();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(fake.alive.length).toBe(1);
});

it('keeps an interpreter in which only a requires_approval callable of a tool ran, unless the tool is stateless', async () => {
  const ask = async (stateless: boolean) => {
    const fake = new FakePool();
    const call = toolCall('a', { caller: 'page', sessionId: 's' });
    const asked = fake.pool.needsApproval(
      new AbortController().signal,
      registered({ stateless }),
      call,
    );
    await vi.advanceTimersByTimeAsync(1_000);
    await asked;
    fake.pool.rest();
    await vi.advanceTimersByTimeAsync(10_000);
    return fake.alive.length;
  };
  expect(await ask(false)).toBe(1);
  expect(await ask(true)).toBe(0);
});

it('ends a spare that is still starting when the page becomes unused', async () => {
  const fake = new FakePool();
  fake.call('a', {}, 'a');
  await settled();
  const start = later();
  fake.onTake = () => start.done;
  await vi.advanceTimersByTimeAsync(1_000);
  fake.pool.rest();
  start.end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(fake.alive.length).toBe(1);
});
