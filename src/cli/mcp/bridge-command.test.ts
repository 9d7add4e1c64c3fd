import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startBridge, type Bridge } from './bridge-command.ts';
import { BridgedServer, maxPending } from './bridged-server.ts';

/** A server that speaks over stdio: it repeats what it is asked, and says first that it works. */
const server = `
let rest = '';
const cancelled = [];
const gathered = [];
function flood() {
  const line = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: 'x'.repeat(100_000) });
  for (let n = 0; n < 20; n += 1) console.log(line);
  if (!process.stdout.writableNeedDrain) setImmediate(flood);
  else process.stdout.once('drain', flood);
}
process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method } = JSON.parse(line);
    if (method === 'stop') process.exit(3);
    if (method === 'notifications/cancelled') cancelled.push(line);
    if (method === 'cancelled') console.log(JSON.stringify({ jsonrpc: '2.0', id, result: cancelled }));
    if (method === 'flood') flood();
    if (method === 'gather') gathered.push(id);
    if (gathered.length === 1_000)
      for (const one of gathered.splice(0).reverse())
        console.log(JSON.stringify({ jsonrpc: '2.0', id: one, result: one }));
    if (method === 'gather') continue;
    if (method === 'slow' || method === 'cancelled' || method === 'flood') continue;
    if (id === undefined) continue;
    if (method === 'work') console.log('{"jsonrpc":"2.0","method":"notifications/progress"}');
    const params = /"params":(.*)\\}$/.exec(line)?.[1] ?? 'null';
    console.log(\`{"jsonrpc":"2.0","id":\${id},"result":{"pid":\${process.pid},"params":\${params}}}\`);
  }
});
`;

const origin = 'https://page.example';
const notes: string[] = [];
const note = (text: string): void => void notes.push(text);
let bridge: Bridge;

beforeEach(async () => {
  bridge = await startBridge({
    command: [process.execPath, '-e', server],
    port: 0,
    origins: [origin],
    note,
  });
});
afterEach(() => bridge.close());

interface Answered {
  readonly status: number;
  readonly session: string;
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly text: string;
}

async function post(body: string, session = '', headers = {}): Promise<Answered> {
  const response = await fetch(bridge.url, {
    method: 'POST',
    body,
    headers: { Origin: origin, ...(session !== '' && { 'Mcp-Session-Id': session }), ...headers },
  });
  const text = await response.text();
  const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, line = '']) => line);
  return {
    status: response.status,
    session: response.headers.get('Mcp-Session-Id') ?? '',
    messages: data.map((line) => JSON.parse(line) as Answered['messages'][number]),
    text,
  };
}

