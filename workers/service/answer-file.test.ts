import { beforeEach, expect, test } from 'vitest';
import { base, FakeCaches, FakeServer, sampleBuild } from '../../src/protocol/site.fixture.ts';
import { answerFile } from './answer-file.ts';
import type { Site } from './answer-navigation.ts';
import { routeOf } from './route.ts';
import { StoredBuilds } from './stored-builds.ts';

let server: FakeServer;
let caches: FakeCaches;

beforeEach(() => {
  server = new FakeServer();
  caches = new FakeCaches();
});

async function got(path: string): Promise<string> {
  const site: Site = {
    address: base,
    stored: new StoredBuilds(caches.asStorage, base),
    fetch: server.fetch,
    after: () => () => {},
  };
  const response = await answerFile(new Request(base + path), site);
  return response.ok ? response.text() : String(response.status);
}

test('a page gets its own build’s files, though the server has another build', async () => {
  await caches.store(await sampleBuild('a'), 1);
  server.deploy(await sampleBuild('b'));
  expect(await got('assets/index-a.js')).toBe("run('a')");
  expect(await got('assets/index-b.js')).toBe("run('b')");
  expect(await got('assets/index-c.js')).toBe('404');
  expect(server.asked).toEqual(['GET assets/index-b.js', 'GET assets/index-c.js']);
});

test('a file whose name says nothing of its content is stored for bad times only', async () => {
  await caches.store(await sampleBuild('a'), 1);
  server.deploy(await sampleBuild('b'));
  expect(await got('license.txt')).toBe('words of b');
  server.instead = () => Promise.reject(new TypeError('offline'));
  expect(await got('license.txt')).toBe('words of a');
  await expect(got('elsewhere.txt')).rejects.toThrow('offline');
});

test('requests are told apart', () => {
  const of = (path: string, init: RequestInit & { navigate?: boolean } = {}) => {
    const { method, headers } = new Request(base, init);
    const mode = init.navigate === true ? 'navigate' : 'cors';
    return routeOf(
      { url: path.startsWith('https:') ? path : base + path, method, headers, mode },
      base,
    );
  };
  expect(of('api/tools?x#y')).toEqual({ to: 'api', path: 'tools' });
  expect(of('api/tools/a%3Ab/invoke', { method: 'POST' })).toEqual({
    to: 'api',
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
