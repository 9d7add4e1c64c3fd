/** The client over a fake transport: what it sends, how it continues streams, and its errors. */

import { expect, test } from 'vitest';
import { answerDefinitions } from '../../runtime/registry/provider-listing.ts';
import { fakeTool } from '../../runtime/scan/tool.fixture.ts';
import { Cloche } from './client.ts';
import { ClocheError } from './client-error.ts';
import { serverEvents } from './server-events.ts';
import type { ToolFormat } from '../../runtime/protocol/api-types.ts';
import type { ClientRequest, ClientResponse, Transport } from './transport.ts';

function body(...chunks: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
}

function answer(text: string, status = 200, type = 'application/json'): ClientResponse {
  return { status, headers: new Headers({ 'content-type': type, etag: '"1"' }), body: body(text) };
}

/** A client whose requests get these answers, one after the other. */
function client(...answers: ClientResponse[]): { cloche: Cloche; sent: ClientRequest[] } {
  const sent: ClientRequest[] = [];
  const transport: Transport = {
    send: (request) => {
      const { signal: _, ...rest } = request;
      sent.push(rest);
      const next = answers.shift();
      return next === undefined ? Promise.reject(new Error('no answer')) : Promise.resolve(next);
    },
    close: () => undefined,
  };
  return { cloche: new Cloche(transport), sent };
}

const event = (name: string, id: string, data: object): string =>
  `data: ${JSON.stringify(data)}\nid: ${id}\nevent: ${name}\n\n`;

test('events are read however the stream is cut', async () => {
  const text = 'data: {"a":\ndata: "ü"}\nid: 1\nevent: one\n\n: alive\n\ndata: x\n\ndata: cut off';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 2, 7, 1_000]) {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size)
          controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    const read = [];
    for await (const one of serverEvents(stream)) read.push(one);
    expect(read).toEqual([
      { name: 'one', id: '1', data: '{"a":\n"ü"}' },
      { name: 'message', id: '', data: 'x' },
    ]);
  }
});

test('a call that runs longer than one answer is continued', async () => {
  const stream = 'text/event-stream';
  const { cloche, sent } = client(
    answer(
      event('call', '0', { callId: 'c/1' }) +
        event('update', '1', { n: 0, json: '1.0' }) +
        event('running', '1', { state: 'running' }),
      200,
      stream,
    ),
    answer(
      event('call', '1', { callId: 'c/1' }) + event('result', 'end', { textResultForLlm: 'done' }),
      200,
      stream,
    ),
  );
  const result = await cloche.call('a:ü', '{"n": 1.0}', { session: 's', key: 'k', folder: 'f 1' });
  expect(result).toEqual({ textResultForLlm: 'done' });
  const accept = { Accept: 'text/event-stream' };
  expect(sent).toEqual([
    {
      method: 'POST',
      path: 'tools/a:%C3%BC/invoke?folder=f+1',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'k', ...accept },
      body: '{"arguments":{"n": 1.0},"session":"s"}',
    },
    { method: 'GET', path: 'calls/c%2F1?folder=f+1', headers: { ...accept, 'Last-Event-ID': '1' } },
  ]);
});

test('a stream that breaks off, or ends in an error, is an error', async () => {
  const broken = client(answer(event('call', '0', { callId: 'c' })));
  await expect(broken.cloche.call('a:b')).rejects.toMatchObject({ code: 'bad-answer' });
  const closed = client(answer(event('error', '', { code: 'page-closed', detail: 'Closed.' })));
  await expect(closed.cloche.call('a:b')).rejects.toMatchObject({
    code: 'page-closed',
    message: 'Closed.',
  });
});

test('a problem document becomes an error, and so does an answer of something else', async () => {
  const problem = { code: 'unknown-tool', detail: 'None.', hint: 'List.' };
  const { cloche } = client(
    answer(JSON.stringify(problem), 404, 'application/problem+json'),
    answer('<!doctype html>', 404, 'text/html'),
  );
  const error = await cloche.get('a:b').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ClocheError);
  expect(error).toMatchObject({
    code: 'unknown-tool',
    message: 'None.',
    hint: 'List.',
    status: 404,
  });
  await expect(cloche.list()).rejects.toMatchObject({ code: 'bad-answer', status: 404 });
});

