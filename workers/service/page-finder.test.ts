import { expect, test } from 'vitest';
import { PageFinder } from './find-page.ts';
import { arrived, FakeSurroundings } from './surroundings.fixture.ts';

test('the host is searched for once, however many ask', async () => {
  const around = new FakeSurroundings();
  around.addPage('host');
  const finder = new PageFinder(around);
  const [first, second] = await Promise.all([finder.find(), finder.find()]);
  expect([second, await finder.find()]).toEqual([first, first]);
  expect(around.searches).toBe(1);
});

test('a host that has gone is searched for anew', async () => {
  const around = new FakeSurroundings();
  const host = around.addPage('host');
  const finder = new PageFinder(around);
  const first = await finder.find();
  host.die();
  await arrived();
  expect(await finder.find()).toBe('no-page');
  around.addPage('host');
  const next = await finder.find();
  expect([typeof next, next === first]).toEqual(['object', false]);
});

test('a host that gives its role away is searched for anew', async () => {
  const around = new FakeSurroundings();
  const host = around.addPage('host');
  const other = around.addPage('standby');
  const finder = new PageFinder(around);
  await finder.find();
  host.become('idle');
  other.become('host');
  await arrived();
  await finder.find();
  await arrived();
  expect(around.searches).toBe(2);
  // Of the channel that was in use, and of the one that the second search opened.
  expect(host.received).toEqual([{ type: 'bye' }, { type: 'bye' }]);
});

test('an idle page is not remembered: another may have opened a folder', async () => {
  const around = new FakeSurroundings();
  around.addPage('idle');
  const finder = new PageFinder(around);
  const first = await finder.find();
  around.addPage('host');
  expect(await finder.find()).not.toBe(first);
});

test('a forgotten page is searched for anew', async () => {
  const around = new FakeSurroundings();
  around.addPage('host');
  const finder = new PageFinder(around);
  const found = await finder.find();
  if (typeof found === 'string') throw new Error(found);
  finder.forget(found);
  await finder.find();
  expect(around.searches).toBe(2);
});

test('a search that failed does not stand in the way of the next', async () => {
  const around = new FakeSurroundings();
  const pageLocks = around.pageLocks.bind(around);
  around.pageLocks = () => Promise.reject(new Error('no locks'));
  const finder = new PageFinder(around);
  await expect(finder.find()).rejects.toThrow('no locks');
  around.pageLocks = pageLocks;
  expect(await finder.find()).toBe('no-page');
});
