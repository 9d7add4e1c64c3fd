import { describe, expect, test } from 'vitest';
import { sessionMethods } from '../../../runtime/protocol/mcp-handshake.ts';
import { only, settled } from '../asking.fixture.ts';
import { fakeResult } from '../api-deps.fixture.ts';
import {
  initialize,
  messagesOf,
  reader,
  request,
  setUpMcp,
  specifiedMethods,
  toolCall,
  type Send,
} from './mcp.fixture.ts';

const site = { 'Cloche-Origin': 'https://other.test' };

async function begun(options = {}): Promise<ReturnType<typeof setUpMcp> & { ask: Send }> {
  const all = setUpMcp();
  const headers = await initialize(all.send, options);
  return {
    ...all,
    ask: (body, more = {}, method) => all.send(body, { ...headers, ...more }, method),
  };
}

test('negotiates the revision, and names the folder', async () => {
  const { send } = setUpMcp();
  const versionFor = async (protocolVersion: string): Promise<unknown> => {
    const answer = await send(request('initialize', { protocolVersion, capabilities: {} }));
    const { result } = (await answer.json()) as { result: { protocolVersion: string } };
    return result.protocolVersion;
  };
  expect(await versionFor('2025-03-26')).toBe('2025-03-26');
  expect(await versionFor('2025-06-18')).toBe('2025-06-18');
  expect(await versionFor('2024-11-05')).toBe('2025-11-25');
  const [answer] = await messagesOf(await send(request('initialize', {})));
  expect(answer).toMatchObject({
    result: { serverInfo: { name: 'cloche', title: 'Cloche: tools', version: 'r1' } },
  });
});

test('lists the tools by their short names, and calls them with exact numbers', async () => {
  const { deps, ask } = await begun();
  const [listed] = await messagesOf(await ask(request('tools/list')));
  expect(listed).toMatchObject({ id: 1, result: { tools: [{ name: 'one' }, { name: 'two' }] } });
  deps.onCall = ({ call, end }) =>
    end(fakeResult('', { content: [{ type: 'json', text: call.arguments }] }));
  const body = `{"jsonrpc":"2.0","id":12345678901234567891,"method":"tools/call","params":{"name":"one","arguments":{"n":12345678901234567891}}}`;
  const answer = await (await ask(body)).text();
  expect(answer).toContain('"id":12345678901234567891,');
  expect(answer).toContain('{\\"n\\":12345678901234567891}');
  expect(only(deps).call).toMatchObject({ caller: 'mcp', tool: 'a:one', sessionId: '' });
});

test('members that are null count as left out', async () => {
  const { deps, ask } = await begun();
  const [listed] = await messagesOf(
    await ask('{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}'),
  );
  expect(listed).toMatchObject({ id: 1, result: { tools: [{ name: 'one' }, { name: 'two' }] } });
  deps.onCall = ({ call, end }) =>
    end(fakeResult('', { content: [{ type: 'json', text: call.arguments }] }));
  const call =
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"one","arguments":null}}';
  expect(await messagesOf(await ask(call))).toMatchObject([{ id: 2, result: { isError: false } }]);
  expect(only(deps).call).toMatchObject({ arguments: '{}' });
});

test('answers an unknown tool and an unknown method as the specification words it', async () => {
  const { ask } = await begun();
  expect(await messagesOf(await ask(toolCall('three')))).toEqual([
    { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Unknown tool: three' } },
  ]);
  expect(await messagesOf(await ask(request('prompts/list')))).toEqual([
    { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found: prompts/list' } },
  ]);
});

test('has the methods that `npx cloche mcp` forwards, and no others', async () => {
  const known: string[] = [];
  for (const method of specifiedMethods) {
    const { ask } = await begun();
    const answer = await (await ask(request(method))).text();
    if (!answer.includes('Method not found')) known.push(method);
  }
  expect(new Set(known)).toEqual(sessionMethods);
});

test('a failure is a result with isError', async () => {
  const { deps, ask } = await begun();
  deps.onCall = ({ end }) => end(fakeResult('It failed.', { resultType: 'failure', content: [] }));
  expect(await messagesOf(await ask(toolCall('one')))).toEqual([
    {
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: 'It failed.' }], isError: true },
    },
  ]);
});

