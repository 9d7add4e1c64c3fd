/** Connections to servers that hang, close, change all the time, or whose keys cannot be read. */

import type { ServerResponse } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { added, endServers, serve, until } from '../../../tests/support/mcp-bench.ts';
import { sleep } from '../../../tests/support/mcp-server.ts';
import { Registry } from '../../runtime/registry/registry.ts';
import { Server } from './server.ts';

afterEach(endServers);

const slow = { name: 'slow', inputSchema: { type: 'object' } };

test('a call that runs when the user reconnects is not made again', async () => {
  let runs = 0;
  const server = await serve({
    tools: [slow],
    run: async (_, { signal }) => {
      runs += 1;
      await sleep(signal, 30_000);
      return { content: [] };
    },
  });
  const { servers, call, key } = await added(server.url);
  const calling = call(`${key}:slow`);
  await until(() => expect(runs).toBe(1));
  await servers.reconnect(servers.list()[0]?.id ?? '');
  expect((await calling).error).toContain('The connection was closed before the server answered.');
  expect(runs).toBe(1);
});

test('a server that hangs delays neither a new connection nor the end of a call for long', async () => {
  const server = await serve({ tools: [slow] });
  const made = await added(server.url);
  const id = made.servers.list()[0]?.id ?? '';
  server.habits.instead = ({ method }) => method === 'DELETE';
  await made.servers.reconnect(id);
  expect(made.servers.list()[0]?.state).toBe('connected');
  server.habits.instead = () => true;
  void made.servers.reconnect(id);
  const calling = made.call(`${made.key}:slow`);
  await until(() => expect(server.received.at(-1)?.method).toBe('DELETE'));
  made.cancel();
  expect(await calling).toMatchObject({ error: 'cancelled' });
});

test('a server that reports change after change is asked for one list at a time', async () => {
  const server = await serve({ tools: [slow] });
  await added(server.url);
  const lists = { all: 0, open: 0, most: 0 };
  server.habits.instead = ({ body }, response) => {
    if (!body.includes('tools/list')) return false;
    lists.all += 1;
    lists.open += 1;
    lists.most = Math.max(lists.most, lists.open);
    const { id } = JSON.parse(body) as { id: number };
    setTimeout(() => {
      lists.open -= 1;
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [slow] } }));
    }, 1_000);
    return true;
  };
  await until(() => expect(server.received.some(({ method }) => method === 'GET')).toBe(true));
  server.toolsChanged();
  await until(() => expect(lists.all).toBe(1));
  server.toolsChanged();
  await until(() => expect(lists.all).toBe(2));
  expect(lists.most).toBe(1);
});

const stateOf = ({ servers }: Awaited<ReturnType<typeof added>>) => {
  const [view] = servers.list();
  return { state: view?.state, cause: view?.fault?.cause };
};

test('a server whose process exits is no longer shown as connected', async () => {
  const server = await serve({ tools: [slow] });
  const made = await added(server.url);
  await until(() => expect(server.received.some(({ method }) => method === 'GET')).toBe(true));
  expect(stateOf(made)).toEqual({ state: 'connected', cause: undefined });
  await server.close();
  await until(() => expect(stateOf(made)).toEqual({ state: 'failed', cause: 'ended' }));
});

test('a call to a server that cannot be reached shows that it is not connected', async () => {
  const server = await serve({ tools: [slow] });
  // Nothing is known about a server without a stream until it is asked.
  server.habits.instead = ({ method }, response) => {
    if (method === 'GET') response.writeHead(405).end();
    return method === 'GET';
  };
  const made = await added(server.url);
  await server.close();
  expect(stateOf(made)).toEqual({ state: 'connected', cause: undefined });
  const states: unknown[] = [];
  made.servers.observe(() => states.push(stateOf(made).cause));
  const calls = [made.call(`${made.key}:slow`), made.call(`${made.key}:slow`)];
  for (const { error } of await Promise.all(calls)) expect(error).toContain('ConnectionError');
  await until(() => expect(stateOf(made)).toEqual({ state: 'failed', cause: 'ended' }));
  // The second call has the server asked again, which changes nothing.
  await sleep(new AbortController().signal, 300);
  expect(states).toContain('ended');
  expect(states).not.toContain('network');
});

