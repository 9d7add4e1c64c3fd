/** Answers of servers that break the rules of HTTP, of events or of JSON-RPC: read where one reading is possible, refused at once otherwise. */

import { expect, test } from 'vitest';
import {
  answerTo,
  connected,
  done,
  sloppyServer,
  stream,
  typed,
  type Reply,
} from './sloppy-server.fixture.ts';
import { threadMs } from '../../../../../tests/support/thread-time.ts';

const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const called = (reply: Reply) => sloppyServer({ 'tools/call': reply }).call();
const said = { ok: true, value: { isError: false, textResultForLlm: 'done' } };

test.each<[string, Reply]>([
  ['202', () => new Response(null, { status: 202 })],
  ['204', () => new Response(null, { status: 204 })],
  ['200 without a body', () => new Response(null)],
  ['a text', () => typed('Not a message', 'text/plain')],
  ['a page', () => typed('<html>No</html>', 'text/html')],
  ['other JSON', () => typed('{"status":"ok"}', 'application/json')],
  ['an empty batch', () => typed('[]', 'application/json')],
  ['JSON that is cut', (id) => typed(answerTo(id, done).slice(0, -5), 'application/json')],
  ['an empty stream', () => stream()],
  ['comments only', () => stream(': wait\n\n', ': wait\n\n')],
  ['an answer that is cut', (id) => stream(`data: ${answerTo(id, done).slice(0, -5)}`)],
  ['JSON of another kind in an event', () => stream('data: {"content":"part"}\n\n')],
  ['the answer to another request', () => stream(`data: ${answerTo(9_999, done)}\n\n`)],
  ['the JSON of another answer', () => typed(answerTo(9_999, done), 'application/json')],
  ['a result and an error', (id) => typed(answerTo(id, done, { error: { code: 1 } }), null)],
  [
    'a notification only',
    () => typed('{"jsonrpc":"2.0","method":"notifications/message"}', 'application/json'),
  ],
])('a call ends at once if its answer cannot come any more: %s', async (_, reply) => {
  const answered = await called(reply);
  if (answered.ok) throw new Error('There was an answer.');
  expect(answered.fault.message).toMatch(/tools\/call, which is a fault of the server/);
});

test('the error says which answer came instead', async () => {
  const other = await called(() => typed(answerTo(77, done), 'application/json'));
  expect(other).toMatchObject({
    ok: false,
    fault: {
      message: expect.stringMatching(/another request \(with the id 77, not \d+\)/) as string,
    },
  });
  const page = await called(() => typed('<html>', 'text/html; charset=utf-8'));
  expect(page).toMatchObject({
    fault: { message: expect.stringContaining('sent text/html that is not a JSON-RPC') as string },
  });
});

test.each<[string, Reply]>([
  ['JSON', () => done],
  ['JSON with a charset', (id) => typed(answerTo(id, done), 'application/json; charset=UTF-8')],
  ['a byte order mark', (id) => typed(`\ufeff${answerTo(id, done)}`, 'application/json')],
  ['an empty line behind it', (id) => stream(`data: ${answerTo(id, done)}\n\n`)],
  ['no empty line behind it', (id) => stream(`data: ${answerTo(id, done)}\n`)],
  [
    'no line end',
    (id) => stream(': begin\r\n\r\n', `event: message\r\ndata: ${answerTo(id, done)}`),
  ],
  ['CR as the line end', (id) => stream(`event: message\rdata: ${answerTo(id, done)}\r\r`)],
])('a valid answer is read without a problem: %s', async (_, reply) => {
  const server = sloppyServer({ 'tools/call': reply });
  expect(await server.call()).toMatchObject(said);
  expect(await server.problems()).toEqual([]);
});