test('sends updates only with a token, and log lines from the level that was set', async () => {
  const { deps, ask } = await begun();
  deps.onCall = ({ stream, end }) => {
    stream({
      updates: [
        { n: 0, json: '"half"' },
        { n: 1, json: '{"at":2}' },
      ],
    });
    stream({
      log: [
        { level: 'debug', message: 'd' },
        { level: 'warning', message: 'w' },
      ],
    });
    end(
      fakeResult('done', {
        updates: [
          { n: 0, json: '"half"' },
          { n: 1, json: '{"at":2}' },
        ],
        log: [
          { level: 'debug', message: 'd' },
          { level: 'warning', message: 'w' },
        ],
      }),
    );
  };
  const progress = (n: number, message: string): object => ({
    method: 'notifications/progress',
    params: { progressToken: 'p', progress: n, message },
  });
  const logged = (level: string, data: string): object => ({
    method: 'notifications/message',
    params: { level, logger: 'a:one', data },
  });
  const sent = async (meta?: object): Promise<unknown[]> =>
    (await messagesOf(await ask(toolCall('one', {}, meta)))).slice(0, -1);
  expect(await sent()).toMatchObject([logged('warning', 'w')]);
  expect(await sent({ _meta: { progressToken: 'p' } })).toMatchObject([
    logged('warning', 'w'),
    progress(1, 'half'),
    progress(2, '{"at":2}'),
  ]);
  await ask(request('logging/setLevel', { level: 'debug' }));
  expect(await sent()).toMatchObject([logged('debug', 'd'), logged('warning', 'w')]);
  await ask(request('logging/setLevel', { level: 'error' }));
  expect(await sent()).toEqual([]);
});