const ask = (id: number, method: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{"n":12345678901234567891}}`;

test('a page reaches the server, with the exact text and what the server says before', async () => {
  const { status, session, messages, text } = await post(ask(7, 'initialize'));
  expect([status, messages[0]?.id, session.length]).toEqual([200, 7, 36]);
  expect(text).toContain('12345678901234567891');
  const worked = await post(ask(8, 'work'), session);
  expect(worked.messages.map(({ id, method }) => id ?? method)).toEqual([
    'notifications/progress',
    8,
  ]);
  const noted = await post('{"jsonrpc":"2.0","method":"notifications/initialized"}', session);
  expect(noted.status).toBe(202);
});

test('a page that is refused is named with what to do, in answer to its preflight', async () => {
  const headers = { Origin: 'https://other.example' };
  const refused = await fetch(bridge.url, { method: 'OPTIONS', headers });
  expect(refused.status).toBe(403);
  expect(notes).toEqual([
    expect.stringMatching(
      /page from https:\/\/other\.example\b.* --allow-origin https:\/\/page\.example --allow-origin https:\/\/other\.example$/,
    ),
  ]);
});

test('each session has a server, and so have messages without sessions', async () => {
  const first = await post(ask(1, 'initialize'));
  const second = await post(ask(1, 'initialize'));
  const same = await post(ask(1, 'ping'), first.session);
  const others = await Promise.all([post(ask(1, 'a')), post(ask(1, 'b'))]);
  const pids = [first, second, same, ...others].map(
    ({ messages }) => (messages.at(-1)?.result as { pid: number }).pid,
  );
  const [a, b, c, d, e] = pids;
  expect([a === b, a === c, d === e, new Set([a, b, d]).size]).toEqual([false, true, true, 3]);
  expect((await post(ask(1, 'ping'), 'unknown')).status).toBe(404);
});

test('a server that ends, or never starts, leaves no call without an answer', async () => {
  const { session } = await post(ask(1, 'initialize'));
  const stopped = await post(ask(2, 'stop'), session);
  expect(stopped.messages).toMatchObject([
    { id: 2, error: { message: `${process.execPath} has ended (3).` } },
  ]);
  expect((await post(ask(3, 'ping'), session)).status).toBe(404);
  const other = await startBridge({
    command: ['/no/such/program'],
    port: 0,
    origins: [origin],
    note,
  });
  const asked = await fetch(other.url, { method: 'POST', body: ask(4, 'ping') });
  expect(await asked.text()).toContain('/no/such/program could not be started');
  await other.close();
});

test('a thousand calls at once are all answered, each with its own answer', async () => {
  const { session } = await post(ask(0, 'initialize'));
  const ids = Array.from({ length: 1_000 }, (_, at) => at);
  // The server answers when it has all of them, the last one first.
  const answers = await Promise.all(ids.map((id) => post(ask(id, 'gather'), session)));
  expect(answers.map(({ messages }) => messages.map(({ id }) => id))).toEqual(
    ids.map((id) => [id]),
  );
  const results = new Set(answers.map(({ messages }) => messages[0]?.result));
  expect(results.size).toBe(ids.length);
});

test('a server that does not answer is not asked without end', async () => {
  const deaf = new BridgedServer([process.execPath, '-e', 'process.stdin.resume()']);
  const asked = Array.from({ length: maxPending }, (_, at) => deaf.request(null, ask(at, 'ping')));
  const ended = Promise.allSettled(asked);
  await expect(deaf.request(null, ask(0, 'ping'))).rejects.toThrow(
    'The program has not answered 2000 requests. Start the bridge again.',
  );
  await deaf.close();
  expect((await ended).every(({ status }) => status === 'rejected')).toBe(true);
});

test('a client without a session that leaves cancels its call in the server', async () => {
  const meta = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}';
  const slow = `{"jsonrpc":"2.0","id":1,"method":"slow","params":{${meta}}}`;
  const stop = new AbortController();
  const response = await fetch(bridge.url, { method: 'POST', body: slow, signal: stop.signal });
  expect(response.status).toBe(200);
  expect((await post(ask(2, 'cancelled'))).messages.at(-1)?.result).toEqual([]);
  stop.abort();
  await vi.waitFor(async () => {
    const { messages } = await post(ask(3, 'cancelled'));
    expect(JSON.stringify(messages.at(-1)?.result)).toContain('requestId');
  });
});

test('a flood of a server reaches clients that read, and disconnects those that do not', async () => {
  const { session } = await post(ask(1, 'initialize'));
  const open = async (): Promise<Socket> => {
    const { port, pathname } = new URL(bridge.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `GET ${pathname} HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: ${session}\r\n\r\n`,
    );
    await once(socket, 'data');
    return socket;
  };
  const reader = await open();
  let read = 0;
  reader.on('data', (piece: Buffer) => (read += piece.byteLength));
  const headers = { 'Mcp-Session-Id': session };
  const flooded = await fetch(bridge.url, { method: 'POST', body: ask(2, 'flood'), headers });
  await flooded.body?.cancel();
  const enough = 40_000_000;
  await vi.waitFor(() => expect(read).toBeGreaterThan(enough), { timeout: 20_000 });
  // The newest stream gets what the server sends, as long as its client reads.
  const idle = await open();
  idle.pause();
  const before = read;
  await vi.waitFor(() => expect(read).toBeGreaterThan(before + enough), { timeout: 20_000 });
  idle.resume();
  await once(idle, 'close');
  reader.destroy();
  expect((await post(ask(3, 'initialize'))).status).toBe(200);
});

test('the end of the bridge ends what the command has started, even if it does not listen', async () => {
  const inner = `
    const server = require('node:net').createServer().listen(0, '127.0.0.1', () =>
      console.log(JSON.stringify({ jsonrpc: '2.0', id: 1, result: server.address().port })));`;
  const outer = `
    process.stdin.once('data', () =>
      require('node:child_process').spawn(
        process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: ['ignore', 'inherit', 'ignore'] }));
    setInterval(() => undefined, 1_000)`;
  const other = await startBridge({
    command: [process.execPath, '-e', outer],
    port: 0,
    origins: [],
    note,
  });
  const asked = await fetch(other.url, { method: 'POST', body: ask(7, 'ping') });
  const [, port = ''] = /"result":(\d+)/.exec(await asked.text()) ?? [];
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined).resume();
  await Promise.all([once(socket, 'close'), other.close()]);
});

test('a server that does not read is not sent more than a bound', async () => {
  const deaf = 'setInterval(() => undefined, 1_000)';
  const other = await startBridge({
    command: [process.execPath, '-e', deaf],
    port: 0,
    origins: [],
    note,
  });
  const body = ask(1, 'x'.repeat(17_000_000));
  const stop = new AbortController();
  const send = (): Promise<Response> =>
    fetch(other.url, { method: 'POST', body, signal: stop.signal });
  await send();
  expect(await (await send()).text()).toContain('does not read what it is sent');
  stop.abort();
  await other.close();
});

test('other pages, and pages without the token, are refused', async () => {
  expect((await post(ask(1, 'ping'), '', { Origin: 'https://evil.example' })).status).toBe(403);
  const url = bridge.url.replace(/\/[0-9a-f]+\//, '/0000/');
  const guessed = await fetch(url, { method: 'POST', body: ask(1, 'ping') });
  expect(guessed.status).toBe(401);
});
