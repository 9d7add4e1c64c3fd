/** Keys of servers: where they are sent, stored and masked. */

import { afterEach, expect, test } from 'vitest';
import { added, endServers, serve, until, type Bench } from '../../../tests/support/mcp-bench.ts';

afterEach(endServers);

const slow = { name: 'slow', inputSchema: { type: 'object' } };
const view = ({ servers }: Bench) => servers.list()[0];
const access = (made: Bench) => made.servers.server(view(made)?.id ?? '');

test('a key is sent to its server, kept with the keys, and masked in what the server repeats', async () => {
  const key = 'sk-0123456789abcdef';
  const server = await serve({
    tools: [slow],
    run: (_, { log }) => {
      log('info', `The key is ${key}.`);
      return { content: [{ type: 'text', text: `The key is ${key}.` }] };
    },
  });
  const made = await added(server.url);
  expect(() => access(made).setHeader('Bad Name', key)).toThrow('not a header');
  access(made).setHeader('', key);
  await until(() => expect(server.received.at(-1)?.headers.authorization).toBe(`Bearer ${key}`));
  await until(() => expect(view(made)?.state).toBe('connected'));
  expect(view(made)?.headers).toEqual(['Authorization']);
  const result = await made.call(`${made.key}:slow`);
  expect(result.textResultForLlm).toContain('The key is');
  expect(JSON.stringify(result)).not.toContain(key);
  expect(JSON.stringify([...made.stored])).not.toContain(key);
  access(made).setHeader('X-Key', key);
  await until(() => expect(server.received.at(-1)?.headers['x-key']).toBe(key));
  expect(server.received.at(-1)?.headers.authorization).toBeUndefined();
  await until(() => expect(view(made)?.state).toBe('connected'));
  server.habits.instead = ({ body }, response) => {
    if (!body.includes('tools/list')) return false;
    const { id } = JSON.parse(body) as { id: number };
    const error = { code: -32603, message: `Wrong key ${key}` };
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
    return true;
  };
  await made.servers.reconnect(view(made)?.id ?? '');
  expect(view(made)?.fault?.message).toContain('Wrong key');
  expect(view(made)?.fault?.message).not.toContain(key);
  server.habits.instead = null;
  const undo = made.servers.remove(view(made)?.id ?? '');
  expect([...made.keys]).toEqual([]);
  undo();
  await until(() => expect(view(made)).toMatchObject({ state: 'connected', headers: ['X-Key'] }));
});

test('a key is masked in what the server offers, and in its errors', async () => {
  const key = 'sk-0123456789abcdef';
  const text = `The key is ${key}.`;
  const server = await serve({
    capabilities: { tools: {}, resources: {}, prompts: {} },
    results: {
      'resources/read': ({ uri }) => ({ contents: [{ uri, text }] }),
      'prompts/get': () => ({ messages: [{ role: 'user', content: { type: 'text', text } }] }),
    },
  });
  const made = await added(server.url);
  access(made).setHeader('', key);
  await until(() => expect(server.received.at(-1)?.headers.authorization).toBe(`Bearer ${key}`));
  await until(() => expect(view(made)?.state).toBe('connected'));
  const { parts } = await access(made).read('file:///a', null);
  const [message] = await access(made).prompt('a', {});
  const masked = { type: 'text', text: expect.stringMatching(/^The key is (?!sk-)/) as string };
  expect([parts, message]).toEqual([[masked], { role: 'user', part: masked }]);
  server.habits.instead = (_, response) => {
    response.writeHead(500).end(`Wrong key ${key}`);
    return true;
  };
  const failing = access(made).read('file:///a', null);
  await expect(failing).rejects.toThrow('Wrong key');
  await expect(failing).rejects.not.toThrow(key);
});

test('no key is stored for a server that was removed', async () => {
  const made = await added((await serve({ tools: [slow] })).url);
  const removed = access(made);
  removed.setHeader('X-Key', 'sk-0123456789abcdef');
  // Positive control.
  expect(made.keys.size).toBe(1);
  made.servers.remove(view(made)?.id ?? '');
  removed.setHeader('X-Key', 'sk-0123456789abcdef');
  expect(made.keys.size).toBe(0);
});
