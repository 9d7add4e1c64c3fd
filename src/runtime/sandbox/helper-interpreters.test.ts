/** Helpers for stateless calls: whose calls they run, when they end, and what happens if one does not start. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakePool, settled } from './python.fixture.ts';

const stateless = { stateless: true };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A pool whose sessions are busy, so that stateless calls need helpers. */
async function busyPool(helpers: number, ...sessions: string[]): Promise<FakePool> {
  const fake = new FakePool({ helpers });
  for (const name of sessions) fake.call(`busy ${name}`, {}, name);
  await settled();
  return fake;
}

it('runs only one session’s calls in a helper', async () => {
  const fake = await busyPool(1, 'a', 'b');
  fake.call('a1', stateless, 'a');
  fake.call('a2', stateless, 'a');
  fake.call('b1', stateless, 'b');
  await settled();
  expect(fake.running).toEqual(['busy a', 'busy b', 'a1']);
  fake.of('a1').end();
  await settled();
  expect(fake.of('a2').python).toBe(fake.of('a1').python);
  fake.of('a2').end();
  await settled();
  const helper = fake.of('a1').python;
  const next = fake.of('b1').python;
  expect([helper.alive, next.calls.map(({ args }) => args)]).toEqual([false, ['b1']]);
});

it('keeps a helper warm for its session while there is room for another', async () => {
  const fake = await busyPool(2, 'a', 'b');
  fake.call('a1', stateless, 'a');
  await settled();
  fake.of('a1').end();
  await settled();
  fake.call('b1', stateless, 'b');
  await settled();
  fake.call('a2', stateless, 'a');
  await settled();
  expect(fake.of('b1').python).not.toBe(fake.of('a1').python);
  expect(fake.of('a2').python).toBe(fake.of('a1').python);
});

it('ends a session’s calls in helpers with the session', async () => {
  const fake = await busyPool(2, 'a', 'b');
  const gone = fake.call('a1', stateless, 'a');
  const waits = fake.call('a2', { ...stateless, kind: 'async' }, 'a');
  await settled();
  const stays = fake.call('b1', stateless, 'b');
  await settled();
  expect(fake.running).toEqual(['busy a', 'busy b', 'a1', 'a2']);
  fake.pool.endSession('a');
  const ended = await Promise.all([gone.result, waits.result]);
  expect(ended.map(({ error }) => error)).toEqual(['cancelled', 'cancelled']);
  await settled();
  expect([fake.of('a1').python.alive, fake.of('a2').python.alive]).toEqual([false, false]);
  fake.of('b1').end();
  expect((await stays.result).resultType).toBe('success');
});

it('lets a call finish in a helper whose files have changed, but not after the folder closed', async () => {
  const fake = await busyPool(1, 'a');
  const first = fake.call('a1', stateless, 'a');
  await settled();
  fake.save('2');
  fake.call('a2', stateless, 'a');
  await settled();
  expect(fake.pool.list().map(({ role, state }) => `${role} ${state}`)).toEqual([
    'session busy',
    'helper ending',
  ]);
  fake.of('a1').end();
  expect((await first.result).resultType).toBe('success');
  await settled();
  expect([fake.of('a1').python.alive, fake.of('a2').python.has]).toEqual([false, '2']);
  fake.save('3');
  fake.pool.dispose();
  expect(fake.alive).toEqual([]);
});

it('retires only after the last call in a helper whose files have changed', async () => {
  const fake = await busyPool(1, 'a');
  const call = fake.call('a1', stateless, 'a');
  await settled();
  fake.save('2');
  fake.pool.retire();
  fake.of('busy a').end();
  await settled();
  expect(fake.running).toEqual(['a1']);
  fake.of('a1').end();
  expect((await call.result).resultType).toBe('success');
  await settled();
  expect(fake.alive).toEqual([]);
});

it('pauses after a failed start, and tries again later', async () => {
  const fake = await busyPool(1, 'a');
  let starts = 0;
  fake.onTake = () => {
    starts += 1;
    return Promise.reject(new Error('no memory'));
  };
  fake.call('a1', stateless, 'a');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(starts).toBe(1);
  fake.onTake = () => Promise.resolve();
  await vi.advanceTimersByTimeAsync(40_000);
  expect(fake.running).toEqual(['busy a', 'a1']);
});