test.each<[string, Reply, RegExp]>([
  ['text/plain', (id) => typed(answerTo(id, done), 'text/plain'), /JSON was sent with text\/plain/],
  ['text/html', (id) => typed(answerTo(id, done), 'text/html'), /JSON was sent with text\/html/],
  ['bytes', (id) => typed(answerTo(id, done), 'application/octet-stream'), /octet-stream/],
  ['no type', (id) => typed(answerTo(id, done), null), /JSON was sent with no Content-Type/],
  ['a byte order mark', (id) => typed(`\ufeff ${answerTo(id, done)}`, 'text/json'), /text\/json/],
  ['status 202', (id) => new Response(answerTo(id, done), { status: 202 }), /status 202/],
  ['a batch', (id) => typed(`[${answerTo(id, done)}]`, 'text/json'), /text\/json/],
  [
    'JSON lines',
    (id) =>
      typed(`{"jsonrpc":"2.0","method":"notifications/x"}\n${answerTo(id, done)}\n`, 'x/ndjson'),
    /x\/ndjson/,
  ],
  [
    'events as text',
    (id) => typed(`data: ${answerTo(id, done)}\n\n`, 'text/plain'),
    /events were sent with text\/plain/,
  ],
  [
    'events as JSON',
    (id) => typed(`\n\nevent: message\ndata: ${answerTo(id, done)}\n\n`, 'application/json'),
    /events were sent with application\/json/,
  ],
  ['JSON as events', (id) => stream(answerTo(id, done)), /JSON without an event/],
  [
    'an event of another name',
    (id) => stream(`event: response\ndata: ${answerTo(id, done)}\n\n`),
    /type “response”/,
  ],
  [
    'jsonrpc is missing',
    (id) => typed(JSON.stringify({ id, result: done }), 'application/json'),
    /jsonrpc is not "2.0"/,
  ],
  [
    'an id as text',
    (id) => typed(answerTo(String(id), done), 'application/json'),
    /id of the response is a string/,
  ],
  ['no id', () => typed(answerTo(undefined, done), 'application/json'), /has no id/],
  ['an id that is null', () => stream(`data: ${answerTo(null, done)}\n\n`), /has no id/],
  [
    'a null error',
    (id) => typed(answerTo(id, done, { error: null }), 'application/json'),
    /both result and error/,
  ],
  [
    'other members',
    (id) => typed(answerTo(id, done, { time: 3 }), 'application/json'),
    /does not define: time/,
  ],
  [
    'its method',
    (id) => typed(answerTo(id, done, { method: 'tools/call' }), 'application/json'),
    /does not define: method/,
  ],
  [
    'no response',
    () => typed(JSON.stringify(done), 'application/json'),
    /without its JSON-RPC response/,
  ],
])('an answer with one reading is read, and its breach is named: %s', async (_, reply, problem) => {
  const server = sloppyServer({ 'tools/call': reply });
  expect(await server.call()).toMatchObject(said);
  expect(await server.problems()).toEqual([expect.stringMatching(problem)]);
});

test('a refusal with the status 400 whose id is null, as official servers send it, is no breach', async () => {
  const refusal = {
    jsonrpc: '2.0',
    id: null,
    error: { code: -32_000, message: 'Bad Request: Unsupported protocol version' },
  };
  const server = sloppyServer({
    'server/discover': () => Response.json(refusal, { status: 400 }),
  });
  expect(await server.call()).toMatchObject(said);
  expect(await server.problems()).toEqual([]);
});

test.each<[string, (broken: string, id: unknown) => Response]>([
  ['an event', (broken, id) => stream(`data: ${broken}\n\n`, `data: ${answerTo(id, done)}\n\n`)],
  ['a batch', (broken, id) => typed(`[${broken},${answerTo(id, done)}]`, 'application/json')],
])('a result and an error for another request end that one only: %s', async (_, reply) => {
  const broken = answerTo(9_999, done, { error: { code: 1, message: 'No' } });
  const server = sloppyServer({ 'tools/call': (id) => reply(broken, id) });
  expect(await server.call()).toMatchObject(said);
  expect(await server.problems()).toEqual([
    'tools/call: a response to another request has both result and error: read as an error.',
  ]);
});

