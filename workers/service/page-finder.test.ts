import { expect, test } from 'vitest';
import { PageFinder } from './find-page.ts';
import { arrived, FakeServiceDeps } from './service-deps.fixture.ts';

test('concurrent requests share one search, and later ones its result', async () => {
  const deps = new FakeServiceDeps();
  deps.addPage('host');
  const finder = new PageFinder(deps);
  const [first, second] = await Promise.all([finder.find(), finder.find()]);
  expect([second, await finder.find()]).toEqual([first, first]);
  expect(deps.searches).toBe(1);
});

test('a host that has closed is searched again', async () => {
  const deps = new FakeServiceDeps();
  const host = deps.addPage('host');
  const finder = new PageFinder(deps);
  const first = await finder.find();
  host.die();
  await arrived();
  expect(await finder.find()).toBe('no-page');
  deps.addPage('host');
  const next = await finder.find();
  expect([typeof next, next === first]).toEqual(['object', false]);
});

test('a host that gives up its role is searched again', async () => {
  const deps = new FakeServiceDeps();
  const host = deps.addPage('host');
  const other = deps.addPage('standby');
  const finder = new PageFinder(deps);
  await finder.find();
  host.become('idle');
  other.become('host');
  await arrived();
  await finder.find();
  await arrived();
  expect(deps.searches).toBe(2);
  // One for the channel in use, and one for the channel of the second search.
  expect(host.received).toEqual([{ type: 'bye' }, { type: 'bye' }]);
});

test('an idle page is not remembered, since another may open a folder', async () => {
  const deps = new FakeServiceDeps();
  deps.addPage('idle');
  const finder = new PageFinder(deps);
  const first = await finder.find();
  deps.addPage('host');
  expect(await finder.find()).not.toBe(first);
});

test('a forgotten page is searched again', async () => {
  const deps = new FakeServiceDeps();
  deps.addPage('host');
  const finder = new PageFinder(deps);
  const found = await finder.find();
  if (typeof found === 'string') throw new Error(found);
  finder.forget(found);
  await finder.find();
  expect(deps.searches).toBe(2);
});

test('a failed search is followed by a new one', async () => {
  const deps = new FakeServiceDeps();
  const pageLocks = deps.pageLocks.bind(deps);
  deps.pageLocks = () => Promise.reject(new Error('no locks'));
  const finder = new PageFinder(deps);
  await expect(finder.find()).rejects.toThrow('no locks');
  deps.pageLocks = pageLocks;
  expect(await finder.find()).toBe('no-page');
});