test('a cancelled call ends as cancelled, without an answer', async () => {
  const { deps, ask } = await begun();
  const answer = await ask(toolCall('one', {}, {}, 7));
  await settled();
  const params = { requestId: 7 };
  const cancelled = await ask({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  expect(cancelled.status).toBe(202);
  expect(await messagesOf(answer)).toEqual([]);
  expect(deps.running.size).toBe(0);
});

test('a call outlives a broken answer for a minute, in which the client gets the rest', async () => {
  const { deps, ask } = await begun();
  const broken = await ask(toolCall('one'));
  const id = `${only(deps).call.id}.0-0-0-0`;
  await settled();
  await broken.body?.cancel();
  deps.pass(30_000);
  const rest = await ask('', { 'Last-Event-ID': id }, 'GET');
  deps.pass(60_000);
  only(deps).end(fakeResult('late', { content: [] }));
  expect(await messagesOf(rest)).toMatchObject([
    { id: 1, result: { content: [{ text: 'late' }] } },
  ]);
  const lost = await ask(toolCall('one'));
  await lost.body?.cancel();
  deps.pass(60_000);
  expect(deps.calls[1]?.signal.aborted).toBe(true);
});

test('asks the client to approve, and the page otherwise', async () => {
  const { deps, ask } = await begun({ capabilities: { elicitation: {} } });
  const answers: unknown[] = [];
  deps.onCall = ({ call, end, signal, stream }) => {
    const asked = { kind: 'approve', question: 'Send it?', details: null } as const;
    const asking = { tool: call.tool, file: 'a.py', callId: call.id, caller: call.caller };
    // Progress just before a question must not hide it.
    stream({ log: [{ level: 'info', message: 'about to ask' }] });
    void deps.questions.ask(signal, { ...asked, ...asking }).then((answered) => {
      answers.push(answered.reply);
      end(fakeResult('ok'));
    });
  };
  for (const action of ['accept', 'decline', 'cancel']) {
    const stream = reader(await ask(toolCall('one')));
    expect(await stream.next()).toMatchObject({ method: 'notifications/message' });
    const asked = (await stream.next()) as { id: string };
    expect(asked).toMatchObject({
      method: 'elicitation/create',
      params: { message: 'The tool a:one asks: Send it?' },
    });
    await ask({ jsonrpc: '2.0', id: asked.id, result: { action, content: {} } });
    expect(deps.questions.list()).toEqual([]);
    expect(await stream.next()).toMatchObject({ id: 1, result: { isError: false } });
  }
  // The user answers in the page first: the client closes its form, and its late answer has no effect.
  const stream = reader(await ask(toolCall('one')));
  expect(await stream.next()).toMatchObject({ method: 'notifications/message' });
  const { id } = (await stream.next()) as { id: string };
  deps.questions.answer(deps.questions.list()[0]?.id ?? 0, 'once');
  expect(await stream.next()).toMatchObject({
    method: 'notifications/cancelled',
    params: { requestId: id },
  });
  await ask({ jsonrpc: '2.0', id, result: { action: 'decline' } });
  expect(await stream.next()).toMatchObject({ id: 1, result: { isError: false } });
  expect(answers).toEqual(['once', 'no', 'no', 'once']);
  const other = setUpMcp();
  other.deps.onCall = deps.onCall;
  const headers = await initialize(other.send);
  const silent = await other.send(toolCall('one'), headers);
  await settled();
  expect(deps.questions.list()).toHaveLength(1);
  await silent.body?.cancel();
});

test('a page of another origin neither approves its calls nor uses the sessions of others', async () => {
  const { deps, send } = setUpMcp();
  deps.allowedSites.add(site['Cloche-Origin']);
  const own = await initialize(send);
  expect((await send(request('ping'), { ...own, ...site })).status).toBe(404);
  const theirs = await initialize(send, { headers: site, capabilities: { elicitation: {} } });
  expect((await send(request('ping'), theirs)).status).toBe(200);
  deps.onCall = ({ call, signal }) => {
    const asking = { tool: call.tool, file: 'a.py', callId: call.id, caller: call.caller };
    void deps.questions.ask(signal, { kind: 'approve', question: '?', details: null, ...asking });
  };
  const answer = await send(toolCall('one'), theirs);
  await settled();
  expect(only(deps).call.site).toBe(site['Cloche-Origin']);
  only(deps).end(fakeResult('x', { content: [] }));
  expect(await messagesOf(answer)).toMatchObject([{ id: 1 }]);
  const stranger = { 'Cloche-Origin': 'https://stranger.test' };
  expect((await send(request('ping'), stranger)).status).toBe(403);
});

describe('the stream of a session', () => {
  test('tells once that the list has changed', async () => {
    const { deps, ask } = await begun();
    const stream = reader(await ask('', {}, 'GET'));
    const next = stream.next();
    await settled();
    deps.state = 'scanning';
    deps.changed('r1');
    deps.state = 'ready';
    deps.changed('r2');
    const told = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
    expect(await next).toEqual(told);
    const end = stream.next();
    await settled();
    deps.changed('r2');
    deps.pass(240_000);
    expect(await end).toBeUndefined();
  });

  test('ends with the session, as its calls do', async () => {
    const { deps, ask } = await begun();
    const stream = reader(await ask('', {}, 'GET'));
    const end = stream.next();
    const answer = await ask(toolCall('one'));
    await settled();
    expect((await ask('', {}, 'DELETE')).status).toBe(200);
    expect(await end).toBeUndefined();
    expect(await messagesOf(answer)).toMatchObject([{ result: { isError: true } }]);
    expect(deps.running.size).toBe(0);
    expect((await ask(request('ping'))).status).toBe(404);
  });
});

describe('bounds', () => {
  test('an unused session ends after half an hour, a used one does not', async () => {
    const { deps, ask } = await begun();
    deps.pass(29 * 60_000);
    expect((await ask(request('ping'))).status).toBe(200);
    deps.pass(29 * 60_000);
    expect((await ask(request('ping'))).status).toBe(200);
    deps.pass(31 * 60_000);
    expect((await ask(request('ping'))).status).toBe(404);
  });

  test('the session that was unused for longest makes room for the 101st', async () => {
    const { send } = setUpMcp();
    const first = await initialize(send);
    const second = await initialize(send);
    for (let more = 2; more < 100; more += 1) await initialize(send);
    expect((await send(request('ping'), first)).status).toBe(200);
    await initialize(send);
    expect((await send(request('ping'), first)).status).toBe(200);
    expect((await send(request('ping'), second)).status).toBe(404);
  });

  test('a batch is answered in 2025-03-26, and refused in later revisions', async () => {
    const batch = [request('ping', {}, 1), toolCall('one', {}, {}, 2)];
    const early = await begun({ version: '2025-03-26' });
    early.deps.onCall = ({ end }) => end(fakeResult('x'));
    const answers = await messagesOf(await early.ask(batch));
    expect(answers).toMatchObject([
      { id: 1, result: {} },
      { id: 2, result: { isError: false } },
    ]);
    const late = await begun();
    expect((await late.ask(batch)).status).toBe(400);
    expect(late.deps.calls).toHaveLength(0);
  });

  test.each([
    ['a form', { 'Content-Type': 'text/plain' }, '{}', 415],
    ['an answer in one piece only', { Accept: 'application/json' }, '{}', 406],
    ['a body beyond the limit', {}, ' '.repeat(1_001), 413],
    ['a body that is not JSON', {}, '{', 400],
    ['a body that is no message', {}, '[]', 400],
    ['a message without a session', {}, '{"jsonrpc":"2.0","id":1,"method":"ping"}', 400],
  ])('refuses %s', async (_name, headers, body, status) => {
    const { send } = setUpMcp();
    const answer = await send(body, headers);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', id: null });
  });

  test('refuses an unknown revision in the header, and two calls with one id', async () => {
    const { ask } = await begun();
    expect((await ask(request('ping'), { 'MCP-Protocol-Version': '2025-01-01' })).status).toBe(400);
    const first = await ask(toolCall('one'));
    expect(await messagesOf(await ask(toolCall('two')))).toMatchObject([
      { error: { code: -32600 } },
    ]);
    await first.body?.cancel();
  });
});
