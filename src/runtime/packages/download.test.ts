/** Downloads for packages: where they may go, how each ends, and what is logged. */

import { afterEach, expect, test, vi } from 'vitest';
import { response } from '../grants/grants.fixture.ts';
import { RequestLog } from '../grants/request-log.ts';
import type { Send, Sent, SentResponse } from '../grants/network-sender.ts';
import type { NetworkRequest } from '../protocol/network.ts';
import { downloadWhile, downloadWith, type Wish } from './download.ts';
import { never } from './packages.fixture.ts';

const url = 'https://files.example/x.whl';
const origin = 'https://files.example';

afterEach(() => {
  vi.useRealTimers();
});

function raise(thrown: unknown): void {
  throw thrown;
}

function opened(respond: Send = () => Promise.resolve(response(['hel', 'lo'])), online = true) {
  const sent: NetworkRequest[] = [];
  const log = new RequestLog(raise);
  let clock = 1_000;
  const download = downloadWith({
    send: (signal, request) => {
      sent.push(request);
      return respond(signal, request);
    },
    log,
    appOrigin: 'https://cloche.example',
    isOnline: () => online,
    now: () => (clock += 5),
  });
  const get = (wish: Partial<Wish> = {}, signal = never) =>
    download(signal, { url, accept: 'a/b', maxBytes: 10, localOrigin: '', ...wish });
  return { get, sent, log };
}

/** Does not answer until aborted. */
const silent: Send = (signal) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve({ failed: 'network', why: (signal.reason as Error).message });
    });
  });