test('a call whose answer cannot be read ends neither the connection nor the other calls', async () => {
  let finish: () => void = () => undefined;
  const running = new Promise<void>((resolve) => (finish = resolve));
  let runs = 0;
  const server = await serve({
    tools: [slow],
    run: async () => {
      runs += 1;
      await running;
      return { content: [] };
    },
  });
  const made = await added(server.url);
  const first = made.call(`${made.key}:slow`);
  await until(() => expect(runs).toBe(1));
  server.habits.instead = ({ body }, response) => {
    const isCall = body.includes('tools/call');
    if (isCall) response.destroy();
    return isCall;
  };
  expect((await made.call(`${made.key}:slow`)).error).toContain('ConnectionError');
  server.habits.instead = null;
  const last = made.call(`${made.key}:slow`);
  await until(() => expect(runs).toBe(2));
  finish();
  expect([(await first).error, (await last).error]).toEqual([undefined, undefined]);
  expect(stateOf(made)).toEqual({ state: 'connected', cause: undefined });
});

test('a question of the user whose answer cannot be read does not end the connection', async () => {
  const server = await serve({ tools: [slow] });
  const made = await added(server.url);
  server.habits.instead = ({ body }, response) => {
    const isPrompt = body.includes('prompts/get');
    if (isPrompt) response.destroy();
    return isPrompt;
  };
  const lists = (): number =>
    server.received.filter(({ body }) => body.includes('tools/list')).length;
  const { id = '' } = made.servers.list()[0] ?? {};
  await expect(made.servers.server(id).prompt('greet', {})).rejects.toThrow('cannot be reached');
  await until(() => expect(lists()).toBe(2));
  expect(stateOf(made)).toEqual({ state: 'connected', cause: undefined });
});

test('a server that has started again is connected again', async () => {
  const server = await serve({ tools: [slow] });
  const streams: ServerResponse[] = [];
  let knows = true;
  server.habits.instead = ({ method, body }, response) => {
    if (body.includes('"initialize"')) knows = true;
    if (method !== 'GET') return false;
    if (!knows) response.writeHead(404).end();
    else if (streams.push(response) > 0)
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    return true;
  };
  const made = await added(server.url);
  await until(() => expect(streams).toHaveLength(1));
  knows = false;
  server.forget();
  streams[0]?.end();
  await until(() => expect(streams).toHaveLength(2));
  await until(() => expect(stateOf(made)).toEqual({ state: 'connected', cause: undefined }));
});

test('a server whose stream cannot be opened again, but which answers, stays connected', async () => {
  const server = await serve({ tools: [slow] });
  const streams: ServerResponse[] = [];
  server.habits.instead = ({ method }, response) => {
    if (method !== 'GET') return false;
    if (streams.push(response) > 1) response.writeHead(500).end();
    else response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    return true;
  };
  const made = await added(server.url);
  const lists = (): number =>
    server.received.filter(({ body }) => body.includes('tools/list')).length;
  await until(() => expect([streams.length, lists()]).toEqual([1, 1]));
  streams[0]?.end();
  await until(() => expect([streams.length, lists()]).toEqual([3, 2]));
  expect(stateOf(made)).toEqual({ state: 'connected', cause: undefined });
});

test('a server whose keys cannot be read has failed, with words', async () => {
  const report = vi.fn();
  const stored = { id: 's', key: 's', url: 'http://127.0.0.1:1/', addedAt: 0, pinned: [] };
  const server = new Server(stored, {
    registry: new Registry({} as never, report),
    keys: { keys: () => Promise.reject(new Error('no disk')), putKeys: () => Promise.resolve() },
    now: () => 0,
    report,
  } as never);
  await server.connect();
  expect(server.view()).toMatchObject({ state: 'failed', fault: { cause: 'protocol' } });
  expect(server.view().fault?.message).toContain('no disk');
  expect(report).toHaveBeenCalledOnce();
});
