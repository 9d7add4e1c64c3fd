import { PassThrough, Writable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { asFields } from '../../runtime/spec/guards.ts';
import { objectMembers } from '../../runtime/spec/json-reader.ts';
import type { PageApi } from '../driven-page.ts';
import { fakePage, type FakePage } from './page-api.fixture.ts';
import { lineWriter, readLines } from './json-lines.ts';
import { StdioSession } from './stdio-session.ts';
import type { StoredLists } from './stored-lists.ts';

const meta = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}';
const old = '"protocolVersion":"2025-11-25"';

function request(id: number | string, method: string, params = ''): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"${method}","params":{${params}}}`;
}

/** Answers as the page does: the list has the tool of this text. */
function answerWith(tool: string): (body: string) => readonly string[] | undefined {
  return (body) => {
    const members = objectMembers(body);
    const id = members?.get('id') ?? 'null';
    const method = JSON.parse(members?.get('method') ?? '""') as string;
    const reply = (result: string): string[] => [`{"jsonrpc":"2.0","id":${id},"result":${result}}`];
    switch (method) {
      case 'initialize':
        return reply(`{${old}}`);
      case 'ping':
        return reply('{}');
      case 'tools/list':
        return reply(`{"tools":[{"name":"${tool}"}]}`);
      case 'tools/call':
        return body.includes('"slow"') ? undefined : reply(members?.get('params') ?? '');
      case 'subscriptions/listen':
        return ['{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged"}'];
      default:
        return [];
    }
  };
}

function listsOf(stored: Record<string, string>): StoredLists {
  return {
    isEmpty: false,
    get: (version) => stored[version],
    set: (version, result) => {
      stored[version] = result;
    },
  };
}

interface Served {
  readonly session: StdioSession;
  readonly lines: string[];
  readonly stored: Record<string, string>;
}

function serve(page: Promise<PageApi>, stored: Record<string, string> = {}): Served {
  const lines: string[] = [];
  const lists = Promise.resolve(listsOf(stored));
  const write = (line: string): Promise<void> => {
    lines.push(line);
    return Promise.resolve();
  };
  const listsNow = (): typeof lists => lists;
  const session = new StdioSession({ page, folder: 'tools', lists, listsNow, write });
  return { session, lines, stored };
}

/** A page that is ready when the test says so. */
function laterPage(page: FakePage): { page: Promise<PageApi>; start: () => void } {
  let start: () => void = () => undefined;
  const started = new Promise<PageApi>((resolve) => {
    start = () => resolve(page);
  });
  return { page: started, start };
}

/** The calls that the page has got, and what cancels them. */
const calls = ({ asked }: FakePage): string[] =>
  asked.map(({ body = '' }) => body).filter((body) => /tools\/call|cancelled/.test(body));

test('a client is greeted before there is a page, and without one', async () => {
  const { session, lines } = serve(new Promise(() => undefined));
  session.receive(request(1, 'initialize', '"protocolVersion":"2025-03-26"'));
  session.receive(request('two', 'initialize', '"protocolVersion":"1999"'));
  const abilities = '"io.modelcontextprotocol/clientCapabilities":{}';
  session.receive(request(3, 'server/discover', `${meta.slice(0, -1)},${abilities}}`));
  session.receive(request(4, 'ping'));
  await vi.waitFor(() => expect(lines).toHaveLength(4));
  const results = lines.map((line) => asFields(asFields(JSON.parse(line)).result));
  const info = { name: 'cloche', title: 'Cloche: tools', version: '0' };
  const capabilities = { tools: { listChanged: true }, logging: {} };
  expect(results.slice(0, 2)).toEqual([
    { protocolVersion: '2025-03-26', capabilities, serverInfo: info },
    { protocolVersion: '2025-11-25', capabilities, serverInfo: info },
  ]);
  expect(results[2]).toMatchObject({
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    _meta: { 'io.modelcontextprotocol/serverInfo': info },
  });
  expect(results[3]).toEqual({});
});

test('a ping after the start reaches the page, which ends sessions without messages, if there is a session', async () => {
  const page = fakePage(answerWith('a'));
  const later = laterPage(page);
  const { session, lines } = serve(later.page);
  const pings = () => page.asked.filter(({ body }) => body?.includes('"ping"') === true);
  session.receive(request(1, 'initialize', old));
  session.receive(request(2, 'ping'));
  await vi.waitFor(() => expect(lines).toHaveLength(2));
  later.start();
  await session.listed;
  expect(pings()).toEqual([]);
  session.receive(request(3, 'ping'));
  await vi.waitFor(() => expect(lines).toHaveLength(3));
  expect(lines[2]).toBe('{"jsonrpc":"2.0","id":3,"result":{}}');
  expect(pings().map(({ headers }) => headers)).toMatchObject([{ 'Mcp-Session-Id': 's1' }]);
  session.end();

  // Without a session, there is none to keep, and the page would refuse the ping.
  const other = serve(Promise.resolve(page));
  await other.session.listed;
  other.session.receive(request(4, 'ping'));
  await vi.waitFor(() => expect(other.lines).toEqual(['{"jsonrpc":"2.0","id":4,"result":{}}']));
  expect(pings()).toHaveLength(1);
  other.session.end();
});

test('what is not offered is refused before there is a page, which gets it once it has started', async () => {
  const page = fakePage(answerWith('a'));
  const later = laterPage(page);
  const { session, lines } = serve(later.page);
  const clear = `${meta.slice(0, -1)},"io.modelcontextprotocol/clientCapabilities":{}}`;
  // The page refuses these in other words: they lack a session, capabilities, or a known revision.
  session.receive(request(1, 'resources/list'));
  session.receive(request(2, 'prompts/list', meta));
  session.receive(request(3, 'prompts/list', clear.replace('2026-07-28', '2027-01-01')));
  session.receive(request(4, 'prompts/list', clear));
  session.receive(request(5, 'subscriptions/listen', clear));
  session.receive(request(6, 'initialize', old));
  session.receive(request(7, 'resources/list'));
  session.receive(request(8, 'logging/setLevel', '"level":"info"'));
  await vi.waitFor(() => expect(lines).toHaveLength(3));
  await new Promise((resolve) => setImmediate(resolve));
  expect(lines.filter((line) => !line.includes('"result"'))).toEqual([
    '{"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"Method not found: prompts/list"}}',
    '{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"Method not found: resources/list"}}',
  ]);
  expect(lines).toHaveLength(3);
  const refused = () => page.asked.filter(({ body }) => body?.includes('"id":9') === true);
  later.start();
  await session.listed;
  // As a ping, it keeps the session.
  session.receive(request(9, 'resources/list'));
  await vi.waitFor(() => expect(refused()).toHaveLength(1));
  session.end();
});

test('a batch is taken apart in the revision that has batches, and refused in others', async () => {
  const batch = `[${request(1, 'tools/call', '"name":"a","arguments":{"n":12345678901234567891}')}, ${request(2, 'tools/call', '"name":"b"')}]`;
  for (const [version, ids] of [
    ['2025-03-26', ['0', '1', '2']],
    ['2025-06-18', ['0', 'null']],
  ] as const) {
    const page = fakePage(answerWith('a'));
    const { session, lines } = serve(Promise.resolve(page));
    session.receive(request(0, 'initialize', `"protocolVersion":"${version}"`));
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    session.receive(batch);
    await vi.waitFor(() => expect(lines).toHaveLength(ids.length));
    expect(lines.map((line) => objectMembers(line)?.get('id')).sort()).toEqual(ids);
    if (ids.length > 2) expect(lines.join()).toContain('12345678901234567891');
    for (const line of ['[]', '[1]', '[[]]', '[{', `[${'['.repeat(50_000)}]`])
      session.receive(line);
    expect(lines).toHaveLength(ids.length + 5);
    session.end();
  }
});

test('a client of 2025 gets the stored list while the page starts, and learns that it was old', async () => {
  const page = fakePage(answerWith('new'));
  const later = laterPage(page);
  const { session, lines, stored } = serve(later.page, {
    '2025-11-25': '{"tools":[{"name":"old"}]}',
  });
  session.receive(request(1, 'initialize', old));
  session.receive('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  session.receive(request('two', 'tools/list'));
  session.receive(request(3, 'tools/call', '"name":"new","arguments":{"n":12345678901234567891}'));
  await vi.waitFor(() => expect(lines).toHaveLength(2));
  expect(lines[1]).toBe('{"jsonrpc":"2.0","id":"two","result":{"tools":[{"name":"old"}]}}');
  expect(page.asked).toEqual([]);
  later.start();
  await vi.waitFor(() => expect(lines).toHaveLength(4));
  expect(lines.slice(2).sort()).toEqual([
    '{"jsonrpc":"2.0","id":3,"result":{"name":"new","arguments":{"n":12345678901234567891}}}',
    '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
  ]);
  // Clients of other revisions find their list at the next start.
  const truth = '{"tools":[{"name":"new"}]}';
  expect(stored).toEqual({ '2025-11-25': truth, '2026-07-28': truth });
  const call = page.asked.find(({ body }) => body?.includes('tools/call'));
  expect(call?.headers).toMatchObject({
    'Mcp-Session-Id': 's1',
    'MCP-Protocol-Version': '2025-11-25',
  });
  session.end();
});

for (const isSlow of [true, false])
  test(`a client that ${isSlow ? 'stops waiting' : 'does not wait'} for the first list learns when there is one`, async () => {
    const page = fakePage(answerWith('new'));
    const later = laterPage(page);
    const { session, lines } = serve(later.page);
    session.receive(request(1, 'initialize', old));
    session.receive(request(2, 'tools/list'));
    if (isSlow) await new Promise((resolve) => setImmediate(resolve));
    session.receive(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}',
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines).toHaveLength(1);
    later.start();
    await session.listed;
    expect(lines[1]).toBe('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
    session.receive(request(3, 'tools/list'));
    await vi.waitFor(() => expect(lines[2]).toContain('{"tools":[{"name":"new"}]}'));
    expect(lines).toHaveLength(3);
    session.end();
  });

for (const order of ['before', 'after'])
  test(`a client of 2026 that subscribes ${order} the list is compared learns that it was old`, async () => {
    const page = fakePage(answerWith('new'));
    const later = laterPage(page);
    const { session, lines } = serve(later.page, { '2026-07-28': '{"tools":[{"name":"old"}]}' });
    session.receive(request(1, 'tools/list', meta));
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    if (order === 'before') session.receive(request(2, 'subscriptions/listen', meta));
    later.start();
    await session.listed;
    if (order === 'after') session.receive(request(2, 'subscriptions/listen', meta));
    await vi.waitFor(() =>
      expect(lines[2]).toBe(
        '{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}',
      ),
    );
    expect(lines[1]).toContain('subscriptions/acknowledged');
    session.receive(request(3, 'tools/call', `"name":"é",${meta}`));
    await vi.waitFor(() => expect(calls(page)).toHaveLength(1));
    const { headers } = page.asked.find(({ body }) => body?.includes('tools/call')) ?? {};
    expect(headers).toMatchObject({
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': '=?base64?w6k=?=',
    });
    expect(headers).not.toHaveProperty('Mcp-Session-Id');
    session.end();
  });

test('an unchanged list is not announced', async () => {
  const later = laterPage(fakePage(answerWith('same')));
  const stored = { '2025-11-25': '{"tools":[{"name":"same"}]}' };
  const { session, lines } = serve(later.page, stored);
  session.receive(request(1, 'initialize', old));
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  session.receive(request(2, 'tools/list'));
  await vi.waitFor(() => expect(lines).toHaveLength(2));
  later.start();
  session.receive(request(3, 'tools/call', '"name":"same"'));
  await session.listed;
  await vi.waitFor(() => expect(lines).toHaveLength(3));
  expect(lines.join('')).not.toContain('list_changed');
  session.end();
});

test('a thousand calls at once are answered, at most 64 at a time', async () => {
  let most = 0;
  let now = 0;
  const page = fakePage(answerWith('a'));
  const counted: PageApi = {
    async request(signal, asked) {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return page.request(signal, asked);
    },
  };
  const { session, lines } = serve(Promise.resolve(counted));
  await session.listed;
  for (let id = 0; id < 1_000; id += 1)
    session.receive(request(id, 'tools/call', `"name":"a",${meta}`));
  await vi.waitFor(() => expect(lines).toHaveLength(1_000), { timeout: 30_000 });
  expect(new Set(lines.map((line) => asFields(JSON.parse(line)).id)).size).toBe(1_000);
  expect(most).toBe(64);
});

test('more requests than the bound are refused, and the others are answered', async () => {
  const { session, lines } = serve(Promise.resolve(fakePage(() => undefined)));
  for (let id = 0; id < 2_100; id += 1)
    session.receive(request(id, 'tools/call', `"name":"a",${meta}`));
  await new Promise((resolve) => setImmediate(resolve));
  session.receive(request(9_999, 'tools/call', `"name":"a",${meta}`));
  await vi.waitFor(() =>
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ id: 9_999, error: { code: -32000 } }),
  );
});

test('a cancelled call ends in the page, in both eras', async () => {
  const page = fakePage(answerWith('a'));
  const { session, lines } = serve(Promise.resolve(page));
  session.receive(request(1, 'tools/call', `"name":"slow",${meta}`));
  await vi.waitFor(() => expect(calls(page)).toHaveLength(1));
  const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
  session.receive(cancel);
  await vi.waitFor(() => expect(page.cancelled).toHaveLength(1));
  session.receive(request(2, 'initialize', old));
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  session.receive(request(3, 'tools/call', '"name":"slow"'));
  await vi.waitFor(() => expect(calls(page)).toHaveLength(2));
  session.receive(cancel.replace('1}', '3}'));
  // The session's call is cancelled by the message.
  await vi.waitFor(() => expect(calls(page).at(-1)).toContain('notifications/cancelled'));
  expect(lines).toHaveLength(1);
  session.end();
});

test('a client that leaves cancels its calls', async () => {
  const page = fakePage(answerWith('a'));
  const { session, lines } = serve(Promise.resolve(page));
  session.receive(request(1, 'tools/call', `"name":"slow",${meta}`));
  await vi.waitFor(() => expect(calls(page)).toHaveLength(1));
  session.end();
  await vi.waitFor(() => expect(page.cancelled).toHaveLength(1));
  expect(lines).toEqual([]);
});

test('what is no message, and a page that cannot start, are answered with errors', async () => {
  const { session, lines } = serve(Promise.reject(new Error('No browser was found.')));
  for (const line of ['{"jsonrpc"', '[]', '{"jsonrpc":"2.0"}']) session.receive(line);
  session.receive(request(7, 'tools/call', `"name":"a",${meta}`));
  await vi.waitFor(() => expect(lines).toHaveLength(4));
  const codes = lines.map((line) => asFields(asFields(JSON.parse(line)).error).code);
  expect(codes).toEqual([-32700, -32600, -32600, -32603]);
  expect(lines[3]).toContain('No browser was found.');
  expect(lines[3]).toContain('"id":7');
});

test('a line that is too long is refused, and the next one is read', async () => {
  const input = new PassThrough();
  const lines: (string | null)[] = [];
  const ended = new Promise<void>((resolve) =>
    readLines(input, (line) => lines.push(line), resolve, 10),
  );
  input.write('{"a":');
  input.write('1}\r\n\n');
  for (let n = 0; n < 100; n += 1) input.write('xxxxxxxxxx');
  input.end('\nlast\nunfinished');
  await ended;
  expect(lines).toEqual(['{"a":1}', null, 'last']);
});

test('the input of a client that does not read is paused until it does', async () => {
  const input = new PassThrough();
  let read: () => void = () => undefined;
  const output = new Writable({
    highWaterMark: 10,
    write: (_chunk, _encoding, done) => {
      read = done;
    },
  });
  const write = lineWriter(output, input);
  const full = write('a line that fills the buffer');
  expect(input.isPaused()).toBe(true);
  read();
  await full;
  expect(input.isPaused()).toBe(false);
});
