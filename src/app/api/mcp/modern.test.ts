import { expect, test } from 'vitest';
import { only, settled } from '../asking.fixture.ts';
import { fakeResult } from '../api-deps.fixture.ts';
import { modernMethods } from '../../../runtime/protocol/mcp-handshake.ts';
import {
  messagesOf,
  reader,
  request,
  sendModern,
  setUpMcp,
  specifiedMethods,
} from './mcp.fixture.ts';

const serverInfo = { name: 'cloche', title: 'Cloche: tools', version: 'r1' };
const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
const call = { name: 'one', arguments: {} };
const otherSite = 'https://other.test';

test('describes itself, lists the tools, and calls them with exact numbers', async () => {
  const { deps, send } = setUpMcp();
  const caching = { resultType: 'complete', _meta, ttlMs: 0, cacheScope: 'private' };
  expect(await messagesOf(await sendModern(send, 'server/discover'))).toEqual([
    {
      jsonrpc: '2.0',
      id: 1,
      result: {
        ...caching,
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: { listChanged: true }, logging: {} },
      },
    },
  ]);
  expect(await messagesOf(await sendModern(send, 'tools/list'))).toMatchObject([
    { result: { ...caching, tools: [{ name: 'one' }, { name: 'two' }] } },
  ]);
  const [one] = deps.tools;
  const region = { type: 'string', 'x-mcp-header': 'Region' };
  if (one) deps.tools = [{ ...one, parameters: { type: 'object', properties: { region } } }];
  deps.revision = 'r2';
  expect(await messagesOf(await sendModern(send, 'tools/list'))).toMatchObject([
    { result: { tools: [{ inputSchema: { properties: { region: { type: 'string' } } } }] } },
  ]);
  deps.onCall = ({ call: { arguments: text }, end }) =>
    end(fakeResult('', { content: [{ type: 'json', text }] }));
  const args = '{"n":12345678901234567891}';
  const meta = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`;
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"one","arguments":${args},"_meta":${meta}}}`;
  const answer = await send(body, {
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call',
    'Mcp-Name': '=?base64?b25l?=',
  });
  expect(await answer.text()).toContain('{\\"n\\":12345678901234567891}');
  expect(only(deps).call).toMatchObject({ caller: 'mcp', arguments: args });
});

test('has the methods that `npx cloche mcp` forwards, and no others', async () => {
  const known: string[] = [];
  for (const method of specifiedMethods) {
    const { send } = setUpMcp();
    const { status, body } = await sendModern(send, method);
    if (status !== 404) known.push(method);
    await body?.cancel();
  }
  expect(new Set(known)).toEqual(modernMethods);
});

test('refuses requests whose _meta or headers do not fit, before any tool runs', async () => {
  const { deps, send } = setUpMcp();
  const codeOf = async (answer: Promise<Response>): Promise<unknown> => {
    const { status, body } = await answer.then(async (one) => ({
      status: one.status,
      body: (await one.json()) as { id: unknown; error: { code: number } },
    }));
    return [status, body.id, body.error.code];
  };
  const withHeaders = (headers: Record<string, string>): Promise<unknown> =>
    codeOf(sendModern(send, 'tools/call', call, { headers }));
  expect(await withHeaders({ 'Mcp-Method': 'tools/list' })).toEqual([400, 1, -32020]);
  expect(await withHeaders({ 'Mcp-Name': 'two' })).toEqual([400, 1, -32020]);
  expect(await withHeaders({ 'Mcp-Name': '=?base64?§?=' })).toEqual([400, 1, -32020]);
  expect(await withHeaders({ 'MCP-Protocol-Version': '2025-11-25' })).toEqual([400, 1, -32020]);
  const withMeta = (meta: object, headers = {}): Promise<unknown> =>
    codeOf(sendModern(send, 'tools/call', call, { meta, headers }));
  const key = 'io.modelcontextprotocol/';
  expect(await withMeta({ [`${key}clientCapabilities`]: undefined })).toEqual([400, 1, -32602]);
  expect(await withMeta({ [`${key}protocolVersion`]: undefined })).toEqual([400, 1, -32602]);
  expect(
    await withMeta(
      { [`${key}protocolVersion`]: '2027-01-01' },
      { 'MCP-Protocol-Version': '2027-01-01' },
    ),
  ).toEqual([400, 1, -32022]);
  expect(await codeOf(sendModern(send, 'initialize'))).toEqual([404, 1, -32601]);
  expect((await send([request('ping')], { 'MCP-Protocol-Version': '2026-07-28' })).status).toBe(
    400,
  );
  expect(deps.calls).toHaveLength(0);
});

test('a client that goes away cancels its call', async () => {
  const { deps, send } = setUpMcp();
  const answer = await sendModern(send, 'tools/call', call);
  await answer.body?.cancel();
  expect(only(deps).signal.aborted).toBe(true);
});

test('sends log lines only from the level that the request names', async () => {
  const { deps, send } = setUpMcp();
  deps.onCall = ({ end }) => end(fakeResult('', { log: [{ level: 'info', message: 'hello' }] }));
  const methods = async (meta: object): Promise<unknown[]> => {
    const messages = await messagesOf(await sendModern(send, 'tools/call', call, { meta }));
    return messages.map((one) => (one as { method?: string }).method);
  };
  expect(await methods({})).toEqual([undefined]);
  const level = 'io.modelcontextprotocol/logLevel';
  expect(await methods({ [level]: 'info' })).toEqual(['notifications/message', undefined]);
  expect(await methods({ [level]: 'error' })).toEqual([undefined]);
});

