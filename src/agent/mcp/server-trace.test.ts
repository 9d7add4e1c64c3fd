/** The trace of a real server, its problems, exact numbers, and why it cannot be reached. */

import { afterEach, expect, test } from 'vitest';
import { added, endServers, serve, until, type Bench } from '../../../tests/support/mcp-bench.ts';
import { endlessMessage, streamInstead } from '../../../tests/support/hostile-mcp.ts';
import type { Server } from './server.ts';
import { serverFaultText } from './server-fault-text.ts';
import { ExactContents } from './wire/exact-numbers.ts';

afterEach(endServers);

const counts = {
  name: 'count',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object', required: ['n'] },
};

const structured = (structuredContent: object) => ({ content: [], structuredContent });

function serverOf({ servers }: Bench): Server {
  return servers.server(servers.list()[0]?.id ?? '');
}

for (const era of ['legacy', 'modern'] as const)
  test(`a long number in a result of the ${era} era stays as the server has written it`, async () => {
    const exact = '{"n":12345678901234567891,"one":1.0}';
    // Older versions of Node cannot write numbers as they were; the browser test has the other proof.
    const kept = JSON.rawJSON === undefined ? JSON.stringify(JSON.parse(exact)) : exact;
    const server = await serve({ era, tools: [counts] });
    server.habits.instead = ({ body }, response) => {
      if (!body.includes('"tools/call"')) return false;
      const { id } = JSON.parse(body) as { id: number };
      const rest = era === 'modern' ? '"resultType":"complete",' : '';
      const text = JSON.stringify(exact);
      const result = `{${rest}"content":[{"type":"text","text":${text}}],"structuredContent":${exact}}`;
      const message = `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
      if (body.includes('stream')) {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.end(`data: ${message}\n\n`);
      } else {
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(message);
      }
      return true;
    };
    const { call, key } = await added(server.url);
    for (const args of [{}, { by: 'stream' }]) {
      const { content, textResultForLlm } = await call(`${key}:count`, args);
      // The text repeats the structured content, and is left out.
      expect(content).toEqual([{ type: 'json', text: kept }]);
      expect(textResultForLlm).toBe(kept);
    }
  });

test('each call gets the content of its own answer, and a call that has ended gets none', () => {
  const exact = new ExactContents();
  const [a, b] = [{ q: 1 }, { q: 1 }];
  const sent = (id: unknown, args: object) =>
    exact.sent({ id, method: 'tools/call', params: { arguments: args } });
  const received = (id: unknown, n: number) =>
    exact.received(JSON.stringify({ id, result: { structuredContent: { n } } }), id);
  sent(1, a);
  sent('1', b);
  received('1', 22);
  received(1, 11);
  received(2, 33);
  expect(exact.of(a, { structuredContent: {}, isError: true })).toEqual({
    structuredContent: { n: 11 },
    isError: true,
  });
  expect(exact.of(b, {})).toEqual({ structuredContent: { n: 22 } });
  expect(exact.of({ q: 1 }, { content: [] })).toEqual({ content: [] });
  exact.end(a);
  received(1, 99);
  expect(exact.of(a, {})).toEqual({ structuredContent: { n: 11 } });
});

test('each message is traced, and a request that only reads is sent again with a new id', async () => {
  const server = await serve({ tools: [counts], run: () => structured({ n: 1 }) });
  const made = await added(server.url);
  await made.call(`${made.key}:count`, { text: 'a' });
  const traced = async () => (await serverOf(made).trace()).messages;
  const before = await traced();
  const calls = before.filter(({ isSent, body }) => isSent && body.includes('"tools/call"'));
  expect(calls).toHaveLength(1);
  const n = calls[0]?.n ?? 0;
  expect(new Map(calls[0]?.headers).get('mcp-protocol-version')).toBe('2025-11-25');
  const answers = before.filter(({ exchange, isSent }) => exchange === n && !isSent);
  expect(answers.map(({ status }) => status)).toEqual([200, null]);
  expect(answers[1]?.body).toContain('"structuredContent":{"n":1}');
  expect((await serverOf(made).trace()).era).toBe('legacy');

  const received = (method: string) =>
    server.received
      .map(({ body }) => (body === '' ? {} : JSON.parse(body)) as { method?: string })
      .filter((message) => message.method === method);
  // A call would have an effect, and no entry in the log.
  await expect(serverOf(made).replay(n)).rejects.toThrow('Only a request that reads');
  expect(received('tools/call')).toHaveLength(1);
  const list = before.find(({ isSent, body }) => isSent && body.includes('"tools/list"'))?.n ?? 0;
  expect(await serverOf(made).replay(list)).toBe(200);
  const [first, again] = received('tools/list');
  expect(again).toEqual({ ...first, id: 'replay-2' });
  const after = await traced();
  expect(after.at(-1)?.body).toContain('"id":"replay-2"');
  // Positive control: what is no request is not sent again.
  await expect(serverOf(made).replay(n + 1)).rejects.toThrow('cannot be sent again');
});

test('a key is in no message of the trace, even if the server repeats it', async () => {
  const server = await serve({ tools: [counts], run: () => structured({ n: 1 }) });
  const made = await added(server.url);
  const key = 'very-secret-key-1234';
  server.habits.run = () => ({ structuredContent: { n: key } });
  serverOf(made).setHeader('X-Key', key);
  await until(() => expect(server.received.at(-1)?.headers['x-key']).toBe(key));
  await until(() => expect(made.servers.list()[0]?.state).toBe('connected'));
  await made.call(`${made.key}:count`);
  const { messages } = await serverOf(made).trace();
  expect(messages.some(({ headers }) => new Map(headers).get('x-key') === '(hidden)')).toBe(true);
  expect(messages.at(-1)?.body).toContain('"n":"****');
  expect(JSON.stringify(messages)).not.toContain(key);
});

test('a call whose answer is too long ends at once, and the next one runs', async () => {
  const server = await serve({ tools: [counts], run: () => structured({ n: 1 }) });
  const { call, key } = await added(server.url);
  streamInstead(server, endlessMessage);
  expect((await call(`${key}:count`)).textResultForLlm).toContain('A message is longer than');
  server.habits.instead = null;
  expect(await call(`${key}:count`)).toMatchObject({ resultType: 'success' });
});

test('results that break their outputSchema are problems of the server, once each', async () => {
  const server = await serve({ tools: [counts], run: () => structured({ n: 1 }) });
  const { call, key, servers } = await added(server.url);
  const problems = () => servers.list()[0]?.problems;
  // Positive control: this result breaks nothing.
  await call(`${key}:count`);
  server.habits.run = () => structured({ m: 1 });
  for (let n = 0; n < 2; n += 1)
    expect(await call(`${key}:count`)).toMatchObject({ resultType: 'success' });
  await until(() =>
    expect(problems()).toEqual([
      'Tool “count”: its structuredContent breaks its outputSchema at $: n is missing',
    ]),
  );
  server.habits.run = () => ({ content: [] });
  await call(`${key}:count`);
  await until(() => expect(problems()).toHaveLength(2));
});

test('a server that does not answer as an MCP server is named by what it does', async () => {
  const server = await serve({ tools: [counts] });
  const made = await added(server.url);
  const after = async (status: number, type: string, text: string) => {
    server.habits.instead = (_, response) => {
      response.writeHead(status, { 'Content-Type': type }).end(text);
      return true;
    };
    await made.servers.reconnect(made.servers.list()[0]?.id ?? '');
    const [view] = made.servers.list();
    return view?.fault === null || view === undefined
      ? view?.state
      : [view.fault.cause, serverFaultText(view.fault, view.url)];
  };
  expect(await after(200, 'text/html; charset=utf-8', '<h1>Hello</h1>')).toMatchObject([
    'not-mcp',
    expect.stringContaining('a web page') as string,
  ]);
  expect(await after(404, 'text/plain', 'Not found')).toMatchObject([
    'not-mcp',
    expect.stringContaining('status 404') as string,
  ]);
  expect(await after(403, 'text/plain', 'Invalid Origin header')).toMatchObject([
    'origin',
    expect.stringContaining('npx cloche bridge') as string,
  ]);
  server.habits.instead = null;
  await made.servers.reconnect(made.servers.list()[0]?.id ?? '');
  expect(made.servers.list()[0]?.state).toBe('connected');
});
