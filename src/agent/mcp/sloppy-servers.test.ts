/** Real servers that break the specification in several ways at once: they work as long as their messages have one reading, and the breaches are reported. */

import { afterEach, expect, test } from 'vitest';
import { added, endServers, serve, until, type Bench } from '../../../tests/support/mcp-bench.ts';
import { answerByHand, breachesByHand } from '../../../tests/support/sloppy-mcp.ts';

afterEach(endServers);

const slow = { name: 'slow', inputSchema: { type: 'object' } };
const idOf = (server: Bench) => server.servers.list()[0]?.id ?? '';

test('the tools of a server that was written by hand are listed and called, and its breaches are reported', async () => {
  const server = await serve({});
  const called = answerByHand(server);
  const made = await added(server.url);
  expect(made.servers.list()[0]).toMatchObject({
    state: 'connected',
    facts: { name: 'by hand', version: '', revision: '2025-03-26', era: 'legacy' },
  });
  const names = ['get_weather', 'sum'].map((name) => `${made.key}:${name}`);
  expect(made.registry.list().map(({ name }) => name)).toEqual(names);
  // The server gets the name that it listed, and its hint does not remove the approval.
  expect(await made.call(`${made.key}:get_weather`)).toMatchObject({
    resultType: 'success',
    textResultForLlm: 'Fine.',
  });
  expect(called).toEqual(['get weather']);
  expect(made.registry.get(`${made.key}:sum`)?.requires_approval).toBe(true);
  const problems = () => made.servers.list()[0]?.problems.join('\n') ?? '';
  await until(() => expect(problems()).toContain('tools/call: content is a string'));
  for (const breach of breachesByHand) expect(problems()).toContain(breach);
});

test('a server of the latest revision works without the required members of results', async () => {
  const server = await serve({ era: 'modern', tools: [slow] });
  server.habits.instead = ({ body }, response) => {
    const sent = (body === '' ? {} : JSON.parse(body)) as { id?: number; method?: string };
    const results: Record<string, object> = {
      'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: true } },
      'tools/list': { tools: [slow, { name: 'odd', annotations: null }, { title: 'none' }] },
      'tools/call': { content: { type: 'text', text: 'Fine.' } },
    };
    const result = results[sent.method ?? ''];
    if (result === undefined) return false;
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: sent.id, result }));
    return true;
  };
  const made = await added(server.url);
  expect(made.servers.list()[0]).toMatchObject({ state: 'connected', facts: { era: 'modern' } });
  expect(made.registry.list().map(({ name }) => name)).toEqual(
    ['slow', 'odd'].map((name) => `${made.key}:${name}`),
  );
  expect(await made.call(`${made.key}:odd`)).toMatchObject({ textResultForLlm: 'Fine.' });
  const problems = () => made.servers.list()[0]?.problems.join('\n');
  await until(() => expect(problems()).toContain('tools/call: resultType is missing'));
  expect(problems()).toContain('tools/list: ttlMs or cacheScope is missing');
});

test('a session that is refused with 400 is begun again, for calls, lists and resources', async () => {
  const server = await serve({
    tools: [slow],
    capabilities: { tools: { listChanged: true }, resources: {} },
    run: () => ({ content: [] }),
    results: { 'resources/read': ({ uri }) => ({ contents: [{ uri, text: 'a' }] }) },
  });
  const made = await added(server.url);
  const forget = (): void => {
    let isForgotten = true;
    server.habits.instead = ({ method, body }, response) => {
      if (body.includes('"initialize"')) isForgotten = false;
      if (!isForgotten || method !== 'POST' || body.includes('server/discover')) return false;
      response.writeHead(400).end('Bad Request: No valid session ID provided');
      return true;
    };
  };
  const begun = () => server.received.filter(({ body }) => body.includes('"initialize"')).length;
  forget();
  expect(await made.call(`${made.key}:slow`)).toMatchObject({ resultType: 'success' });
  expect(begun()).toBe(2);
  forget();
  const { parts } = await made.servers.server(idOf(made)).read('file:///a', null);
  expect(parts).toEqual([{ type: 'text', text: 'a' }]);
  expect(begun()).toBe(3);
  const listening = () => server.received.filter(({ method }) => method === 'GET').length;
  await until(() => expect(listening()).toBe(3));
  forget();
  server.toolsChanged();
  await until(() => expect(begun()).toBe(4));
  await until(() => expect(made.servers.list()[0]?.state).toBe('connected'));
  // The session is begun again only once: a server that goes on refusing has failed.
  server.habits.instead = ({ body }, response) => {
    if (!body.includes('"tools/call"')) return false;
    response.writeHead(400).end('Invalid session');
    return true;
  };
  expect((await made.call(`${made.key}:slow`)).error).toContain('status 400');
  expect(begun()).toBe(5);
  // A tool may have run before it complains about an argument of its own.
  server.habits.instead = ({ body }, response) => {
    if (!body.includes('"tools/call"')) return false;
    response.writeHead(400).end('session_id was not found');
    return true;
  };
  const calls = () => server.received.filter(({ body }) => body.includes('"tools/call"')).length;
  const before = calls();
  expect((await made.call(`${made.key}:slow`)).error).toContain('status 400');
  expect([begun(), calls() - before]).toEqual([5, 1]);
});
