import { describe, expect, test } from 'vitest';
import { ask, getCall, only, setUp, settled } from './asking.fixture.ts';
import { fakeResult } from './api-deps.fixture.ts';

describe('a call', () => {
  test('passes the arguments on as they were written, and answers with the result', async () => {
    const { deps, api } = setUp();
    const response = await ask(api, '{"arguments": {"n":12345678901234567890, "2": 3.0, "1": 0} }');
    expect([response.status, response.headers.get('Cloche-Call')]).toEqual([200, 'call-1']);
    const { call, end } = only(deps);
    expect(call).toEqual({
      id: 'call-1',
      tool: 'a:one',
      arguments: '{"n":12345678901234567890, "2": 3.0, "1": 0}',
      caller: 'http',
      sessionId: '',
      sessionKey: '',
      turnId: '',
      agentId: '',
      validate: true,
    });
    end(fakeResult('fine'));
    expect(await response.json()).toMatchObject({
      callId: 'call-1',
      state: 'ended',
      textResultForLlm: 'fine',
    });
    expect(deps.timers).toBe(0);
  });

  test('defaults to {}, takes the last of several arguments, and ignores unknown members', async () => {
    const { deps, api } = setUp();
    await ask(api, '{"arguments": {"a": 1}, "arguments": {"a": 2}, "other": []}');
    await ask(api, '{"validate": false, "session": null}');
    expect(deps.calls.map(({ call }) => [call.arguments, call.validate])).toEqual([
      ['{"a": 2}', true],
      ['{}', false],
    ]);
  });

  test('answers 200 when the tool fails', async () => {
    const { deps, api } = setUp();
    deps.onCall = ({ end }) =>
      end(fakeResult('no', { resultType: 'failure', error: 'ValueError: no', isError: true }));
    const response = await ask(api, '{}');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      resultType: 'failure',
      error: 'ValueError: no',
      isError: true,
    });
  });

  test('answers with a failed result when invoking throws', async () => {
    const { deps, api } = setUp();
    deps.onCall = ({ fail }) => fail(new Error('lost'));
    const response = await ask(api, '{}');
    expect(await response.json()).toMatchObject({ resultType: 'failure', error: 'Error: lost' });
  });

  test('is cancelled when its caller disconnects', async () => {
    const { deps, api } = setUp();
    const response = await ask(api, '{}');
    expect(only(deps).signal.aborted).toBe(false);
    await response.body?.cancel();
    expect([only(deps).signal.aborted, deps.timers]).toEqual([true, 0]);
  });

  test('is not affected by a caller that disconnects after the end', async () => {
    const { deps, api } = setUp();
    const response = await ask(api, '{}');
    only(deps).end(fakeResult('x'.repeat(1_000_000)));
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(only(deps).signal.aborted).toBe(false);
  });

  test('waits for a scan in progress, which may add its tool', async () => {
    const { deps, api } = setUp();
    const { tools } = deps;
    deps.state = 'scanning';
    deps.tools = [];
    const response = ask(api, '{}');
    await settled();
    expect(deps.calls).toEqual([]);
    deps.tools = tools;
    deps.settle();
    expect((await response).status).toBe(200);
  });

  test('does not start if its caller disconnected during the scan', async () => {
    const { deps, api } = setUp();
    const gone = new AbortController();
    deps.state = 'scanning';
    const request = new Request('https://cloche.test/', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
      signal: gone.signal,
    });
    const response = api.handle(request, 'tools/a:one/invoke');
    await settled();
    gone.abort();
    deps.settle();
    await response;
    expect([deps.calls, deps.timers]).toEqual([[], 0]);
  });

  test('does not start while too many calls are running', async () => {
    const { deps, api } = setUp();
    deps.maxRunning = 0;
    const response = await ask(api, '{}');
    expect([response.status, response.headers.get('Retry-After'), deps.calls]).toEqual([
      429,
      '1',
      [],
    ]);
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Too Many Requests',
      status: 429,
      code: 'too-many-calls',
      detail: 'Too many calls are running or waiting.',
      hint: 'Wait until some have ended, and repeat the request.',
    });
    deps.maxRunning = 1;
    void ask(api, '{}');
    await settled();
    expect(deps.calls).toHaveLength(1);
  });

  test('does not wait for a scan longer than an answer may take', async () => {
    const { deps, api } = setUp();
    deps.state = 'scanning';
    const response = ask(api, '{}');
    await settled();
    deps.pass(4 * 60_000);
    const { status, headers } = await response;
    expect([status, headers.get('Retry-After'), deps.calls]).toEqual([503, '10', []]);
  });
});

describe('a slow call', () => {
  test('sends its first bytes soon, so that every browser shows the headers', async () => {
    const { deps, api } = setUp();
    const reader = (await ask(api, '{}')).body?.getReader();
    deps.pass(100);
    expect((await reader?.read())?.value).toEqual(new TextEncoder().encode('\n'));
    only(deps).end(fakeResult('fine'));
    const { value } = (await reader?.read()) ?? {};
    expect(JSON.parse(new TextDecoder().decode(value))).toMatchObject({ textResultForLlm: 'fine' });
  });
});

describe('a call of more than four minutes', () => {
  test('runs on after its response has ended; the result is at api/calls', async () => {
    const { deps, api } = setUp();
    const response = await ask(api, '{}');
    const body = response.json();
    await settled();
    deps.pass(4 * 60_000 - 1);
    await settled();
    deps.pass(1);
    expect(await body).toEqual({ callId: 'call-1', state: 'running', rest: 'api/calls/call-1' });
    expect(only(deps).signal.aborted).toBe(false);
    expect(await (await getCall(api, 'call-1')).json()).toMatchObject({ state: 'running' });
    only(deps).end(fakeResult('late'));
    await settled();
    expect(await (await getCall(api, 'call-1')).json()).toMatchObject({
      state: 'ended',
      textResultForLlm: 'late',
    });
  });
});

describe('api/calls/{id}', () => {
  test('answers from the log', async () => {
    const { deps, api } = setUp();
    await ask(api, '{}');
    const { call } = only(deps);
    deps.logged.set('old', {
      id: 'old',
      at: 1,
      call,
      result: fakeResult('logged'),
      folder: 'tools',
      folderId: '',
      cut: true,
    });
    const response = await getCall(api, 'old');
    expect(await response.json()).toMatchObject({
      callId: 'old',
      state: 'ended',
      textResultForLlm: 'logged',
      cut: true,
    });
  });

  test('answers 404 for an unknown call', async () => {
    const { api } = setUp();
    const response = await getCall(api, 'none');
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'unknown-call' }]);
  });
});

test('after another page hosted the API, the next result of each session reports lost state', async () => {
  const { deps, api } = setUp();
  deps.sessions.set('s1', ['a:one']);
  deps.onCall = ({ end }) => end(fakeResult(''));
  const lost = async (body: string): Promise<unknown> => {
    return ((await (await ask(api, body)).json()) as { stateLost: unknown }).stateLost;
  };
  expect(await lost('{}')).toBe(false);
  api.noteLostState();
  expect([await lost('{}'), await lost('{}'), await lost('{"session": "s1"}')]).toEqual([
    true,
    false,
    true,
  ]);
});
