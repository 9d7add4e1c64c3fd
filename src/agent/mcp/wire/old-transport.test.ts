/** Servers that offer only the transport of 2024-11-05: connected to after they have refused the newer one, with the same guards. */

import { afterEach, expect, test, vi } from 'vitest';
import type { McpFault } from '../../../runtime/protocol/mcp.ts';
import { answerTo, done, stream, typed, valueOf } from './leniency/sloppy-server.fixture.ts';
import { mcpWorker } from './mcp-worker.ts';

afterEach(() => {
  vi.useRealTimers();
});

const url = 'https://server.example/sse';
const access = { url, headers: [['X-Key', 'secret-key-1']] as const, signedIn: null };
const ms = { idle: 60_000, total: 60_000 };

interface Asked {
  readonly id: number;
  readonly method: string;
}

interface OldHabits {
  /** The address that the stream names, which is that of a new session by default; null if it names none. */
  readonly endpoint?: string | null;
  /** What the stream sends in answer to a request; undefined for a usual answer. */
  readonly answer?: (asked: Asked) => string | undefined;
  /** The answer in place of the stream. */
  readonly get?: () => Response;
  /** The answer to a message that is not accepted. */
  readonly post?: (asked: Asked) => Response | undefined;
  readonly refusal?: (asked: Asked) => Response;
}

function oldServer(habits: OldHabits = {}) {
  let sessions = 0;
  const sent: { readonly verb: string; readonly url: string; readonly headers: Headers }[] = [];
  let events: ReadableStreamDefaultController<string> | null = null;
  const usual: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: '2024-11-05',
      capabilities: { tools: {} },
      serverInfo: { name: 'old', version: '1' },
    },
    'tools/list': { tools: [] },
    'tools/call': done,
  };
  const worker = mcpWorker((address, { method = 'GET', body, headers }) => {
    sent.push({ verb: method, url: address, headers: new Headers(headers) });
    if (method === 'GET') {
      sessions += 1;
      const { endpoint = `/messages?session=${sessions}` } = habits;
      const opened = new ReadableStream<string>({
        start(controller) {
          events = controller;
          if (endpoint !== null) controller.enqueue(`event: endpoint\ndata: ${endpoint}\n\n`);
        },
      });
      const bytes = opened.pipeThrough(new TextEncoderStream());
      const type = { 'Content-Type': 'text/event-stream' };
      return Promise.resolve(habits.get?.() ?? new Response(bytes, { headers: type }));
    }
    const asked = JSON.parse(body as string) as Asked;
    if (address === url)
      return Promise.resolve(
        habits.refusal?.(asked) ?? new Response('Cannot POST /sse', { status: 404 }),
      );
    const refused = habits.post?.(asked);
    if (refused !== undefined) return Promise.resolve(refused);
    const { id, method: name } = asked;
    if (!name.startsWith('notifications/')) {
      const text = habits.answer?.(asked) ?? answerTo(id, usual[name] ?? {});
      events?.enqueue(`event: message\ndata: ${text}\n\n`);
    }
    return Promise.resolve(new Response('Accepted', { status: 202 }));
  });
  const connect = () => worker.connect({ access, secrets: [] });
  return {
    worker,
    sent,
    connect,
    fault: async (): Promise<Partial<McpFault>> => {
      const answer = await connect();
      return answer.ok ? {} : answer.fault;
    },
    call: async () => (await worker.call(1, 'work', '{}', ms)).answered,
    endStream: () => events?.close(),
  };
}

test.each([400, 404, 405])(
  'a server that refuses Streamable HTTP with %i is asked for its stream',
  async (status) => {
    const server = oldServer({ refusal: () => new Response('No', { status }) });
    expect(valueOf(await server.connect())).toMatchObject({
      name: 'old',
      revision: '2024-11-05',
      era: 'legacy',
      problems: [expect.stringContaining('HTTP+SSE transport of 2024-11-05') as string],
    });
    expect(await server.call()).toMatchObject({ ok: true, value: { textResultForLlm: 'done' } });
    const posts = server.sent.filter((one) => one.url !== url);
    expect(new Set(posts.map((one) => one.url))).toEqual(
      new Set(['https://server.example/messages?session=1']),
    );
    expect(server.sent.every(({ headers }) => headers.get('X-Key') === 'secret-key-1')).toBe(true);
    const { messages } = valueOf(await server.worker.trace());
    expect(JSON.stringify(messages)).toContain('done');
    expect(JSON.stringify(messages)).not.toContain('secret-key-1');
    expect(messages.map((one) => one.url).join()).not.toContain('session=1');
  },
);

test('answers in the stream are read as leniently as others', async () => {
  const server = oldServer({
    answer: ({ id, method }) =>
      method === 'tools/call' ? answerTo(String(id), { content: 'n' }) : undefined,
  });
  valueOf(await server.connect());
  expect(await server.call()).toMatchObject({ ok: true, value: { textResultForLlm: 'n' } });
  const { problems } = await server.worker.next();
  expect(problems).toEqual([
    expect.stringContaining('id of the response is a string'),
    expect.stringContaining('content'),
  ]);
});

test('an answer is read leniently after a message that only repeats its id', async () => {
  const server = oldServer({
    answer: ({ id, method }) =>
      method === 'tools/call'
        ? inEvents(JSON.stringify({ jsonrpc: '2.0', id }), answerTo(id, { content: 'n' }))
        : undefined,
  });
  valueOf(await server.connect());
  expect(await server.call()).toMatchObject({ ok: true, value: { textResultForLlm: 'n' } });
});

