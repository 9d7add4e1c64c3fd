import { beforeEach, expect, test, vi } from 'vitest';
import { listUrl } from '../../src/protocol/offline.ts';
import {
  base,
  FakeCaches,
  FakeServer,
  sampleBuild,
  type SampleBuild,
} from '../../src/protocol/site.fixture.ts';
import { answerNavigation, type Site } from './answer-navigation.ts';
import { StoredBuilds } from './stored-builds.ts';

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

/** A server that never answers, on a clock that has run on. */
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

test('with nothing stored, the server is asked as if nobody stood between', async () => {
  server.deploy(older);
  expect(await shown()).toBe(older.page);
  server.instead = () => Promise.reject(new TypeError('offline'));
  await expect(shown()).rejects.toThrow('offline');
});

test('a partly filled cache is no stored build', async () => {
  await caches.store(older, 1);
  caches.kept.get(`cloche-files:/app/:${older.id}`)?.entries.delete(base + listUrl(older.id));
  server.instead = () => Promise.reject(new TypeError('offline'));
  await expect(shown()).rejects.toThrow('offline');
});

test.each([
  ['without a network', () => Promise.reject(new TypeError('offline'))],
  ['where the server fails', () => new Response('out of order', { status: 503 })],
  ['where the page is missing', () => new Response('nothing', { status: 404 })],
  ['in the middle of an upload', () => new Response('<html><head>')],
])('%s, the stored build is shown', async (_when, instead) => {
  await caches.store(older, 1);
  server.instead = instead;
  expect(await shown()).toBe(older.page);
});

test('a server that does not answer in time is not waited for', async () => {
  await caches.store(older, 1);
  server.instead = () => new Promise(() => {});
  expect(await shownByClock()).toBe(older.page);
});

test('of two stored builds, the one that the server named last is shown', async () => {
  await caches.store(older, 2);
  await caches.store(newer, 1);
  server.instead = () => Promise.reject(new TypeError('offline'));
  expect(await shown()).toBe(older.page);
});

test('a new build is shown at once where all of it is there', async () => {
  await caches.store(older, 1);
  server.deploy(newer);
  expect(await shown()).toBe(newer.page);
  // What both builds have is not asked for.
  expect(server.asked).toEqual(['GET ', `GET ${listUrl(newer.id)}`, 'GET assets/index-b.js']);
});

test.each(['script', 'list'])(
  'a new build without its %s leaves the old one working',
  async (missing) => {
    await caches.store(older, 1);
    server.deploy(newer);
    const url = missing === 'list' ? listUrl(newer.id) : 'assets/index-b.js';
    server.contents.delete(base + url);
    expect(await shown()).toBe(older.page);
  },
);

test('a new build with a file of another content leaves the old one working', async () => {
  await caches.store(older, 1);
  server.deploy(newer);
  server.contents.set(`${base}assets/index-b.js`, 'half of i');
  expect(await shown()).toBe(older.page);
});

test('a redirection or a refusal is passed on', async () => {
  await caches.store(older, 1);
  server.instead = () => new Response('who are you', { status: 401 });
  expect(await shown()).toBe('who are you');
});

test('another site at the same address is passed on', async () => {
  await caches.store(older, 1);
  server.instead = () => new Response('<html><title>Moved</title></html>');
  expect(await shown()).toBe('<html><title>Moved</title></html>');
});

test('a storage that fails is no reason to fail', async () => {
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
