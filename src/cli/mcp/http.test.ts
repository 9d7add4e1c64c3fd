import { EventEmitter } from 'node:events';
import { request as send } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bytesOf } from '../loopback.ts';
import { serveMcp, writeTo, type LoopbackServer } from './http.ts';
import { tokenIn } from './mcp-command.ts';
import { fakePage, type FakePage } from './page-api.fixture.ts';

const token = 'the-token';
const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"n":12345678901234567891}}';

const notes: string[] = [];
const note = (text: string): void => void notes.push(text);
let page: FakePage;
let server: LoopbackServer;

beforeEach(async () => {
  page = fakePage((body) => (body.includes('slow') ? undefined : [body]));
  const origins = ['https://allowed.example'];
  notes.length = 0;
  server = await serveMcp({ port: 0, token, origins, note, page: Promise.resolve(page) });
});
afterEach(() => server.close());

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

function ask(headers: Record<string, string>, path = '/mcp', method = 'POST'): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = send(
      { port: server.port, host: '127.0.0.1', path, method, headers },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => (body += text));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(method === 'POST' ? call : undefined);
  });
}

const known = { Authorization: `Bearer ${token}` };

test('a program with the token is answered, with the exact text', async () => {
  const { status, headers, body } = await ask({ ...known, 'Mcp-Session-Id': 's0' });
  expect([status, headers['mcp-session-id']]).toEqual([200, 's1']);
  expect(body).toContain('12345678901234567891');
  expect(page.asked).toMatchObject([
    { method: 'POST', path: 'mcp', body: call, headers: { 'mcp-session-id': 's0' } },
  ]);
  expect(page.asked[0]?.headers).not.toHaveProperty('authorization');
  expect((await ask({}, `/${token}/mcp`)).status).toBe(200);
});

test('other names of this machine, foreign pages and guessed tokens are refused', async () => {
  const statuses = await Promise.all([
    ask({ ...known, Host: 'evil.example' }),
    ask({ ...known, Host: `localhost.evil.example:${server.port}` }),
    ask({ ...known, Origin: 'https://evil.example' }),
    ask({ ...known, Origin: 'null' }),
    ask({}),
    ask({ Authorization: 'Bearer guess' }),
    ask({}, '/guess/mcp'),
    ask(known, '/other'),
    ask({ Origin: 'https://evil.example' }, '/mcp', 'OPTIONS'),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([
    403, 403, 403, 403, 401, 401, 401, 404, 403,
  ]);
  expect(page.asked).toEqual([]);
});

test('a page that is refused is named once, with the options that would allow it', async () => {
  const evil = { Origin: 'https://other.example' };
  await ask(evil, `/${token}/mcp`, 'OPTIONS');
  await ask(evil, `/${token}/mcp`);
  await ask({ Origin: 'null' }, '/mcp', 'OPTIONS');
  // These requests are not meant for this program, and may come from any page.
  await ask({ Origin: 'https://scan.example' }, '/');
  await ask({ Origin: 'https://scan.example' }, '/guess/mcp', 'OPTIONS');
  await ask({ ...evil, Host: 'evil.example' }, '/mcp');
  expect(notes).toEqual([
    'Refused a page from https://other.example. To allow it, press Ctrl C, then run the command again with --allow-origin https://allowed.example --allow-origin https://other.example',
    'Refused a page with the origin “null”, which cannot be allowed: open the page at an address that begins with http:// or https://.',
  ]);
});

test('an origin that a shell could expand is named without a command', async () => {
  const origin = 'https://$(id).other.example';
  await ask({ Origin: origin }, '/mcp', 'OPTIONS');
  expect(notes).toEqual([`Refused a page from “${origin}”.`]);
});

test('only the first 20 refused origins are noted', async () => {
  for (let n = 0; n < 30; n += 1) await ask({ Origin: `https://${n}.example` }, '/mcp', 'OPTIONS');
  expect(notes).toHaveLength(20);
});

test('an allowed page may ask, and read the session of the answer', async () => {
  const origin = { Origin: 'https://allowed.example' };
  const preflight = await ask(origin, '/mcp', 'OPTIONS');
  expect(preflight.status).toBe(204);
  expect(preflight.headers['access-control-allow-headers']).toContain('authorization');
  const { status, headers } = await ask({ ...known, ...origin });
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'access-control-allow-origin': 'https://allowed.example',
    'access-control-expose-headers': 'Mcp-Session-Id',
  });
  expect((await ask(origin)).status).toBe(401);
});

