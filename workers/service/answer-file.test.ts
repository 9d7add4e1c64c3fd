import { beforeEach, expect, test } from 'vitest';
import { base, FakeCaches, FakeServer, sampleBuild } from '../../src/protocol/site.fixture.ts';
import { answerFile, type Site } from './answer-navigation.ts';
import { routeOf } from './route.ts';
import { StoredBuilds } from './stored-builds.ts';

let server: FakeServer;
let caches: FakeCaches;

beforeEach(() => {
  server = new FakeServer();
  caches = new FakeCaches();
});

async function answer(path: string): Promise<string> {
  const site: Site = {
    address: base,
    stored: new StoredBuilds(caches.asStorage, base),
    fetch: server.fetch,
    after: () => () => {},
  };
  const response = await answerFile(new Request(base + path), site);
  return response.ok ? response.text() : String(response.status);
}

test('a page gets the files of its own build, even if the server has another one', async () => {
  await caches.store(await sampleBuild('a'), 1);
  server.deploy(await sampleBuild('b'));
  expect(await answer('assets/index-a.js')).toBe("run('a')");
  expect(await answer('assets/index-b.js')).toBe("run('b')");
  expect(await answer('assets/index-c.js')).toBe('404');
  expect(server.asked).toEqual(['GET assets/index-b.js', 'GET assets/index-c.js']);
});

test('a stored file without a hash in its name is used only offline', async () => {
  await caches.store(await sampleBuild('a'), 1);
  server.deploy(await sampleBuild('b'));
  expect(await answer('license.txt')).toBe('words of b');
  server.instead = () => Promise.reject(new TypeError('offline'));
  expect(await answer('license.txt')).toBe('words of a');
  await expect(answer('elsewhere.txt')).rejects.toThrow('offline');
});

test('requests are routed by address, method and mode', () => {
  const of = (path: string, init: RequestInit & { navigate?: boolean } = {}) => {
    const { method, headers } = new Request(base, init);
    const mode = init.navigate === true ? 'navigate' : 'cors';
    return routeOf(
      { url: path.startsWith('https:') ? path : base + path, method, headers, mode },
      base,
    );
  };
  expect(of('api/tools?x#y')).toEqual({ to: 'api', path: 'tools', query: 'x' });
  expect(of('api/tools/a%3Ab/invoke', { method: 'POST' })).toEqual({
    to: 'api',
    query: '',
    path: 'tools/a%3Ab/invoke',
  });
  expect(
    ['', 'index.html', '?from=elsewhere#/x'].map((path) => of(path, { navigate: true })),
  ).toEqual([{ to: 'page' }, { to: 'page' }, { to: 'page' }]);
  expect([of('license.txt', { navigate: true }), of('assets/x.js')]).toEqual([
    { to: 'file' },
    { to: 'file' },
  ]);
  expect([
    of(''),
    of('', { method: 'POST', navigate: true }),
    of('assets/x.js', { headers: { range: 'bytes=0-1' } }),
    of('https://cloche.test/other/'),
    of('https://elsewhere.test/app/'),
  ]).toEqual([undefined, undefined, undefined, undefined, undefined]);
});
