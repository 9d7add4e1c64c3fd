/** Calls that do not end by themselves, and the effects on their interpreter and on other calls. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakePool, settled } from './python.fixture.ts';

const asynchronous = { kind: 'async' } as const;
const graceMs = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A pool with a spare. */
async function warm(): Promise<FakePool> {
  const fake = new FakePool();
  const first = fake.call('first');
  await settled();
  fake.of('first').end();
  await first.result;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(fake.alive.length).toBe(2);
  return fake;
}

it('immediately ends a plain function with its interpreter, and continues in the spare', async () => {
  const fake = await warm();
  const spin = fake.call('spin');
  const next = fake.call('next');
  await settled();
  spin.stop();
  const ended = await spin.result;
  expect(ended).toMatchObject({ error: 'cancelled', stdout: 'so far', stateLost: false });
  await settled();
  expect(fake.running).toEqual(['next']);
  expect(fake.of('spin').python.alive).toBe(false);
  fake.of('next').end();
  expect(await next.result).toMatchObject({
    resultType: 'success',
    interpreter: 'python-2',
    stateLost: true,
  });
});

it('starts another spare after one was taken', async () => {
  const fake = await warm();
  const spin = fake.call('spin');
  await settled();
  spin.stop();
  await spin.result;
  fake.call('next');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(fake.alive.map(({ name }) => name)).toEqual(['python-2', 'python-3']);
});

it('asks an asynchronous handler to stop, and keeps the interpreter if it does', async () => {
  const fake = await warm();
  const waits = fake.call('waits', asynchronous);
  const next = fake.call('next', asynchronous);
  const sync = fake.call('sync');
  await settled();
  waits.stop();
  expect((await waits.result).error).toBe('cancelled');
  expect(fake.of('waits').asked).toBe(true);
  fake.of('waits').end();
  await settled();
  expect(fake.of('waits').python.alive).toBe(true);
  fake.of('next').end();
  await settled();
  fake.of('sync').end();
  expect(await next.result).toMatchObject({ interpreter: 'python-1', stateLost: false });
  expect(await sync.result).toMatchObject({ interpreter: 'python-1', stateLost: false });
});

it('starts nothing while a cancelled call may still have to be ended', async () => {
  const fake = await warm();
  const waits = fake.call('waits', asynchronous);
  await settled();
  waits.stop();
  await waits.result;
  fake.call('next', asynchronous);
  await settled();
  expect(fake.running).toEqual(['waits']);
  await vi.advanceTimersByTimeAsync(graceMs);
  expect(fake.running).toEqual(['next']);
  expect(fake.of('next').python.name).toBe('python-2');
});

it('starts no call in an interpreter after one answer has reported its loss', async () => {
  const fake = await warm();
  const dying = fake.call('dying');
  await settled();
  fake.of('dying').lose();
  expect(await dying.result).toMatchObject({ error: 'crashed' });
  const next = fake.call('next');
  await settled();
  expect(fake.of('next').python.name).toBe('python-2');
  fake.of('next').end();
  expect((await next.result).resultType).toBe('success');
});

it.each([
  { responds: true, next: 'python-2' },
  { responds: false, next: 'python-3' },
])('gives a spare to the next call after a crash only if it responds: $responds', async (given) => {
  const fake = await warm();
  const dying = fake.call('dying');
  const next = fake.call('next');
  await settled();
  fake.pythons[1]!.responds = given.responds;
  fake.of('dying').python.die();
  expect(await dying.result).toMatchObject({ error: 'crashed' });
  await settled();
  expect(fake.of('next').python.name).toBe(given.next);
  expect(fake.pythons[1]!.alive).toBe(given.responds);
  fake.of('next').end();
  expect((await next.result).resultType).toBe('success');
});