test('an error beside a result that is null is read as an error', async () => {
  const both = { result: null, error: { code: -32_000, message: 'No disk' } };
  const server = sloppyServer({
    'tools/call': (id) =>
      typed(JSON.stringify({ jsonrpc: '2.0', id, ...both }), 'application/json'),
  });
  expect(await server.call()).toMatchObject({
    ok: false,
    fault: { cause: 'refused', message: 'No disk' },
  });
});

test('a batch in an event is read', async () => {
  expect(await called((id) => stream(`data: [${answerTo(id, done)}]\n\n`))).toMatchObject(said);
});

test('a body in another encoding is decoded as its header says', async () => {
  const text = (id: unknown) => latin1(answerTo(id, { content: [{ type: 'text', text: 'é' }] }));
  expect(
    await called((id) => typed(text(id), 'application/json; charset=iso-8859-1')),
  ).toMatchObject({ ok: true, value: { textResultForLlm: 'é' } });
});

test.each([
  [{ code: '-32001', message: 'No disk' }, 'No disk'],
  [{ code: 'NO_DISK', message: 'No disk' }, 'No disk (NO_DISK)'],
  [{ code: 5 }, 'The server did not say why.'],
  [{ code: 5, data: { disk: 'none' } }, '{"disk":"none"}'],
  ['No disk', 'No disk'],
])('an error that is not one of JSON-RPC is shown: %j', async (error, words) => {
  const server = sloppyServer({
    'tools/call': (id) => typed(JSON.stringify({ jsonrpc: '2.0', id, error }), 'application/json'),
  });
  expect(await server.call()).toMatchObject({
    ok: false,
    fault: { cause: 'refused', message: expect.stringContaining(words) as string },
  });
  expect(await server.problems()).not.toEqual([]);
});

test.each([
  ['200 with JSON', () => Response.json({ jsonrpc: '2.0', result: {} }), 1],
  ['204', () => new Response(null, { status: 204 }), 1],
  ['a stream', () => stream('data: {}\n\n'), 1],
  ['202 with a text', () => new Response('ok', { status: 202 }), 0],
])(
  'any success accepts a notification, and the stream of the server is opened: %s',
  async (_, reply, problems) => {
    const server = sloppyServer({ 'notifications/initialized': reply });
    await connected(server);
    expect(await server.problems()).toHaveLength(problems);
    expect(server.sent).toContain('GET');
  },
);

test('a server that sends a page or JSON in place of its stream is asked once', async () => {
  for (const type of ['text/html', 'application/json']) {
    const server = sloppyServer({ GET: () => typed('{"status":"up"}', type) });
    await connected(server);
    expect(await server.problems()).toEqual([
      expect.stringContaining(`GET: answered with ${type}`),
    ]);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(server.sent.filter((one) => one === 'GET')).toHaveLength(1);
  }
});

test('a server that fails at the method of the latest revision is asked in an earlier one', async () => {
  for (const reply of [
    () => new Response('crash', { status: 500 }),
    () => typed('no such thing', 'text/plain'),
  ])
    expect(await connected(sloppyServer({ 'server/discover': reply }))).toMatchObject({
      era: 'legacy',
    });
});

test('an answer that begins with a flood of spaces in small pieces is read in linear time', async () => {
  const spaces = new TextEncoder().encode(' '.repeat(100));
  let rest = 20_000;
  const flood = (id: unknown) =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => {
        rest -= 1;
        if (rest > 0) controller.enqueue(spaces);
        else {
          controller.enqueue(new TextEncoder().encode(answerTo(id, done)));
          controller.close();
        }
      },
    });
  const began = threadMs();
  const headers = { 'Content-Type': 'application/json' };
  expect(await called((id) => new Response(flood(id), { headers }))).toMatchObject(said);
  expect(threadMs() - began).toBeLessThan(2_000);
});

test('connecting ends at once if the server accepts it without an answer', async () => {
  const server = sloppyServer({ initialize: () => new Response('ok', { status: 202 }) });
  expect(await server.call()).toMatchObject({ ok: false });
});
