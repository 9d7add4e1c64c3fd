/** Inspects changed files beside calls, in a separate interpreter of the pool. */

import { expect, test } from 'vitest';
import { fakeFolder } from '../folder/folder.fixture.ts';
import { FakePool } from './python.fixture.ts';

const { signal } = new AbortController();

test('changed files are inspected in another interpreter, after a call and while one runs', async () => {
  const fake = new FakePool();
  const first = fake.call('1', {}, '');
  await expect.poll(() => fake.running).toEqual(['1']);
  fake.of('1').end();
  await first.result;
  fake.call('2', {}, '');
  await expect.poll(() => fake.running).toEqual(['2']);
  const inspector = fake.pool.openInspector();
  const reports: string[] = [];
  const edited = fakeFolder({ 'a.py': '2' });
  await inspector.inspect(signal, edited, ['a.py'], (report) => {
    reports.push('file' in report ? report.file : report.code);
  });
  expect([reports, fake.pythons.length, fake.running]).toEqual([['a.py'], 2, ['2']]);
  expect(fake.pythons[1]?.updates).toEqual(['1']);
  const drafted = fakeFolder({ 'a.py': '3' });
  expect((await inspector.propose(signal, drafted, 'a.py', null)).text).toBe('1 all');
  await expect(inspector.propose(signal, drafted, 'bad.py', ['bad:f'])).rejects.toThrow();
  expect(fake.pythons[1]?.alive).toBe(false);
  // Another interpreter takes its place.
  expect((await inspector.propose(signal, drafted, 'a.py', ['a:f'])).text).toBe('1 a:f');
  inspector.dispose();
  expect(fake.pythons[1]?.alive).toBe(false);
  fake.pool.dispose();
});