it('interrupts the other calls of an interpreter that must end, and moves queued ones', async () => {
  const fake = await warm();
  const bad = fake.call('bad', asynchronous);
  const other = fake.call('other', asynchronous);
  const queued = fake.call('queued');
  await settled();
  bad.stop();
  await vi.advanceTimersByTimeAsync(graceMs);
  expect(await bad.result).toMatchObject({ error: 'cancelled' });
  expect(await other.result).toMatchObject({ error: 'interrupted', stdout: 'so far' });
  expect(fake.of('bad').python.alive).toBe(false);
  fake.of('queued').end();
  expect(await queued.result).toMatchObject({ interpreter: 'python-2', stateLost: true });
});

it('waits for calls that must not be interrupted, while the session continues elsewhere', async () => {
  const fake = await warm();
  const blocking = fake.call('blocking', { ...asynchronous, interrupt: 'block' });
  const bad = fake.call('bad', asynchronous);
  const queued = fake.call('queued');
  await settled();
  bad.stop();
  await vi.advanceTimersByTimeAsync(graceMs);
  expect(fake.running).toEqual(['blocking', 'bad', 'queued']);
  expect(fake.pool.list().map(({ state }) => state)).toEqual(['busy', 'ending']);
  fake.of('blocking').end('all of it');
  expect((await blocking.result).textResultForLlm).toBe('all of it');
  await settled();
  expect(fake.of('bad').python.alive).toBe(false);
  fake.of('queued').end();
  expect((await queued.result).resultType).toBe('success');
});

it('waits for them no longer than their own timeout', async () => {
  const fake = await warm();
  const blocking = fake.call('blocking', { ...asynchronous, interrupt: 'block', timeout_s: 5 });
  const bad = fake.call('bad', asynchronous);
  await settled();
  bad.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect((await blocking.result).error).toBe('timeout');
  expect(fake.of('bad').python.alive).toBe(false);
});

it('waits for one ending interpreter of a session, not for several', async () => {
  const fake = await warm();
  const block = { ...asynchronous, interrupt: 'block' } as const;
  const first = fake.call('first block', block);
  const bad = fake.call('bad', asynchronous);
  await settled();
  bad.stop();
  await vi.advanceTimersByTimeAsync(graceMs);
  const second = fake.call('second block', block);
  const worse = fake.call('worse', asynchronous);
  await vi.advanceTimersByTimeAsync(10);
  expect(fake.running).toEqual(['first block', 'bad', 'second block', 'worse']);
  worse.stop();
  await vi.advanceTimersByTimeAsync(graceMs);
  expect((await first.result).error).toBe('interrupted');
  fake.of('second block').end();
  expect((await second.result).resultType).toBe('success');
});

it('ends a call at its time limit, whatever it streams', async () => {
  const fake = await warm();
  const call = fake.call('a', { timeout_s: 2 });
  for (let n = 0; n < 30; n += 1) {
    await vi.advanceTimersByTimeAsync(100);
    if (fake.running.length > 0) fake.of('a').stream({ out: '.' });
  }
  const result = await call.result;
  expect(result).toMatchObject({ error: 'timeout' });
  expect(result.textResultForLlm).toContain('Its limit is 2 s.');
});

it('ends a long call that makes no progress, and lets one continue that does', async () => {
  const fake = new FakePool({}, { idleMs: 1_000 });
  const silent = fake.call('silent', { timeout_s: 100 }, 'one');
  const lively = fake.call('lively', { timeout_s: 100 }, 'two');
  for (let n = 0; n < 30; n += 1) {
    await vi.advanceTimersByTimeAsync(500);
    fake.of('lively').stream();
  }
  expect((await silent.result).textResultForLlm).toContain('no progress for 1 s');
  fake.of('lively').end();
  expect((await lively.result).resultType).toBe('success');
});

it('does not count the time in which the user is asked as time of the call', async () => {
  const fake = await warm();
  for (const end of ['answer', 'stop'] as const) {
    const call = fake.call(end, asynchronous);
    await settled();
    const clock = fake.clocks.get(end);
    await vi.advanceTimersByTimeAsync(20);
    clock?.pause();
    await vi.advanceTimersByTimeAsync(100_000);
    if (end === 'stop') call.stop();
    else clock?.resume();
    await vi.advanceTimersByTimeAsync(30);
    fake.of(end).end();
    expect((await call.result).durationMs).toBe(end === 'stop' ? 20 : 50);
  }
});

