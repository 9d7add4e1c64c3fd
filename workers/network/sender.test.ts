import { afterEach, expect, it, vi } from 'vitest';
import type { NetworkRequest, NetworkWorker } from '../../src/runtime/protocol/network.ts';

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
  secrets: [],
};

/** Sends a request to a fake `fetch`. @returns the arguments of `fetch`, and the head of the response */
async function sent(response: () => Response | Promise<Response>, secrets: string[] = []) {
  const fetched = vi.fn((_url: string, _init: RequestInit) => Promise.resolve(response()));
  vi.stubGlobal('fetch', fetched);
  const head = await exposed.worker?.open(1, { ...request, secrets });
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

const secret = 'sk-kept-on-the-host';
const stars = '*'.repeat(secret.length);

/** Reads a body to its end. */
async function body(): Promise<string> {
  let text = '';
  for (;;) {
    const piece = await exposed.worker?.read(1);
    if (!piece) return text;
    text += new TextDecoder().decode(piece);
  }
}

it('secrets are masked in the body, in headers and in the status text', async () => {
  const echo = (): Response =>
    new Response(`{"key": "${secret}", "url": "${encodeURIComponent(`?${secret}`)}"}`, {
      headers: { 'x-echo': `Bearer ${secret}`, [secret]: 'as a name', 'x-other': 'kept' },
      statusText: secret,
    });
  const { head } = await sent(echo, [secret]);
  expect(head).toEqual({
    ok: true,
    status: 200,
    statusText: stars,
    headers: [
      ['content-type', 'text/plain;charset=UTF-8'],
      [stars, 'as a name'],
      ['x-echo', `Bearer ${stars}`],
      ['x-other', 'kept'],
    ],
  });
  expect(await body()).toBe(`{"key": "${stars}", "url": "%3F${stars}"}`);
  // The control.
  const control = await sent(echo);
  expect(JSON.stringify(control.head)).toContain(secret);
  expect(await body()).toContain(secret);
});

it('a secret is masked that arrives in pieces, and one that is cut off at the end is passed on', async () => {
  const pieces = ['a sk-ke', 'pt-on-t', 'he-host b', ' sk-kept'];
  const stream = (): Response =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
          controller.close();
        },
      }),
    );
  await sent(stream, [secret]);
  expect(await body()).toBe(`a ${stars} b sk-kept`);
});

it('secrets are masked in the message of a failure', async () => {
  const failed = (): Promise<Response> => Promise.reject(new TypeError(`‘${secret}’ is invalid`));
  expect((await sent(failed, [secret])).head).toEqual({
    ok: false,
    failed: 'network',
    why: `‘${stars}’ is invalid`,
  });
});