test('a client that leaves in the middle of a call cancels it', async () => {
  const socket = connect(server.port, '127.0.0.1');
  const body = '{"method":"slow"}';
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await vi.waitFor(() => expect(page.asked).toHaveLength(1));
  socket.destroy();
  await vi.waitFor(() => expect(page.cancelled).toEqual([body]));
});

test('a thousand guesses find nothing, and the client with the token is still answered', async () => {
  const guesses = Array.from({ length: 1_000 }, (_, n) => ask({ Authorization: `Bearer ${n}` }));
  const guessed = await Promise.all(guesses);
  expect(guessed.filter(({ status }) => status !== 401)).toEqual([]);
  expect(page.asked).toEqual([]);
  expect((await ask(known)).status).toBe(200);
  // A token of the user's that could be guessed at this rate is not taken.
  expect(() => tokenIn({ CLOCHE_MCP_TOKEN: 'secret' })).toThrow('at least 24');
  const chosen = 'a-long-token-of-the-user_1';
  expect(tokenIn({ CLOCHE_MCP_TOKEN: chosen })).toBe(chosen);
  expect(tokenIn({})).toMatch(/^[0-9a-f]{48}$/);
});

test('requests that name no path, and messages that are too large, are refused', async () => {
  const statusOf = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(server.port, '127.0.0.1', () => socket.write(text));
      socket.once('data', (piece: Buffer) => {
        resolve(String(piece).slice(9, 12));
        socket.destroy();
      });
      socket.on('error', reject);
    });
  const headers = `Host: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  for (const target of ['*', '//', '@evil.example/mcp', 'http://evil.example/mcp'])
    expect(await statusOf(`GET ${target} HTTP/1.1\r\n${headers}`), target).toMatch(/40[04]/);
  const status = await new Promise<number>((resolve, reject) => {
    const sent = send({ port: server.port, path: '/mcp', method: 'POST', headers: known });
    sent.on('response', ({ statusCode = 0 }) => {
      resolve(statusCode);
      sent.destroy();
    });
    sent.on('error', reject);
    for (let n = 0; n < 65; n += 1) sent.write(Buffer.alloc(1_000_000, 'x'));
  });
  expect(status).toBe(413);
  expect(page.asked).toEqual([]);
  expect((await ask(known)).status).toBe(200);
});

test('a client that never reads is not answered without end, and one that reads again is', async () => {
  let pulled = 0;
  async function* endless(): AsyncGenerator<string> {
    for (;;) {
      pulled += 1;
      yield await Promise.resolve('x'.repeat(100_000));
    }
  }
  const body = endless();
  const api = { request: () => Promise.resolve({ status: 200, headers: {}, body }) };
  const other = await serveMcp({ port: 0, token, origins: [], note, page: Promise.resolve(api) });
  const socket = connect(other.port, '127.0.0.1');
  socket.pause();
  socket.write(`GET /${token}/mcp HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const stopped = async (): Promise<number> => {
    for (let before = -1; before !== pulled || pulled === 0;) {
      before = pulled;
      for (let turn = 0; turn < 200; turn += 1) await new Promise((next) => setImmediate(next));
    }
    return pulled;
  };
  const atRest = await stopped();
  expect(atRest).toBeLessThan(1_000);
  socket.resume();
  await vi.waitFor(() => expect(pulled).toBeGreaterThan(2 * atRest + 100));
  socket.destroy();
  await other.close();
});

test('a client that does not read in time is given up', async () => {
  const response = Object.assign(new EventEmitter(), { write: () => false });
  const written = writeTo(new AbortController().signal, response as never, 'x', 10);
  await expect(written).rejects.toThrow('does not read');
  const reading = writeTo(new AbortController().signal, response as never, 'x', 10_000);
  response.emit('drain');
  await reading;
});

test('a thousand requests at once are all answered', async () => {
  const all = await Promise.all(Array.from({ length: 1_000 }, () => ask(known)));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1_000);
});

test('a message without an end is not kept in memory', async () => {
  let pieces = 0;
  async function* endless(): AsyncGenerator<Buffer> {
    for (;;) {
      pieces += 1;
      yield await Promise.resolve(Buffer.alloc(10));
    }
  }
  expect(await bytesOf(endless(), 95)).toBeNull();
  expect(pieces).toBe(10);
});
