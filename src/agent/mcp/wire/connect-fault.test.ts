/** Why there is no connection, as far as a page can find out. */

import { expect, test } from 'vitest';
import { answerFault, unreachableFault, type PageNetwork } from './connect-fault.ts';

const network = { cause: 'network', message: 'Failed to fetch', status: null } as const;

function page(part: Partial<PageNetwork> = {}): PageNetwork {
  return {
    origin: 'https://cloche.example',
    online: () => true,
    permission: () => Promise.resolve('prompt'),
    ...part,
  };
}

async function causeOf(
  url: string,
  answer: () => Response | null,
  part: Partial<PageNetwork> = {},
): Promise<{ cause: string; sent: [string, RequestInit][] }> {
  const sent: [string, RequestInit][] = [];
  const fault = await unreachableFault(
    network,
    new URL(url),
    (address, init) => {
      sent.push([address, init]);
      const response = answer();
      return response === null ? Promise.reject(new TypeError()) : Promise.resolve(response);
    },
    page(part),
  );
  return { cause: fault.cause, sent };
}

const dead = (): null => null;

test('the browser’s own reasons are found without a request', async () => {
  const offline = { online: () => false };
  const denied = (name: string): Partial<PageNetwork> => ({
    permission: (asked) => Promise.resolve(asked === name ? 'denied' : null),
  });
  for (const [cause, url, part] of [
    ['mixed', 'http://mcp.example.com/mcp', {}],
    // This browser does not know the permission.
    ['mixed', 'http://192.168.1.5/mcp', { permission: () => Promise.resolve(null) }],
    ['offline', 'https://mcp.example.com/mcp', offline],
    ['permission', 'http://127.0.0.1:3000/mcp', denied('loopback-network')],
    ['permission', 'http://192.168.1.5/mcp', denied('local-network')],
    ['permission', 'http://localhost:3000/mcp', denied('local-network-access')],
  ] as const)
    expect(await causeOf(url, dead, part)).toEqual({ cause, sent: [] });
  // Positive controls: what is not denied is asked for, and a local server needs no internet.
  const local = await causeOf('http://127.0.0.1:3000/mcp', dead, {
    ...offline,
    ...denied('local-network'),
  });
  expect([local.cause, local.sent.length]).toEqual(['network', 1]);
  const plain = { origin: 'http://cloche.example', permission: () => Promise.resolve(null) };
  for (const url of ['http://192.168.1.5/mcp', 'http://mcp.example.com/mcp'])
    expect((await causeOf(url, dead, plain)).cause).toBe('network');
  const unasked = { permission: () => Promise.resolve('prompt') };
  expect((await causeOf('http://192.168.1.5/mcp', dead, unasked)).cause).toBe('network');
  const here = { ...denied('loopback-network'), origin: 'http://localhost:5173' };
  expect((await causeOf('http://127.0.0.1:3000/mcp', dead, here)).cause).toBe('network');
  const split = {
    permission: (name: string) =>
      Promise.resolve(name === 'loopback-network' ? 'granted' : 'denied'),
  };
  expect((await causeOf('http://127.0.0.1:3000/mcp', dead, split)).cause).toBe('network');
});

test('a probe reaches the typed address alone, without keys, and follows no redirect', async () => {
  const url = 'https://mcp.example.com/mcp';
  const { cause, sent } = await causeOf(url, () => new Response('Not allowed', { status: 405 }));
  expect(cause).toBe('preflight');
  expect(sent).toMatchObject([[url, { method: 'GET', redirect: 'manual', credentials: 'omit' }]]);
  expect([...new Headers(sent[0]?.[1].headers)]).toEqual([]);
  const moved = await causeOf(url, () => new Response(null, { status: 302 }));
  expect([moved.cause, moved.sent.length]).toEqual(['redirect', 1]);
  expect((await causeOf(url, dead)).cause).toBe('network');
});

test('an answer that is none of MCP says why', () => {
  const answer = {
    status: 200,
    mediaType: 'application/json',
    text: '',
    rpc: 'initialize',
    hasSession: false,
  };
  for (const [cause, part] of [
    ['origin', { status: 403, text: '{"error":"Invalid Origin header"}' }],
    ['not-mcp', { status: 404 }],
    ['not-mcp', { mediaType: 'text/html' }],
    ['session', { status: 400, rpc: 'notifications/initialized' }],
    [undefined, { status: 403, text: 'No such user' }],
    [undefined, { status: 400, rpc: 'notifications/initialized', hasSession: true }],
    [undefined, { status: 401, mediaType: 'text/html' }],
    [undefined, { status: 500 }],
    [undefined, {}],
  ] as const)
    expect(answerFault({ ...answer, ...part })?.cause).toBe(cause);
});
