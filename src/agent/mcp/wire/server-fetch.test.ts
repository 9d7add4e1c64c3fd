/** Limits of the requests and answers of an MCP connection. */

import { expect, test } from 'vitest';
import type { McpFault } from '../../../runtime/protocol/mcp.ts';
import { serverFetch } from './server-fetch.ts';

const server = new URL('https://server.example/mcp');
const MB = 1024 * 1024;

function setUp(answer: () => Response) {
  const sent: [url: string, init: RequestInit][] = [];
  const faults: McpFault[] = [];
  const send = serverFetch(
    (url, init) => {
      sent.push([url, init]);
      return Promise.resolve(answer());
    },
    { server, headers: [['X-Key', 'k-12345678']], others: ['https://login.example'] },
    (fault) => faults.push(fault),
  );
  return { send, sent, faults };
}

/** A stream of events, each as long as this, with an empty line behind each. */
function events(count: number, bytes: number, lineEnd = '\r\n'): Response {
  let n = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      n += 1;
      if (n > count) controller.close();
      else
        controller.enqueue(
          new TextEncoder().encode(`data: ${'x'.repeat(bytes)}${lineEnd}${lineEnd}`),
        );
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
}

test('requests go to the server only, without cookies, redirects or a referrer', async () => {
  const { send, sent, faults } = setUp(() => new Response('{}'));
  expect(await (await send(server, { method: 'POST', body: '{}' })).json()).toEqual({});
  expect(sent).toMatchObject([
    [
      server.href,
      { credentials: 'omit', redirect: 'manual', referrerPolicy: 'no-referrer', mode: 'cors' },
    ],
  ]);
  await expect(send('https://other.example/mcp')).rejects.toThrow('was not sent');
  await expect(send('http://server.example/mcp')).rejects.toThrow('was not sent');
  expect([sent.length, faults.map(({ cause }) => cause)]).toEqual([1, ['elsewhere', 'elsewhere']]);
});

test('keys are sent to the server alone, and only confirmed origins are reached', async () => {
  const { send, sent } = setUp(() => new Response('{}'));
  await send(server);
  await send('https://login.example/token');
  expect(sent.map(([, { headers }]) => new Headers(headers).get('X-Key'))).toEqual([
    'k-12345678',
    null,
  ]);
});

test('a redirect is a failure', async () => {
  const { send, faults } = setUp(() => new Response(null, { status: 307 }));
  await expect(send(server)).rejects.toThrow('redirects');
  expect(faults).toMatchObject([{ cause: 'redirect' }]);
});

test('a message is bounded, and a stream of short ones is not', async () => {
  const long = setUp(() => new Response('x'.repeat(17 * MB)));
  await expect((await long.send(server)).text()).rejects.toThrow('longer than');
  const stream = setUp(() => events(3, 17 * MB));
  await expect((await stream.send(server)).text()).rejects.toThrow('longer than');
  const short = setUp(() => events(20, MB));
  expect((await (await short.send(server)).text()).length).toBeGreaterThan(20 * MB);
});

test('an event ends with an empty line, however lines end, and one without an end is bounded', async () => {
  for (const lineEnd of ['\n', '\r']) {
    const { send } = setUp(() => events(9, 2 * MB, lineEnd));
    expect((await (await send(server)).text()).length).toBeGreaterThan(18 * MB);
  }
  const lines = setUp(() => {
    const line = new TextEncoder().encode(`data: ${'x'.repeat(MB)}\r`);
    const body = new ReadableStream<Uint8Array>({ pull: (one) => one.enqueue(line) });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
  });
  await expect((await lines.send(server)).text()).rejects.toThrow('longer than');
});

test('a tap sees each request, and each message of its answer, however it is cut into pieces', async () => {
  const seen: string[] = [];
  const text =
    'event: message\r\ndata: {"a":\r\ndata: "é"}\r\n\r\n: ping\r\n\r\ndata:2\r\n\r\ndata: 3';
  const send = serverFetch(
    () => {
      const body = new ReadableStream<Uint8Array>({
        start: (one) => {
          for (const byte of new TextEncoder().encode(text)) one.enqueue(Uint8Array.of(byte));
          one.close();
        },
      });
      return Promise.resolve(
        new Response(body, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } }),
      );
    },
    { server, headers: [], others: [] },
    () => undefined,
    {
      sent: ({ method, body }) => {
        seen.push(`${method} ${body}`);
        return {
          answered: ({ status }) => seen.push(`${status}`),
          message: (message) => seen.push(message),
          failed: ({ cause }) => seen.push(cause),
        };
      },
    },
  );
  // The last event is ended, as the client would ignore it.
  expect(await (await send(server, { method: 'POST', body: '{}' })).text()).toBe(`${text}\n\n`);
  expect(seen).toEqual(['POST {}', '200', '{"a":\n"é"}', '2', '3']);
});