it('does not count the time for which the page was suspended', async () => {
  const fake = await warm();
  const call = fake.call('a', { timeout_s: 10 });
  await settled();
  vi.setSystemTime(Date.now() + 3_600_000);
  const asleep = vi.spyOn(performance, 'now').mockImplementation(() => 4_000_000);
  await vi.advanceTimersByTimeAsync(10_001);
  expect(fake.running).toEqual(['a']);
  asleep.mockRestore();
  fake.of('a').end();
  expect((await call.result).resultType).toBe('success');
});

it('ends every call of an interpreter that dies, once, and continues with queued ones', async () => {
  const fake = await warm();
  const tool = asynchronous;
  const flying = Array.from({ length: 50 }, (_, n) => fake.call(`call ${n}`, tool));
  const queued = fake.call('queued');
  await settled();
  expect(fake.running.length).toBe(50);
  fake.of('call 0').python.die();
  const results = await Promise.all(flying.map(({ result }) => result));
  expect(new Set(results.map(({ error }) => error))).toEqual(new Set(['crashed']));
  await settled();
  fake.of('queued').end();
  expect(await queued.result).toMatchObject({ resultType: 'success', stateLost: true });
});

it('reports a crash if the interpreter did not start, and tries again for the next call', async () => {
  const fake = new FakePool();
  fake.onTake = () => Promise.reject(new Error('no memory'));
  const call = fake.call('a');
  expect(await call.result).toMatchObject({ error: 'crashed', interpreter: '' });
  fake.onTake = () => Promise.resolve();
  fake.call('b');
  await settled();
  expect(fake.running).toEqual(['b']);
});

it('reports why Python did not start, and reports an inspection as cancelled only if it was', async () => {
  const fake = new FakePool();
  fake.onTake = () => Promise.reject(new RangeError('Array buffer allocation failed'));
  const stop = new AbortController();
  const inspect = () => fake.pool.inspect(stop.signal, ['a.py'], () => undefined);
  const why = 'Python could not be started: Array buffer allocation failed';
  await expect(fake.pool.ready()).rejects.toMatchObject({ code: 'crashed', message: why });
  await expect(inspect()).rejects.toMatchObject({ message: why, hint: 'Reload the page.' });
  expect((await fake.call('a').result).textResultForLlm).toContain(why);
  fake.onTake = () => new Promise(() => undefined);
  const cancelled = inspect();
  stop.abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'aborted' });
  const ended = fake.pool.inspect(new AbortController().signal, ['a.py'], () => undefined);
  fake.pool.dispose();
  await expect(ended).rejects.toMatchObject({ code: 'aborted' });
});

it('ends all calls as cancelled when the folder closes', async () => {
  const fake = await warm();
  const calls = [fake.call('a'), fake.call('b'), fake.call('c', {}, 'other')];
  await settled();
  fake.pool.dispose();
  const results = await Promise.all(calls.map(({ result }) => result));
  expect(results.map(({ error }) => error)).toEqual(Array(3).fill('cancelled'));
  expect(fake.alive).toEqual([]);
  expect((await fake.call('late').result).error).toBe('cancelled');
});

it('retires when all requested work has ended', async () => {
  const fake = await warm();
  const a = fake.call('a');
  const b = fake.call('b');
  await settled();
  fake.pool.retire();
  fake.of('a').end();
  await settled();
  expect(fake.alive.length).toBe(2);
  fake.of('b').end();
  await Promise.all([a.result, b.result]);
  await settled();
  expect(fake.alive).toEqual([]);
});

it('replaces an interpreter that a file kills, and continues with the next file', async () => {
  const fake = new FakePool();
  const reports: string[] = [];
  await fake.pool.inspect(new AbortController().signal, ['a.py', 'bad.py', 'c.py'], (report) => {
    reports.push('file' in report ? report.file : report.code);
  });
  expect(reports).toEqual(['a.py', 'crashed', 'c.py']);
  expect(fake.pythons.map(({ alive }) => alive)).toContain(false);
});
