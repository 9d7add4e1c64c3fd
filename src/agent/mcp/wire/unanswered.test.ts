/** Servers that end an answer without a response to the request, or answer in an unfinished stream. */

import { expect, test } from 'vitest';
import type { Answer, McpOutcome } from '../../../runtime/protocol/mcp.ts';
import { mcpWorker } from './mcp-worker.ts';

const access = { url: 'https://server.example/mcp', headers: [], signedIn: null };
/** No answer waits for these. */
const ms = { idle: 60_000, total: 60_000 };

type Reply = (id: number) => Response;

const answerTo = (id: unknown, text = 'done') =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });

function stream(...events: readonly string[]): Response {
  return new Response(events.join(''), { headers: { 'Content-Type': 'text/event-stream' } });
}

/** Calls a tool of a server that answers this. */
async function called(reply: Reply, method = 'tools/call'): Promise<Answer<McpOutcome>> {
  const worker = mcpWorker((_, { method: verb, body }) => {
    if (verb !== 'POST') return Promise.resolve(new Response(null, { status: 405 }));
    const sent = JSON.parse(body as string) as { id?: number; method: string };
    if (sent.method === method) return Promise.resolve(reply(sent.id ?? -1));
    const { id } = sent;
    if (id === undefined) return Promise.resolve(new Response(null, { status: 202 }));
    const serverInfo = { name: 's', version: '1' };
    const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
    const answer =
      sent.method === 'initialize'
        ? { jsonrpc: '2.0', id, result }
        : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
    return Promise.resolve(Response.json(answer));
  });
  const connected = await worker.connect({ access, secrets: [] });
  if (!connected.ok) return connected;
  const { answered } = await worker.call(1, 'work', '{}', ms);
  return answered;
}

test.each<[string, Reply]>([
  ['202', () => new Response(null, { status: 202 })],
  ['202 with a body', (id) => new Response(answerTo(id), { status: 202 })],
  ['an empty stream', () => stream()],
  ['comments only', () => stream(': wait\n\n', ': wait\n\n')],
  ['an answer that is cut', (id) => stream(`data: ${answerTo(id).slice(0, -5)}`)],
  ['an event of another name', (id) => stream(`event: response\ndata: ${answerTo(id)}\n\n`)],
  ['a batch in an event', (id) => stream(`data: [${answerTo(id)}]\n\n`)],
  ['the answer to another request', () => stream(`data: ${answerTo(9_999)}\n\n`)],
])('a call ends at once if its answer cannot come any more: %s', async (_, reply) => {
  const answered = await called(reply);
  if (answered.ok) throw new Error('There was an answer.');
  expect(answered.fault.message).toMatch(/tools\/call, which is a fault of the server/);
});

test.each<[string, Reply]>([
  ['an empty line behind it', (id) => stream(`data: ${answerTo(id)}\n\n`)],
  ['no empty line behind it', (id) => stream(`data: ${answerTo(id)}\n`)],
  ['no line end', (id) => stream(': begin\r\n\r\n', `event: message\r\ndata: ${answerTo(id)}`)],
])('an answer in a stream is read that has %s', async (_, reply) => {
  const answered = await called(reply);
  expect(answered).toMatchObject({ ok: true, value: { isError: false } });
});

test('a result without contents is shown, not lost', async () => {
  const answered = await called((id) =>
    Response.json({ jsonrpc: '2.0', id, result: { output: 5, _meta: {} } }),
  );
  expect(answered).toMatchObject({
    ok: true,
    value: { content: [{ type: 'json', text: '{"output":5}' }], textResultForLlm: '{"output":5}' },
  });
});

test('connecting ends at once if the server accepts it without an answer', async () => {
  const answered = await called(() => new Response('ok', { status: 202 }), 'initialize');
  expect(answered).toMatchObject({ ok: false });
});
