/** The check of a call's arguments before the user is asked to approve it. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakePool, settled } from './python.fixture.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('valid arguments give no failure; invalid ones give the failure of the call', async () => {
  const fake = new FakePool();
  const good = fake.check('good');
  await settled();
  expect(fake.of('good').checkOnly).toBe(true);
  fake.of('good').end();
  expect(await good.result).toBeNull();
  const bad = fake.check('bad');
  await settled();
  fake.of('bad').refuse('TypeError: f() got an unexpected keyword argument');
  expect(await bad.result).toMatchObject({
    resultType: 'failure',
    error: 'TypeError: f() got an unexpected keyword argument',
    stateLost: false,
  });
});

test('does not wait for running or queued calls', async () => {
  const fake = new FakePool();
  void fake.call('running').result;
  void fake.call('queued').result;
  await settled();
  const checked = fake.check('checked');
  await settled();
  expect(fake.running).toEqual(['running', 'checked']);
  fake.of('checked').end();
  expect(await checked.result).toBeNull();
  fake.of('running').end();
  await settled();
  expect(fake.running).toEqual(['queued']);
});

test('an abort gives the result of a cancelled call', async () => {
  const fake = new FakePool();
  const checked = fake.check('checked');
  await settled();
  checked.stop();
  expect(await checked.result).toMatchObject({ error: 'cancelled' });
  const early = fake.check('early');
  early.stop();
  expect(await early.result).toMatchObject({ error: 'cancelled' });
});

test('if the interpreter dies, the check runs again in the next one', async () => {
  const fake = new FakePool();
  const checked = fake.check('checked');
  await settled();
  fake.of('checked').python.die();
  await settled();
  const [again] = fake.pythons[1]?.calls ?? [];
  again?.refuse('TypeError: no');
  expect(await checked.result).toMatchObject({ error: 'TypeError: no' });
});

test('a check that takes longer than the tool’s timeout ends with its interpreter', async () => {
  const fake = new FakePool();
  const checked = fake.check('checked', { timeout_s: 2 });
  await settled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await checked.result).toMatchObject({ error: 'timeout' });
  expect(fake.of('checked').python.alive).toBe(false);
});

test('if another call keeps Python busy that long, the check reports nothing and ends nothing', async () => {
  const fake = new FakePool();
  void fake.call('running').result;
  await settled();
  const checked = fake.check('checked', { timeout_s: 2 });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await checked.result).toBeNull();
  expect(fake.of('running').python.alive).toBe(true);
  expect(fake.running).toContain('running');
});
