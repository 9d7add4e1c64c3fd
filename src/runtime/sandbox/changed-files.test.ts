/** Which files an interpreter has when a call runs in it, whenever the files changed. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeFolder } from '../folder/folder.fixture.ts';
import { FakePool, later, settled } from './python.fixture.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A pool with a spare whose next update the test ends. */
async function updating() {
  const fake = new FakePool();
  fake.call('a', {}, 'one');
  await vi.advanceTimersByTimeAsync(3_000);
  const spare = fake.pythons[1]!;
  const update = later();
  spare.onUpdate = () => update.done;
  fake.save('2');
  return { fake, spare, update };
}

it('runs calls that waited for a new interpreter with the current files', async () => {
  const fake = new FakePool();
  const loop = fake.call('loop');
  await settled();
  fake.save('2');
  const start = later();
  fake.onTake = () => start.done;
  loop.stop();
  expect((await loop.result).error).toBe('cancelled');
  fake.call('next');
  await settled();
  fake.save('3');
  start.end();
  await settled();
  const { name, has } = fake.of('next').python;
  expect([name, has]).toEqual(['python-2', '3']);
});

it('applies several changes during a call in one update', async () => {
  const fake = new FakePool();
  fake.call('loop');
  await settled();
  for (const id of ['2', '3', '4']) fake.save(id);
  fake.call('next');
  fake.save('5');
  fake.of('loop').end();
  await settled();
  const { python } = fake.of('next');
  expect([fake.running, python.updates]).toEqual([['next'], ['4']]);
  fake.of('next').end();
  await settled();
  expect(python.updates).toEqual(['4', '5']);
});

it('assigns a spare only after it has all changed files', async () => {
  const { fake, spare, update } = await updating();
  fake.call('b', {}, 'two');
  fake.save('3');
  await settled();
  expect([fake.running, fake.pool.list().map(({ state }) => state)]).toEqual([
    ['a'],
    ['busy', 'starting'],
  ]);
  update.end();
  await settled();
  expect([fake.running, fake.of('b').python, spare.has]).toEqual([['a', 'b'], spare, '3']);
});

it('gives the inspector the version of the files that the spare has', async () => {
  const { fake, spare, update } = await updating();
  const edited = { ...fakeFolder({}), id: '2' };
  const { signal } = new AbortController();
  const inspected = fake.pool.openInspector().inspect(signal, edited, ['a.py'], () => undefined);
  await settled();
  expect(spare.updates).toEqual(['2']);
  update.end();
  await inspected;
  expect([spare.has, spare.updates, fake.pythons.length]).toEqual(['2', ['2'], 2]);
});

it('ends a spare whose update failed, and no call with it', async () => {
  const { fake, spare, update } = await updating();
  const call = fake.call('b', {}, 'two');
  await settled();
  update.fail(new Error('it took too long'));
  await settled();
  expect([spare.alive, fake.of('b').python.name]).toEqual([false, 'python-3']);
  fake.of('b').end();
  expect((await call.result).resultType).toBe('success');
});

it('ends a spare that is still being updated when the folder closes', async () => {
  const { fake, spare, update } = await updating();
  fake.pool.dispose();
  update.end();
  await settled();
  expect([spare.alive, fake.alive]).toEqual([false, []]);
});
