import { beforeEach, expect, test, vi } from 'vitest';
import { listUrl } from '../../src/runtime/protocol/offline.ts';
import {
  base,
  FakeCaches,
  FakeServer,
  sampleBuild,
  type SampleBuild,
} from '../../src/runtime/protocol/site.fixture.ts';
import { answerAppFrame, answerNavigation, type Site, answerFile } from './answer-navigation.ts';
import { StoredBuilds } from './stored-builds.ts';
import { routeOf } from './relay.ts';
import { appFrameAddress } from '../../src/runtime/protocol/app-frame.ts';

let server: FakeServer;
let caches: FakeCaches;
let site: Site;
let older: SampleBuild;
let newer: SampleBuild;

beforeEach(async () => {
  server = new FakeServer();
  caches = new FakeCaches();
  site = {
    address: base,
    stored: new StoredBuilds(caches.asStorage, base),
    fetch: server.fetch,
    checks: new Map(),
    after(ms, then) {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    },
  };
  older = await sampleBuild('a');
  newer = await sampleBuild('b');
});

async function shown(): Promise<string> {
  return (await answerNavigation(new Request(base), site)).text();
}

/** The page that is shown if the server never answers, with a fake clock. */
async function shownByClock(): Promise<string> {
  vi.useFakeTimers();
  try {
    const text = shown();
    await vi.advanceTimersByTimeAsync(8_000);
    return await text;
  } finally {
    vi.useRealTimers();
  }
}

test('without a stored build, the server’s answer is passed on', async () => {
  server.deploy(older);
  expect(await shown()).toBe(older.page);
  server.instead = () => Promise.reject(new TypeError('offline'));
  await expect(shown()).rejects.toThrow('offline');
});

test('an incomplete cache does not count as a stored build', async () => {
  await caches.store(older, 1);
  caches.kept.get(`cloche-files:/app/:${older.id}`)?.entries.delete(base + listUrl(older.id));
  server.instead = () => Promise.reject(new TypeError('offline'));
  await expect(shown()).rejects.toThrow('offline');
});

test.each([
  ['without a network', () => Promise.reject(new TypeError('offline'))],
  ['if the server fails', () => new Response('out of order', { status: 503 })],
  ['if the page is missing', () => new Response('nothing', { status: 404 })],
  ['during an upload', () => new Response('<html><head>')],
])('%s, the stored build is shown', async (_when, instead) => {
  await caches.store(older, 1);
  server.instead = instead;
  expect(await shown()).toBe(older.page);
});

test('the stored build is shown if the server does not answer in time', async () => {
  await caches.store(older, 1);
  server.instead = () => new Promise(() => {});
  expect(await shownByClock()).toBe(older.page);
});

test('of two stored builds, the one that the server served last is shown', async () => {
  await caches.store(older, 2);
  await caches.store(newer, 1);
  server.instead = () => Promise.reject(new TypeError('offline'));
  expect(await shown()).toBe(older.page);
});

test('a complete new build is shown at once', async () => {
  await caches.store(older, 1);
  server.deploy(newer);
  expect(await shown()).toBe(newer.page);
  // Files of both builds are not requested again.
  expect(server.asked).toEqual(['GET ', `GET ${listUrl(newer.id)}`, 'GET assets/index-b.js']);
});

test('a new build whose check takes longer than a navigation waits is shown by a later one', async () => {
  await caches.store(older, 1);
  server.deploy(newer);
  const fetch: Site['fetch'] = async (asked, init) => {
    if (asked !== base) await new Promise((resolve) => setTimeout(resolve, 7_000));
    return server.fetch(asked, init);
  };
  site = { ...site, fetch };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const pages: string[] = [];
    while (pages.at(-1) !== newer.page && pages.length < 9) {
      const count = pages.length;
      void shown().then((text) => pages.push(text));
      // Reading and hashing take real time.
      while (pages.length === count) {
        await vi.advanceTimersByTimeAsync(100);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    expect(pages.slice(0, 2)).toEqual([older.page, older.page]);
    expect(pages.at(-1)).toBe(newer.page);
    expect(server.asked.filter((asked) => asked.includes('files-'))).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

test('a new build whose check has failed is checked again', async () => {
  await caches.store(older, 1);
  server.deploy(newer);
  server.contents.delete(`${base}assets/index-b.js`);
  expect(await shown()).toBe(older.page);
  server.deploy(newer);
  expect(await shown()).toBe(newer.page);
});

test.each(['script', 'list'])('a new build without its %s is not shown', async (missing) => {
  await caches.store(older, 1);
  server.deploy(newer);
  const url = missing === 'list' ? listUrl(newer.id) : 'assets/index-b.js';
  server.contents.delete(base + url);
  expect(await shown()).toBe(older.page);
});

test('a new build with a wrong file is not shown', async () => {
  await caches.store(older, 1);
  server.deploy(newer);
  server.contents.set(`${base}assets/index-b.js`, 'half of i');
  expect(await shown()).toBe(older.page);
});

test('a redirect or a refusal is passed on', async () => {
  await caches.store(older, 1);
  server.instead = () => new Response('who are you', { status: 401 });
  expect(await shown()).toBe('who are you');
});

test('another site at the same address is passed on', async () => {
  await caches.store(older, 1);
  server.instead = () => new Response('<html><title>Moved</title></html>');
  expect(await shown()).toBe('<html><title>Moved</title></html>');
});

test('the server’s page is shown if storage fails', async () => {
  site = {
    ...site,
    stored: new StoredBuilds(
      {
        keys: () => Promise.reject(new Error('damaged')),
        match: () => Promise.reject(new Error()),
      },
      base,
    ),
  };
  server.deploy(older);
  expect(await shown()).toBe(older.page);
});

async function answer(path: string): Promise<string> {
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

test('the frame of an app gets the origins that the app may reach, and nothing else', async () => {
  site = { ...site, fetch: () => Promise.resolve(new Response('<html></html>')) };
  const allowlist = async (origins: readonly string[]): Promise<string | null> => {
    const [, query = ''] = appFrameAddress(origins).split('?');
    return (await answerAppFrame(query, site)).headers.get('Connection-Allowlist');
  };
  expect(await allowlist([])).toBe('(); webrtc=allow');
  expect(await allowlist(['https://a.example', 'wss://b.example:1'])).toBe(
    '("https://a.example" "wss://b.example:1"); webrtc=allow',
  );
  for (const forged of ['https://*', 'https://a"b', 'response-origin', 'https://a.example/;x'])
    expect(await allowlist([forged])).toBe('(); webrtc=allow');
});