/** Sends one piece every `ms` milliseconds. */
function slow(signal: AbortSignal, ms: number, pieces: number): SentResponse {
  let left = pieces;
  const read = (): Promise<Uint8Array<ArrayBuffer> | null> =>
    new Promise((resolve, reject) => {
      const abort = (): void => {
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', abort);
      setTimeout(() => {
        signal.removeEventListener('abort', abort);
        resolve(left-- > 0 ? Uint8Array.of(1) : null);
      }, ms);
    });
  return { ...response(), read };
}

test('content arrives whole, with progress and a log entry', async () => {
  const { get, sent, log } = opened();
  const received: number[] = [];
  expect(await get({ onBytes: (bytes) => received.push(bytes) })).toEqual({
    bytes: new TextEncoder().encode('hello'),
    type: 'text/plain',
  });
  expect(received).toEqual([3, 5]);
  expect(sent).toEqual([
    { url, method: 'GET', headers: [['Accept', 'a/b']], body: null, secrets: [] },
  ]);
  expect(log.list()).toEqual([
    {
      n: 1,
      at: 1_005,
      tool: 'packages',
      callId: '',
      origin,
      method: 'GET',
      url,
      sentBytes: 0,
      receivedBytes: 5,
      durationMs: 5,
      status: 200,
      fault: '',
    },
  ]);
});

test.each([
  ['http://files.example/x', 'not encrypted'],
  ['https://cloche.example/x', 'own address'],
  ['https://localhost/x', 'on this computer or its network'],
  ['http://127.0.0.1:8000/x', 'on this computer or its network'],
  ['https://192.168.0.1/x', 'on this computer or its network'],
  ['https://[::1]/x', 'on this computer or its network'],
  ['https://2130706433/x', 'on this computer or its network'],
  ['https://printer/x', 'on this computer or its network'],
  ['https://me:secret@files.example/x', 'user name or password'],
  ['javascript:alert(1)', 'neither http: nor https:'],
  ['data:,x', 'neither http: nor https:'],
  ['file:///etc/passwd', 'neither http: nor https:'],
  ['x.whl', 'not an absolute address'],
  ['', 'not an absolute address'],
  ['https://files.example/\nx', 'line break'],
])('%j is never requested', async (bad, why) => {
  const { get, sent, log } = opened();
  await expect(get({ url: bad })).rejects.toMatchObject({
    code: 'package-unreachable',
    message: expect.stringContaining(why) as string,
    hint: 'Choose another index on the Policy page.',
  });
  expect([sent, log.list()]).toEqual([[], []]);
});

test('on this computer and its network, only the origin that the user has named is requested', async () => {
  const { get, sent } = opened();
  const localOrigin = 'http://localhost:8000';
  await get({ url: 'http://localhost:8000/simple/x/', localOrigin });
  expect(sent).toHaveLength(1);
  for (const other of [
    'http://localhost:8001/',
    'https://localhost:8000/',
    'http://127.0.0.1:8000/',
  ])
    await expect(get({ url: other, localOrigin })).rejects.toMatchObject({
      message: expect.stringContaining('on this computer') as string,
    });
  await expect(
    get({ url: 'http://files.example/', localOrigin: 'http://files.example' }),
  ).rejects.toMatchObject({ message: expect.stringContaining('not encrypted') as string });
  expect(sent).toHaveLength(1);
});

test.each([404, 410])('%i: not found', async (status) => {
  const cancel = vi.fn();
  const { get, log } = opened(() => Promise.resolve({ ...response(['no'], status), cancel }));
  expect(await get()).toBe('not-found');
  expect(cancel).toHaveBeenCalledOnce();
  expect(log.list()).toMatchObject([{ status, durationMs: 5, fault: '', receivedBytes: 0 }]);
});

test.each([500, 403, 429, 204, 206, 304])('%i is a failure', async (status) => {
  const cancel = vi.fn();
  const { get, log } = opened(() => Promise.resolve({ ...response(['no'], status), cancel }));
  const message = `${origin} answered with status ${status}`;
  await expect(get()).rejects.toMatchObject({ code: 'package-unreachable', message });
  expect(cancel).toHaveBeenCalledOnce();
  expect(log.list()).toMatchObject([{ status, durationMs: 5, fault: message }]);
});

const noAnswer = (failed: 'redirect' | 'network'): Promise<Sent> =>
  Promise.resolve({ failed, why: 'Failed to fetch' });

test.each([
  ['a redirect', 'redirect', true, 'redirect, which is not followed'],
  ['no network', 'network', false, 'this browser is offline'],
  ['no CORS', 'network', true, 'does not allow requests from web pages (Failed to fetch)'],
] as const)('%s is reported with a remedy', async (_, failed, online, why) => {
  const { get, log } = opened(() => noAnswer(failed), online);
  await expect(get()).rejects.toMatchObject({
    code: 'package-unreachable',
    message: expect.stringContaining(why) as string,
    hint: expect.stringMatching(/.+/) as string,
  });
  expect(log.list()).toMatchObject([
    { status: null, fault: expect.stringContaining(why) as string },
  ]);
});

test('a download over the limit is cut off', async () => {
  const cancel = vi.fn();
  const { get, log } = opened(() => Promise.resolve({ ...response(['123456', '123456']), cancel }));
  await expect(get({ maxBytes: 11 })).rejects.toMatchObject({
    code: 'package-limit',
    message: expect.stringContaining('larger than the limit') as string,
  });
  expect(cancel).toHaveBeenCalledOnce();
  expect(log.list()).toMatchObject([
    { status: 200, fault: expect.stringContaining('limit') as string },
  ]);
  expect(
    await opened(() => Promise.resolve(response(['123456', '123456']))).get({ maxBytes: 12 }),
  ).toMatchObject({ type: 'text/plain' });
});

test('a broken connection is reported', async () => {
  const { get, log } = opened(() =>
    Promise.resolve({ ...response(), read: () => Promise.reject(new Error('reset')) }),
  );
  const message = `the connection to ${origin} was lost`;
  await expect(get()).rejects.toMatchObject({ code: 'package-unreachable', message });
  expect(log.list()).toMatchObject([{ status: 200, fault: message, durationMs: 5 }]);
});

test('a server that never answers is given up', async () => {
  vi.useFakeTimers();
  const { get } = opened(silent);
  const asked = expect(get()).rejects.toMatchObject({
    message: expect.stringContaining('stopped responding') as string,
  });
  await vi.advanceTimersByTimeAsync(30_000);
  await asked;
  expect(vi.getTimerCount()).toBe(0);
});

test('a stalled download is given up; a slow one is not', async () => {
  vi.useFakeTimers();
  const late = opened(
    (signal) =>
      new Promise((resolve) => {
        setTimeout(() => {
          resolve(slow(signal, 29_000, 4));
        }, 29_000);
      }),
  );
  const patient = late.get();
  await vi.advanceTimersByTimeAsync(29_000 * 6);
  expect(await patient).toMatchObject({ bytes: Uint8Array.of(1, 1, 1, 1) });
  expect(vi.getTimerCount()).toBe(0);
  const { get } = opened((signal) => Promise.resolve(slow(signal, 31_000, 4)));
  const stalled = expect(get()).rejects.toMatchObject({
    message: `the connection to ${origin} was lost`,
  });
  await vi.advanceTimersByTimeAsync(31_000);
  await stalled;
});

test('an endlessly slow download is given up eventually', async () => {
  vi.useFakeTimers();
  const { get } = opened((signal) => Promise.resolve(slow(signal, 20_000, 100)));
  const dripping = expect(get({ maxBytes: 1_000 })).rejects.toMatchObject({
    message: `the connection to ${origin} was lost`,
  });
  await vi.advanceTimersByTimeAsync(16 * 60_000);
  await dripping;
});

test('a revoked permission applies from the next request on', async () => {
  const { get, sent } = opened();
  let allowed = true;
  const download = downloadWhile(
    () => allowed,
    (signal, wish) => get(wish, signal),
  );
  const wish = { url, accept: '*/*', maxBytes: 10, localOrigin: '' };
  expect(await download(never, wish)).toMatchObject({ type: 'text/plain' });
  allowed = false;
  await expect(download(never, wish)).rejects.toMatchObject({ code: 'package-unreachable' });
  expect(sent.length).toBe(1);
});

test('an abort before, during or after the request rejects with the signal’s reason', async () => {
  const reason = new Error('another folder');
  await expect(opened().get({}, AbortSignal.abort(reason))).rejects.toBe(reason);
  for (const respond of [
    silent,
    (signal: AbortSignal) => Promise.resolve(slow(signal, 1_000, 4)),
  ]) {
    const stop = new AbortController();
    const { get, log } = opened(respond);
    const asked = get({}, stop.signal);
    const ended = expect(asked).rejects.toBe(reason);
    await Promise.resolve();
    stop.abort(reason);
    await ended;
    expect(log.list()).toMatchObject([{ fault: 'another folder' }]);
  }
});
