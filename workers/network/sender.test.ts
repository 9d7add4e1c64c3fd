import { afterEach, expect, it, vi } from 'vitest';
import type { NetworkRequest, NetworkWorker } from '../../src/protocol/network.ts';

const exposed: { worker?: NetworkWorker } = vi.hoisted(() => ({}));
vi.mock('comlink', () => ({
  expose: (worker: NetworkWorker) => (exposed.worker = worker),
  transfer: (value: unknown) => value,
}));
await import('./sender.ts');

afterEach(() => {
  vi.unstubAllGlobals();
});

const request: NetworkRequest = {
  url: 'https://granted.example/a',
  method: 'POST',
  headers: [['x-key', 'secret']],
  body: Uint8Array.of(1),
};

/** Sends a request to a fake `fetch`. @returns the arguments of `fetch`, and the head of the response */
async function sent(response: () => Response | Promise<Response>) {
  const fetched = vi.fn((_url: string, _init: RequestInit) => Promise.resolve(response()));
  vi.stubGlobal('fetch', fetched);
  const head = await exposed.worker?.open(1, request);
  return { fetchArguments: fetched.mock.calls[0], head };
}

it('sends no cookies and no referrer, follows no redirect, and uses no cache', async () => {
  const { fetchArguments, head } = await sent(() => new Response('b', { headers: { 'x-a': '1' } }));
  expect(fetchArguments).toEqual([
    request.url,
    {
      method: 'POST',
      headers: [['x-key', 'secret']],
      body: Uint8Array.of(1),
      signal: expect.any(AbortSignal) as AbortSignal,
      mode: 'cors',
      credentials: 'omit',
      redirect: 'manual',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    },
  ]);
  expect(head).toMatchObject({ ok: true, status: 200 });
  expect(await exposed.worker?.read(1)).toEqual(new TextEncoder().encode('b'));
  expect(await exposed.worker?.read(1)).toBeNull();
});

it('reports a redirect, and aborts the request', async () => {
  const redirect = { type: 'opaqueredirect' } as Response;
  const { fetchArguments, head } = await sent(() => redirect);
  expect(head).toEqual({ ok: false, failed: 'redirect', why: 'a redirect' });
  expect(fetchArguments?.[1].signal?.aborted).toBe(true);
});

it('reports why there is no response', async () => {
  const { head } = await sent(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(head).toEqual({ ok: false, failed: 'network', why: 'Failed to fetch' });
});

it('aborts a cancelled request', async () => {
  const { fetchArguments } = await sent(() => new Response('b'));
  exposed.worker?.cancel(1);
  expect(fetchArguments?.[1].signal?.aborted).toBe(true);
});
