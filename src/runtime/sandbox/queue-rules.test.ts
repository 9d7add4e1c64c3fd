/** Which calls of a session overlap, which wait, and in what order. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakePool, settled } from './python.fixture.ts';

const asynchronous = { kind: 'async' } as const;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('runs plain functions one after the other, in order of arrival', async () => {
  const fake = new FakePool();
  const calls = ['a', 'b', 'c'].map((name) => fake.call(name));
  await settled();
  expect(fake.running).toEqual(['a']);
  fake.of('a').end('first');
  await settled();
  expect(fake.running).toEqual(['b']);
  fake.of('b').end();
  await settled();
  fake.of('c').end();
  const results = await Promise.all(calls.map(({ result }) => result));
  expect(results.map(({ interpreter }) => interpreter)).toEqual(Array(3).fill('python-1'));
  expect(results[0]?.textResultForLlm).toBe('first');
});

it('lets only asynchronous calls overlap', async () => {
  const fake = new FakePool();
  fake.call('a', asynchronous);
  fake.call('b', { kind: 'async-generator' });
  fake.call('c', { kind: 'generator' });
  fake.call('d', asynchronous);
  await settled();
  expect(fake.running).toEqual(['a', 'b']);
  fake.of('a').end();
  await settled();
  expect(fake.running).toEqual(['b']);
  fake.of('b').end();
  await settled();
  // A later call does not overtake, although it could overlap with the running one.
  expect(fake.running).toEqual(['c']);
  fake.of('c').end();
  await settled();
  expect(fake.running).toEqual(['d']);
});

it('starts nothing beside a plain function that waits by stack switching', async () => {
  const fake = new FakePool();
  fake.call('sync');
  fake.call('a', asynchronous);
  await settled();
  fake.of('sync').stream();
  await settled();
  expect(fake.running).toEqual(['sync']);
});

it('runs a call that is not concurrency-safe alone', async () => {
  const fake = new FakePool();
  fake.call('a', asynchronous);
  fake.call('b', { ...asynchronous, safe: false });
  fake.call('c', asynchronous);
  await settled();
  expect(fake.running).toEqual(['a']);
  fake.of('a').end();
  await settled();
  expect(fake.running).toEqual(['b']);
  fake.of('b').end();
  await settled();
  expect(fake.running).toEqual(['c']);
});

it('asks a callable when the interpreter is free, and treats silence as no', async () => {
  const fake = new FakePool();
  const asking = { ...asynchronous, safe: 'callable' } as const;
  let answer: (safe: boolean) => void = () => undefined;
  fake.decisions.set('slow', new Promise((resolve) => (answer = resolve)));
  fake.decisions.set('yes', Promise.resolve(true));
  fake.call('sync');
  fake.call('yes', asking);
  fake.call('slow', asking);
  fake.call('last', asynchronous);
  await settled();
  expect(fake.running).toEqual(['sync']);
  fake.of('sync').end();
  await settled();
  expect(fake.running).toEqual(['yes']);
  answer(false);
  await settled();
  expect(fake.running).toEqual(['yes']);
  fake.of('yes').end();
  await settled();
  expect(fake.running).toEqual(['slow']);
  fake.of('slow').end();
  await settled();
  expect(fake.running).toEqual(['last']);
});

it('drops a question whose call was cancelled', async () => {
  const fake = new FakePool();
  fake.decisions.set('a', new Promise(() => undefined));
  fake.decisions.set('b', Promise.resolve(true));
  const asking = { ...asynchronous, safe: 'callable' } as const;
  const a = fake.call('a', asking);
  fake.call('b', asking);
  await settled();
  a.stop();
  expect((await a.result).error).toBe('cancelled');
  await settled();
  expect(fake.running).toEqual(['b']);
});

it('runs calls without a session one at a time, whatever their tools allow', async () => {
  const fake = new FakePool();
  fake.call('a', { ...asynchronous, stateless: true }, '');
  fake.call('b', { ...asynchronous, stateless: true }, '');
  await settled();
  expect(fake.running).toEqual(['a']);
  expect(fake.pythons.length).toBe(1);
});

it('moves calls without a session away from one that waits for the user', async () => {
  const fake = new FakePool();
  fake.call('asks', {}, '');
  const queued = fake.call('queued', {}, '');
  await settled();
  expect(fake.running).toEqual(['asks']);
  fake.clocks.get('asks')?.pause();
  await vi.advanceTimersByTimeAsync(1);
  fake.call('later', {}, '');
  await settled();
  expect(fake.running).toEqual(['asks', 'queued']);
  expect(fake.of('queued').python).not.toBe(fake.of('asks').python);
  fake.of('queued').end();
  await queued.result;
  await settled();
  expect(fake.running).toEqual(['asks', 'later']);
  fake.clocks.get('asks')?.resume();
  fake.call('after', {}, '');
  fake.of('asks').end();
  await settled();
  // The state that earlier calls have left stays with the first interpreter.
  expect(fake.of('after').python).toBe(fake.of('asks').python);
});

it('gives each session its own interpreter', async () => {
  const fake = new FakePool();
  const one = fake.call('a', {}, 'one');
  const two = fake.call('b', {}, 'two');
  await settled();
  expect(fake.running).toEqual(['a', 'b']);
  fake.of('a').end();
  fake.of('b').end();
  const [a, b] = await Promise.all([one.result, two.result]);
  expect(a.interpreter).not.toBe(b.interpreter);
});

it('allows queued calls to be cancelled, and keeps the order of the others', async () => {
  const fake = new FakePool();
  fake.call('a');
  const b = fake.call('b');
  fake.call('c');
  await settled();
  b.stop();
  expect(await b.result).toMatchObject({ error: 'cancelled', interpreter: '' });
  expect(b.started()).toBe(0);
  fake.of('a').end();
  await settled();
  expect(fake.running).toEqual(['c']);
});

it('distributes only stateless calls to helpers, fairly among sessions', async () => {
  const fake = new FakePool({ helpers: 2 });
  const stateless = { stateless: true };
  for (const name of ['a1', 'a2', 'a3', 'a4']) fake.call(name, stateless, 'a');
  fake.call('b1', {}, 'b');
  fake.call('b2', stateless, 'b');
  fake.call('b3', {}, 'b');
  await settled();
  await vi.advanceTimersByTimeAsync(1);
  expect(fake.running.sort()).toEqual(['a1', 'a2', 'b1', 'b2']);
  fake.of('a2').end();
  await settled();
  expect(fake.running.sort()).toEqual(['a1', 'a3', 'b1', 'b2']);
  fake.of('b1').end();
  await settled();
  expect(fake.running.sort()).toEqual(['a1', 'a3', 'b2', 'b3']);
  expect(fake.of('b3').python).toBe(fake.of('b1').python);
});

it('updates changed files in an interpreter between earlier and later calls', async () => {
  const fake = new FakePool();
  const before = fake.call('a');
  await settled();
  const after = fake.call('b');
  fake.save('2');
  const last = fake.call('c');
  fake.of('a').end();
  await settled();
  expect([fake.running, fake.of('b').python.updates]).toEqual([['b'], []]);
  fake.of('b').end();
  await settled();
  expect([fake.running, fake.of('c').python.updates]).toEqual([['c'], ['2']]);
  fake.of('c').end();
  const lost = await Promise.all([before, after, last].map(({ result }) => result));
  expect(lost.map(({ stateLost }) => stateLost)).toEqual([false, false, true]);
});