interface Asked {
  readonly result: {
    readonly resultType: string;
    readonly requestState: string;
    readonly inputRequests?: Readonly<Record<string, unknown>>;
  };
}

const asking = { capabilities: { elicitation: {} } };

/** A tool that asks, and tells how the question was answered. */
function approving({ deps }: ReturnType<typeof setUpMcp>): void {
  deps.onCall = ({ call: { id, tool, caller }, end, signal }) => {
    const question = { kind: 'approve', question: 'Send?', details: null } as const;
    void deps.questions
      .ask(signal, { ...question, tool, file: 'a.py', callId: id, caller })
      .then(({ reply }) =>
        end(fakeResult('', { content: [{ type: 'text', text: String(reply) }] })),
      );
  };
}

test('asks the client to approve by a result, and goes on with its answer', async () => {
  const all = setUpMcp();
  approving(all);
  for (const [action, reply] of [
    ['accept', 'once'],
    ['decline', 'no'],
  ] as const) {
    const [asked] = (await messagesOf(await sendModern(all.send, 'tools/call', call, asking))) as [
      Asked,
    ];
    const { resultType, requestState, inputRequests = {} } = asked.result;
    expect(resultType).toBe('input_required');
    const [key = ''] = Object.keys(inputRequests);
    const inputResponses = { [key]: { action } };
    const more = { ...call, requestState, inputResponses };
    const tampered = { ...more, requestState: `${requestState}x` };
    const other = { ...more, name: 'two' };
    for (const bad of [tampered, other])
      expect(await messagesOf(await sendModern(all.send, 'tools/call', bad, asking))).toMatchObject(
        [{ error: { code: -32602 } }],
      );
    expect(await messagesOf(await sendModern(all.send, 'tools/call', more, asking))).toMatchObject([
      { result: { resultType: 'complete', content: [{ text: reply }] } },
    ]);
    expect(all.deps.questions.list()).toEqual([]);
    expect(await messagesOf(await sendModern(all.send, 'tools/call', more, asking))).toMatchObject([
      { error: { code: -32602 } },
    ]);
  }
  expect(all.deps.calls).toHaveLength(2);
});

test('the page’s answer counts if it comes before the client’s', async () => {
  const all = setUpMcp();
  approving(all);
  const [asked] = (await messagesOf(await sendModern(all.send, 'tools/call', call, asking))) as [
    Asked,
  ];
  const { requestState, inputRequests = {} } = asked.result;
  all.deps.questions.answer(all.deps.questions.list()[0]?.id ?? 0, 'once');
  const inputResponses = Object.fromEntries(
    Object.keys(inputRequests).map((key) => [key, { action: 'decline' }]),
  );
  const late = { ...call, requestState, inputResponses };
  expect(await messagesOf(await sendModern(all.send, 'tools/call', late, asking))).toMatchObject([
    { result: { resultType: 'complete', content: [{ text: 'once' }] } },
  ]);
});

test('asks again without an answer, and cancels a call that nobody asks for', async () => {
  const all = setUpMcp();
  approving(all);
  const [first] = (await messagesOf(await sendModern(all.send, 'tools/call', call, asking))) as [
    Asked,
  ];
  const { requestState } = first.result;
  const again = await sendModern(all.send, 'tools/call', { ...call, requestState }, asking);
  const [second] = (await messagesOf(again)) as [Asked];
  expect(second.result.inputRequests).toEqual(first.result.inputRequests);
  expect(only(all.deps).signal.aborted).toBe(false);
  all.deps.pass(120_000);
  expect(only(all.deps).signal.aborted).toBe(true);
});

test.each([
  ['the client has not declared elicitation', {}],
  ['it is a page of another origin', { ...asking, headers: { 'Cloche-Origin': otherSite } }],
])('asks in the page if %s', async (_, given) => {
  const all = setUpMcp();
  all.deps.allowedSites.add(otherSite);
  approving(all);
  const read = messagesOf(await sendModern(all.send, 'tools/call', call, given));
  await settled();
  const [question] = all.deps.questions.list();
  all.deps.questions.answer(question?.id ?? 0, 'once');
  expect(await read).toMatchObject([{ result: { content: [{ text: 'once' }] } }]);
});

test('after four minutes the client asks for the rest', async () => {
  const { deps, send } = setUpMcp();
  const answer = await sendModern(send, 'tools/call', call);
  const read = messagesOf(answer);
  await settled();
  deps.pass(240_000);
  const [later] = (await read) as [Asked];
  const { requestState } = later.result;
  expect(later.result.inputRequests).toBeUndefined();
  const rest = sendModern(send, 'tools/call', { ...call, requestState });
  await settled();
  only(deps).end(fakeResult('', { content: [{ type: 'text', text: 'late' }] }));
  expect(await messagesOf(await rest)).toMatchObject([{ result: { content: [{ text: 'late' }] } }]);
});

test('a subscription is acknowledged, tells of changes, and keeps to its filter', async () => {
  const { deps, send } = setUpMcp();
  const listen = (notifications: object): Promise<Response> =>
    sendModern(send, 'subscriptions/listen', { notifications });
  const meta = { _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } };
  const stream = reader(await listen({ toolsListChanged: true, promptsListChanged: true }));
  expect(await stream.next()).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { toolsListChanged: true }, ...meta },
  });
  const next = stream.next();
  await settled();
  deps.changed('r2');
  expect(await next).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/tools/list_changed',
    params: meta,
  });
  await stream.close();
  expect(await messagesOf(await listen({ promptsListChanged: true }))).toMatchObject([
    { params: { notifications: {} } },
    { id: 1, result: { resultType: 'complete' } },
  ]);
  expect(deps.timers).toBe(0);
});
