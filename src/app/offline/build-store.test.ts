import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { buildLock, filesCache, listUrl } from '../../runtime/protocol/offline.ts';
import {
  base,
  FakeCaches,
  FakeServer,
  sampleBuild,
  type SampleBuild,
} from '../../runtime/protocol/site.fixture.ts';
import { BuildStore } from './build-store.ts';
import { FakeLocks } from '../../runtime/async/locks.fixture.ts';

const { signal } = new AbortController();
let server: FakeServer;
let caches: FakeCaches;
let locks: FakeLocks;
let own: SampleBuild;
let older: SampleBuild;
let now: number;

beforeEach(async () => {
  server = new FakeServer();
  caches = new FakeCaches();
  locks = new FakeLocks();
  own = await sampleBuild('b');
  older = await sampleBuild('a');
  server.deploy(own);
  now = 1_000_000;
});

afterEach(() => vi.useRealTimers());

function storeOf(build: SampleBuild): BuildStore {
  return new BuildStore({
    base: new URL(base),
    build: build.id,
    caches: caches.asStorage,
    locks,
    fetch: server.fetch,
    now: () => now,
  });
}

/** Texts by their address below the base, in the order in which they were stored. */
async function stored(build: SampleBuild): Promise<[string, string][]> {
  const { entries = new Map<string, Response>() } =
    caches.kept.get(filesCache('/app/', build.id)) ?? {};
  return Promise.all(
    [...entries].map(async ([url, response]): Promise<[string, string]> => {
      return [url.slice(base.length), await response.clone().text()];
    }),
  );
}

test('every file of the build is stored, the list last, and progress is reported', async () => {
  const reported: [number, number][] = [];
  const store = storeOf(own);
  expect(await store.isComplete()).toBe(false);
  await store.store(signal, (...progress) => reported.push(progress));
  expect(await store.isComplete()).toBe(true);
  expect(await stored(own)).toEqual([['', own.page], ...own.files]);
  expect(reported).toEqual([
    [0, 24],
    [8, 24],
    [14, 24],
    [24, 24],
  ]);
  expect(await store.bytes()).toBe(
    [own.page, ...own.files.values()].reduce((sum, text) => sum + text.length, 0),
  );
});

test('an interrupted download is continued, and not complete before its end', async () => {
  server.contents.delete(`${base}license.txt`);
  const store = storeOf(own);
  await expect(store.store(signal, () => {})).rejects.toMatchObject({
    code: 'not-found',
    message: `${base}license.txt could not be loaded (404)`,
  });
  expect(await store.isComplete()).toBe(false);
  server.deploy(own);
  server.asked.length = 0;
  await store.store(signal, () => {});
  expect(server.asked).toEqual([`GET ${listUrl(own.id)}`, 'GET ', 'GET license.txt']);
  expect(await store.isComplete()).toBe(true);
});

/** A server that answers for one file with a body of the test. */
function pieces(file: string): (text: string | null) => void {
  const { fetch } = server;
  let body: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>({ start: (begun) => void (body = begun) });
  Object.assign(server, {
    fetch: async (...asked: Parameters<typeof fetch>) => {
      const response = await fetch(...asked);
      return server.asked.at(-1) === `GET ${file}` ? new Response(stream) : response;
    },
  });
  return (text) => {
    if (text === null) body?.close();
    else body?.enqueue(new TextEncoder().encode(text));
  };
}

const licenseAsked = () => expect.poll(() => server.asked).toContain('GET license.txt');

test('a download that stalls ends, and is continued later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const send = pieces('license.txt');
  const stalled = expect(storeOf(own).store(signal, () => {})).rejects.toMatchObject({
    code: 'not-found',
    message: `${base}license.txt could not be loaded (the connection was lost)`,
  });
  await licenseAsked();
  send('words');
  await vi.advanceTimersByTimeAsync(60_000);
  await stalled;
  server = new FakeServer();
  server.deploy(own);
  const again = storeOf(own);
  await again.store(signal, () => {});
  expect(server.asked).not.toContain('GET assets/python.wasm');
  expect(await again.isComplete()).toBe(true);
});