test('a call that was cancelled waits for no answer', async () => {
  const ids: number[] = [];
  const server = oldServer({
    answer: ({ id, method }) => {
      if (method !== 'tools/call') return undefined;
      ids.push(id);
      const late = answerTo(String(ids[0]), done);
      return ids.length === 1 ? ':' : inEvents(late, answerTo(id, { content: 'n' }));
    },
  });
  valueOf(await server.connect());
  const calling = server.call();
  await vi.waitFor(() => expect(ids).toHaveLength(1));
  server.worker.cancel(1);
  expect(await calling).toMatchObject({ ok: false });
  expect(await server.call()).toMatchObject({ ok: true, value: { textResultForLlm: 'n' } });
  // The id of the late answer is a string, which is a problem only of an answer that is waited for.
  const { problems } = await server.worker.next();
  expect(problems).toEqual([expect.stringContaining('content')]);
});

test.each([
  [404, 'Could not find session'],
  [400, 'No transport found for sessionId'],
])('a session that the server has forgotten, as it says with %i, is lost', async (status, said) => {
  let isForgotten = false;
  const server = oldServer({
    post: () => (isForgotten ? new Response(said, { status }) : undefined),
  });
  valueOf(await server.connect());
  isForgotten = true;
  const fault = { cause: 'lost', message: said, status };
  expect(await server.call()).toEqual({ ok: false, fault });
  // A server that has never known the session is not asked for another.
  expect(await server.fault()).toEqual({ ...fault, cause: 'http' });
});

test('a request of an earlier session is sent again to the address of the latest one', async () => {
  const server = oldServer();
  valueOf(await server.connect());
  valueOf(await server.worker.tools());
  const { messages } = valueOf(await server.worker.trace());
  const listed = messages.find(({ isSent, body }) => isSent && body.includes('tools/list'));
  valueOf(await server.connect());
  expect(valueOf(await server.worker.replay(listed?.n ?? 0))).toBe(202);
  expect(server.sent.at(-1)?.url).toBe('https://server.example/messages?session=2');
});

test('a stream that ends ends its calls, and the next one says that the connection is lost', async () => {
  const server = oldServer({ answer: ({ method }) => (method === 'tools/call' ? ':' : undefined) });
  valueOf(await server.connect());
  const calling = server.call();
  await vi.waitFor(() => expect(server.sent.filter(({ verb }) => verb === 'POST')).toHaveLength(5));
  server.endStream();
  expect(await calling).toMatchObject({ ok: false, fault: { cause: 'protocol' } });
  expect(await server.call()).toMatchObject({ ok: false, fault: { cause: 'lost' } });
  // No second stream was opened, which would have no session.
  expect(server.sent.filter(({ verb }) => verb === 'GET')).toHaveLength(1);
});

test('the page learns that the stream, which is the connection, has ended', async () => {
  const server = oldServer();
  await server.connect();
  server.endStream();
  let isClosed = false;
  while (!isClosed) isClosed = (await server.worker.next()).closed;
  expect(await server.worker.tools()).toMatchObject({
    ok: false,
    fault: { cause: 'lost', message: expect.stringContaining('closed the connection') as string },
  });
});

test('messages are sent to the origin of the server only, and no redirect is followed', async () => {
  const elsewhere = oldServer({ endpoint: 'https://other.example/messages' });
  expect((await elsewhere.fault()).message).toContain('other.example');
  expect(elsewhere.sent.filter((one) => !one.url.startsWith('https://server.example/'))).toEqual(
    [],
  );
  const moved = { status: 307, headers: { Location: 'https://other.example/' } };
  const redirected = oldServer({ get: () => new Response(null, moved) });
  expect(await redirected.fault()).toMatchObject({ cause: 'redirect' });
});

test('a server that has neither transport, or wants a sign-in, says so', async () => {
  for (const get of [
    () => new Response('No', { status: 404 }),
    () => typed('<html>Home</html>', 'text/html'),
    () => stream('data: {}\n\n'),
  ]) {
    const server = oldServer({ get });
    const { cause } = await server.fault();
    expect(cause).toBe(
      get().headers.get('content-type') === 'text/event-stream' ? 'protocol' : 'not-mcp',
    );
  }
  const closed = oldServer({ get: () => new Response('No', { status: 401 }) });
  expect(await closed.fault()).toMatchObject({ cause: 'sign-in', status: 401 });
  const later = oldServer({ post: () => new Response('No', { status: 401 }) });
  expect(await later.fault()).toMatchObject({ cause: 'sign-in', status: 401 });
  const full = oldServer({ post: () => new Response('Full', { status: 503 }) });
  expect(await full.fault()).toEqual({ cause: 'http', message: 'Full', status: 503 });
});

test('a refusal in the terms of MCP is no reason to ask for the older transport', async () => {
  const error = { code: -32_600, message: 'No session' };
  const server = oldServer({
    refusal: () => Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 }),
  });
  await server.fault();
  expect(server.sent.some(({ verb }) => verb === 'GET')).toBe(false);
});

test('a server that has accepted the newer transport is not asked for the older one', async () => {
  const server = oldServer({
    refusal: ({ id, method }) =>
      method === 'initialize'
        ? typed(
            answerTo(id, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} }),
            'application/json',
          )
        : new Response('No session id', { status: 400 }),
    endpoint: null,
  });
  expect(await server.fault()).toMatchObject({ cause: 'session', status: 400 });
  expect(server.sent.some(({ verb }) => verb === 'GET')).toBe(false);
});

test('a stream that names no address is given up', async () => {
  vi.useFakeTimers();
  const server = oldServer({ endpoint: null });
  const fault = server.fault();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await fault).toMatchObject({ cause: 'timeout' });
});

/** The data of several events, as `answer` returns that of one. */
function inEvents(...texts: readonly string[]): string {
  return texts.join('\n\nevent: message\ndata: ');
}