test('lists are read page by page', async () => {
  const { cloche, sent } = client(
    answer('{"calls": [{"id": "1"}, {"id": "2"}], "next": "2"}'),
    answer('{"calls": [{"id": "3"}], "next": null}'),
  );
  const ids = [];
  for await (const { id } of cloche.calls({ tool: 'a:b', since: new Date(7) })) ids.push(id);
  expect(ids).toEqual(['1', '2', '3']);
  expect(sent.map(({ path }) => path)).toEqual([
    'calls?tool=a%3Ab&since=7',
    'calls?tool=a%3Ab&since=7&after=2',
  ]);
});

test('the definitions of all tools have the shape of each provider, as the API answers', async () => {
  const tools = [fakeTool('m:one'), fakeTool('m:two')];
  const sent: string[] = [];
  const cloche = new Cloche({
    send: ({ path }) => {
      sent.push(path);
      const { searchParams } = new URL(path, 'https://cloche.test/');
      const request = new Request('https://cloche.test/');
      const format = searchParams.get('format') ?? '';
      return answerDefinitions(request, format, '"r"', () => tools);
    },
    close: () => undefined,
  });
  const one = { name: 'm__one' };
  const two = { name: 'm__two' };
  for (const [format, shape] of [
    ['openai', [one, two].map((each) => ({ type: 'function', function: each }))],
    ['openai-responses', [one, two].map((each) => ({ type: 'function', ...each }))],
    ['anthropic', [one, two].map((each) => ({ ...each, input_schema: {} }))],
    ['gemini', [{ functionDeclarations: [one, two] }]],
    ['mcp', [one, two].map((each) => ({ ...each, inputSchema: {} }))],
  ] as const)
    expect(await cloche.definitions(format, 'my tools'), format).toMatchObject(shape);
  expect(sent).toContain('tools?format=gemini&folder=my+tools');
  await expect(cloche.definitions('other' as ToolFormat)).rejects.toMatchObject({ status: 400 });
});

test('cancelling a call that has ended is no error', async () => {
  const { cloche } = client(answer('{}', 202), answer('{"code": "call-ended"}', 409));
  expect([await cloche.cancel('c'), await cloche.cancel('c')]).toEqual([true, false]);
});

test('the listener of a watched listing is called once for each change', async () => {
  const { cloche, sent } = client(answer('{"revision": "1"}'));
  const stop = new AbortController();
  const heard: unknown[] = [];
  await cloche.watch(stop.signal, (listing) => {
    heard.push(listing);
    stop.abort();
  });
  expect([heard, sent.length]).toEqual([[{ revision: '1' }], 1]);
});

test('an MCP client reaches api/mcp, and nothing else, through the fetch that it is given', async () => {
  const { cloche, sent } = client(answer('{"jsonrpc":"2.0"}'), answer('', 204), answer('{}'));
  const { url, fetch } = cloche.mcp('my folder');
  const headers = { 'Mcp-Session-Id': 's', 'Content-Type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: '{}' });
  expect([response.status, await response.json()]).toEqual([200, { jsonrpc: '2.0' }]);
  expect((await fetch(url.href, { method: 'DELETE', headers })).status).toBe(204);
  const lower = { 'content-type': 'application/json', 'mcp-session-id': 's' };
  expect(sent).toEqual([
    {
      method: 'POST',
      path: 'mcp?folder=my+folder',
      headers: lower,
      body: '{}',
    },
    { method: 'DELETE', path: 'mcp?folder=my+folder', headers: lower },
  ]);
  await expect(fetch('https://cloche.invalid/api/tools')).rejects.toThrow(ClocheError);
  await expect(fetch(url, { method: 'PUT' })).rejects.toThrow(ClocheError);
  await expect(fetch(url, { method: 'POST', body: new Blob() })).rejects.toThrow(ClocheError);
  expect(sent).toHaveLength(2);
});
