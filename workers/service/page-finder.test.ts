import { expect, test } from 'vitest';
import { AppPage } from './app-page.ts';
import { PageFinder } from './find-page.ts';
import { arrived, FakeServiceDeps } from './service-deps.fixture.ts';

test('concurrent requests share one search, and later ones its result', async () => {
  const deps = new FakeServiceDeps();
  deps.addPage('host');
  const finder = new PageFinder(deps);
  const [first, second] = await Promise.all([finder.find(null), finder.find(null)]);
  expect([second, await finder.find(null)]).toEqual([first, first]);
  expect(deps.searches).toBe(1);
});

test('a host that has closed is searched again', async () => {
  const deps = new FakeServiceDeps();
  const host = deps.addPage('host');
  const finder = new PageFinder(deps);
  const first = await finder.find(null);
  host.die();
  await arrived();
  expect(await finder.find(null)).toBe('no-page');
  deps.addPage('host');
  const next = await finder.find(null);
  expect([typeof next, next === first]).toEqual(['object', false]);
});

test('a host that gives up its role is searched again', async () => {
  const deps = new FakeServiceDeps();
  const host = deps.addPage('host');
  const other = deps.addPage('standby');
  const finder = new PageFinder(deps);
  await finder.find(null);
  host.become('idle');
  other.become('host');
  await arrived();
  await finder.find(null);
  await arrived();
  expect(deps.searches).toBe(2);
  // The page gets one message over the channel in use, and one over the channel of the second search.
  expect(host.received).toEqual([{ type: 'bye' }, { type: 'bye' }]);
});

test('an idle page is not remembered, since another may open a folder', async () => {
  const deps = new FakeServiceDeps();
  deps.addPage('idle');
  const finder = new PageFinder(deps);
  const first = await finder.find(null);
  deps.addPage('host');
  expect(await finder.find(null)).not.toBe(first);
});

test('a forgotten page is searched again', async () => {
  const deps = new FakeServiceDeps();
  deps.addPage('host');
  const finder = new PageFinder(deps);
  const found = await finder.find(null);
  if (!(found instanceof AppPage)) throw new Error('no page');
  finder.forget(found);
  await finder.find(null);
  expect(deps.searches).toBe(2);
});

const folderOf = (id: string, usedAt: number, name = id) => ({ folder: { id, name }, usedAt });

test('each folder has its host, and without a folder the one that was used last answers', async () => {
  const deps = new FakeServiceDeps();
  deps.addPage('idle');
  const a = deps.addPage('host', undefined, folderOf('a', 2));
  const b = deps.addPage('host', undefined, folderOf('b', 1, 'tools'));
  const c = deps.addPage('host', undefined, folderOf('c', 0, 'tools'));
  const finder = new PageFinder(deps);
  const lockOf = async (folder: string | null): Promise<unknown> => {
    const found = await finder.find(folder);
    return found instanceof AppPage ? found.lock : found;
  };
  expect([await lockOf(null), await lockOf('b'), await lockOf('c')]).toEqual(
    [a, b, c].map(({ lock }) => lock),
  );
  const [one, two, three] = [a, b, c].map(({ about }) => about.folder);
  expect(await lockOf('tools')).toEqual({ hosted: [one, two, three], named: [two, three] });
  expect(await lockOf('d')).toEqual({ hosted: [one, two, three], named: [] });
  b.about = folderOf('b', 3, 'tools');
  b.become('host');
  await arrived();
  expect([await lockOf(null), finder.folders]).toEqual([b.lock, [two, one, three]]);
});

test('a page that becomes host later is found, with or without its folder', async () => {
  const deps = new FakeServiceDeps();
  const first = deps.addPage('host', undefined, folderOf('a', 1));
  const finder = new PageFinder(deps);
  await finder.find(null);
  const second = deps.addPage('host', undefined, folderOf('b', 2));
  expect(await finder.find('b')).toMatchObject({ lock: second.lock });
  const third = deps.addPage('host', undefined, folderOf('c', 3));
  finder.hostsChanged();
  expect(await finder.find(null)).toMatchObject({ lock: third.lock });
  await arrived();
  // The channels of earlier searches are closed.
  expect(first.received).toEqual([{ type: 'bye' }, { type: 'bye' }]);
});

test('a host is not kept waiting for pages that do not answer', async () => {
  const deps = new FakeServiceDeps();
  const host = deps.addPage('host', undefined, folderOf('a', 1));
  deps.addPage('mute');
  const found = new PageFinder(deps).find(null);
  await deps.pass(299);
  await deps.pass(1);
  expect(await found).toMatchObject({ lock: host.lock });
});

test('a failed search is followed by a new one', async () => {
  const deps = new FakeServiceDeps();
  const pageLocks = deps.pageLocks.bind(deps);
  deps.pageLocks = () => Promise.reject(new Error('no locks'));
  const finder = new PageFinder(deps);
  await expect(finder.find(null)).rejects.toThrow('no locks');
  deps.pageLocks = pageLocks;
  expect(await finder.find(null)).toBe('no-page');
});