test('a slow download may take long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const send = pieces('license.txt');
  const store = storeOf(own);
  const stored = store.store(signal, () => {});
  await licenseAsked();
  for (const piece of ['words', ' of ', 'b', null]) {
    await vi.advanceTimersByTimeAsync(50_000);
    send(piece);
  }
  await stored;
  expect(await store.isComplete()).toBe(true);
});

test('identical files of another build are copied, not downloaded', async () => {
  await caches.store(older, now);
  await storeOf(own).store(signal, () => {});
  expect(server.asked).not.toContain('GET assets/python.wasm');
  expect(server.asked).toContain('GET license.txt');
  expect(Object.fromEntries(await stored(own))).toMatchObject({
    'assets/python.wasm': 'common',
    'license.txt': 'words of b',
  });
});

test('a file with a wrong hash is not stored', async () => {
  server.contents.set(`${base}assets/python.wasm`, 'tampered');
  await expect(storeOf(own).store(signal, () => {})).rejects.toMatchObject({ code: 'integrity' });
  expect((await stored(own)).map(([url]) => url)).toEqual(['', 'assets/index-b.js']);
});

test('a page of a build that the server no longer has stores nothing', async () => {
  server.contents.set(base, older.page);
  await expect(storeOf(own).store(signal, () => {})).rejects.toMatchObject({ code: 'integrity' });
  expect(await stored(own)).toEqual([]);
});

test('a full disk is reported as such', async () => {
  caches.refusal = new DOMException('no room', 'QuotaExceededError');
  await expect(storeOf(own).store(signal, () => {})).rejects.toMatchObject({
    code: 'storage',
    message: 'The browser’s storage is full',
  });
});

test('a write that never ends fails, and another page can store the files', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const listAddress = base + listUrl(own.id);
  caches.stuck = listAddress;
  const stuck = expect(storeOf(own).store(signal, () => {})).rejects.toMatchObject({
    code: 'storage',
    message: `The browser’s storage failed: Writing ${listAddress} took longer than 60 s`,
  });
  await expect.poll(() => caches.stuck).toBeUndefined();
  const store = storeOf(own);
  const again = store.store(signal, () => {});
  await vi.advanceTimersByTimeAsync(60_000);
  await Promise.all([stuck, again]);
  expect(await store.isComplete()).toBe(true);
});

test('an aborted download leaves no complete build', async () => {
  const stop = new AbortController();
  const store = storeOf(own);
  await expect(
    store.store(stop.signal, (done) => {
      if (done > 0) stop.abort();
    }),
  ).rejects.toMatchObject({ name: 'AbortError' });
  expect(await store.isComplete()).toBe(false);
});

test('old builds are deleted once no page uses them and the new one has been complete for a while', async () => {
  const ancient = await sampleBuild('c');
  await caches.store(older, now - 5);
  await caches.store(ancient, now - 10);
  await caches.open('somebody else’s');
  const names = (): string[] => [...caches.kept.keys()];
  const store = storeOf(own);
  await store.dropOthers();
  await store.store(signal, () => {});
  await store.dropOthers();
  expect(names()).toHaveLength(4);
  now += 60_000;
  let close = (): void => {};
  void locks.request(buildLock('/app/', older.id), { mode: 'shared' }, () => {
    return new Promise<void>((resolve) => {
      close = resolve;
    });
  });
  await store.dropOthers();
  const olders = filesCache('/app/', older.id);
  const others = 'somebody else’s';
  const owns = filesCache('/app/', own.id);
  expect(names()).toEqual([olders, others, owns]);
  close();
  await Promise.resolve();
  await store.confirm();
  await store.dropOthers();
  expect(names()).toEqual([olders, others, owns]);
  now += 60_000;
  await store.dropOthers();
  expect(names()).toEqual([others, owns]);
  await store.clear();
  expect(names()).toEqual([others]);
});

test('a build that is deleted while it is confirmed does not reappear as a list', async () => {
  const store = storeOf(own);
  await store.store(signal, () => {});
  await Promise.all([store.confirm(), store.clear()]);
  expect([await store.isComplete(), await stored(own)]).toEqual([false, []]);
  await Promise.all([store.clear(), store.confirm()]);
  expect([await store.isComplete(), await stored(own)]).toEqual([false, []]);
});
