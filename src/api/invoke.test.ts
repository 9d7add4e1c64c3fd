import { describe, expect, test } from 'vitest';
import type { Api } from './create-api.ts';
import { createApi } from './create-api.ts';
import { FakeEffects, fakeResult, type FakeCall } from './effects.fixture.ts';

function setUp(): { effects: FakeEffects; api: Api } {
  const effects = new FakeEffects();
  return { effects, api: createApi(effects) };
}

function ask(
  api: Api,
  body: BodyInit,
  headers: Record<string, string> = {},
  tool = 'a:one',
): Promise<Response> {
  const request = new Request('https://cloche.test/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
  return api.handle(request, `tools/${tool}/invoke`);
}

function only(effects: FakeEffects): FakeCall {
  const [call, ...more] = effects.calls;
  if (call === undefined || more.length > 0) throw new Error(`${effects.calls.length} calls`);
  return call;
}

function getCall(api: Api, id: string): Promise<Response> {
  return api.handle(new Request('https://cloche.test/'), `calls/${id}`);
}

/** Lets everything happen that waits for nothing. */
async function settled(): Promise<void> {
  // Turns of the event loop, however long each takes.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}

describe('a call', () => {
  test('gets the arguments as they were written, and answers with the result', async () => {
    const { effects, api } = setUp();
    const response = await ask(api, '{"arguments": {"n":12345678901234567890, "2": 3.0, "1": 0} }');
    expect([response.status, response.headers.get('Cloche-Call')]).toEqual([200, 'call-1']);
    const { call, end } = only(effects);
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
    expect(effects.timers).toBe(0);
  });

  test('takes {} for no arguments, the last of several, and ignores what it does not know', async () => {
    const { effects, api } = setUp();
    await ask(api, '{"arguments": {"a": 1}, "arguments": {"a": 2}, "other": []}');
    await ask(api, '{"validate": false, "session": null}');
    expect(effects.calls.map(({ call }) => [call.arguments, call.validate])).toEqual([
      ['{"a": 2}', true],
      ['{}', false],
    ]);
  });

  test('that fails is 200 as well', async () => {
    const { effects, api } = setUp();
    effects.onCall = ({ end }) =>
      end(fakeResult('no', { resultType: 'failure', error: 'ValueError: no', isError: true }));
    const response = await ask(api, '{}');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      resultType: 'failure',
      error: 'ValueError: no',
      isError: true,
    });
  });

  test('that could not be made is a failure, not a broken answer', async () => {
    const { effects, api } = setUp();
    effects.onCall = ({ fail }) => fail(new Error('lost'));
    const response = await ask(api, '{}');
    expect(await response.json()).toMatchObject({ resultType: 'failure', error: 'Error: lost' });
  });

  test('is ended when its caller goes away', async () => {
    const { effects, api } = setUp();
    const response = await ask(api, '{}');
    expect(only(effects).signal.aborted).toBe(false);
    await response.body?.cancel();
    expect([only(effects).signal.aborted, effects.timers]).toEqual([true, 0]);
  });

  test('whose caller goes away after its end is left alone', async () => {
    const { effects, api } = setUp();
    const response = await ask(api, '{}');
    only(effects).end(fakeResult('x'.repeat(1_000_000)));
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(only(effects).signal.aborted).toBe(false);
  });

  test('waits for a scan in progress, which may bring its tool', async () => {
    const { effects, api } = setUp();
    const { tools } = effects;
    effects.state = 'scanning';
    effects.tools = [];
    const response = ask(api, '{}');
    await settled();
    expect(effects.calls).toEqual([]);
    effects.tools = tools;
    effects.settle();
    expect((await response).status).toBe(200);
  });

  test('does not wait for a scan longer than an answer may take', async () => {
    const { effects, api } = setUp();
    effects.state = 'scanning';
    const response = ask(api, '{}');
    await settled();
    effects.pass(4 * 60_000);
    const { status, headers } = await response;
    expect([status, headers.get('Retry-After'), effects.calls]).toEqual([503, '10', []]);
  });
});

describe('a call of more than four minutes', () => {
  test('goes on after its answer has ended, and the rest is at api/calls', async () => {
    const { effects, api } = setUp();
    const response = await ask(api, '{}');
    const body = response.json();
    await settled();
    effects.pass(4 * 60_000 - 1);
    await settled();
    effects.pass(1);
    expect(await body).toEqual({ callId: 'call-1', state: 'running', rest: 'api/calls/call-1' });
    expect(only(effects).signal.aborted).toBe(false);
    expect(await (await getCall(api, 'call-1')).json()).toMatchObject({ state: 'running' });
    only(effects).end(fakeResult('late'));
    await settled();
    expect(await (await getCall(api, 'call-1')).json()).toMatchObject({
      state: 'ended',
      textResultForLlm: 'late',
    });
  });
});

describe('api/calls/{id}', () => {
  test('answers from the log', async () => {
    const { effects, api } = setUp();
    await ask(api, '{}');
    const { call } = only(effects);
    effects.logged.set('old', {
      id: 'old',
      at: 1,
      call,
      result: fakeResult('logged'),
      folder: 'tools',
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

  test('knows no other call', async () => {
    const { api } = setUp();
    const response = await getCall(api, 'none');
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'unknown-call' }]);
  });
});

describe('the same Idempotency-Key', () => {
  const key = { 'Idempotency-Key': '"k1"' };

  test('rejoins the call, while it runs and afterwards', async () => {
    const { effects, api } = setUp();
    const answers = [await ask(api, '{}', key), await ask(api, '{}', key)];
    only(effects).end(fakeResult('once'));
    answers.push(await ask(api, '{}', key));
    for (const answer of answers) {
      expect(await answer.json()).toMatchObject({ callId: 'call-1', textResultForLlm: 'once' });
    }
    expect(effects.calls).toHaveLength(1);
  });

  test('starts one call, however many ask at once', async () => {
    const { effects, api } = setUp();
    effects.state = 'scanning';
    const answers = [1, 2, 3].map(() => ask(api, '{}', key));
    await settled();
    effects.settle();
    const ids = (await Promise.all(answers)).map((answer) => answer.headers.get('Cloche-Call'));
    expect([ids, effects.calls.length]).toEqual([['call-1', 'call-1', 'call-1'], 1]);
  });

  test('keeps the call going until the last caller has gone', async () => {
    const { effects, api } = setUp();
    const first = await ask(api, '{}', key);
    const second = await ask(api, '{}', key);
    await first.body?.cancel();
    expect(only(effects).signal.aborted).toBe(false);
    await second.body?.cancel();
    expect(only(effects).signal.aborted).toBe(true);
  });

  test('finds the result in the log when it is no longer at hand', async () => {
    const { effects, api } = setUp();
    effects.onCall = ({ end }) => end(fakeResult('now'));
    await ask(api, '{}', key);
    const [{ call }] = effects.calls as [FakeCall];
    for (let more = 0; more <= 1_000; more += 1) await ask(api, '{}');
    effects.logged.set('call-1', {
      id: 'call-1',
      at: 1,
      call,
      result: fakeResult('kept'),
      folder: 'tools',
      cut: false,
    });
    const response = await ask(api, '{}', key);
    expect(await response.json()).toMatchObject({ callId: 'call-1', textResultForLlm: 'kept' });
    expect(effects.calls).toHaveLength(1_002);
  });

  test('is refused for another body or another tool', async () => {
    const { effects, api } = setUp();
    await ask(api, '{}', key);
    for (const other of [ask(api, '{ }', key), ask(api, '{}', key, 'a:two')]) {
      const response = await other;
      expect([response.status, await response.json()]).toMatchObject([422, { code: 'key-taken' }]);
    }
    expect(effects.calls).toHaveLength(1);
  });

  test('must be of a sensible length', async () => {
    const { api } = setUp();
    expect((await ask(api, '{}', { 'Idempotency-Key': 'x'.repeat(256) })).status).toBe(400);
  });
});

describe('before anything is run', () => {
  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['a text', '"{}"'],
    ['arguments that are a list', '{"arguments": []}'],
    ['arguments that are null', '{"arguments": null}'],
    ['arguments with NaN', '{"arguments": {"a": NaN}}'],
    ['a session that is a number', '{"session": 1}'],
    ['validate that is a text', '{"validate": "no"}'],
    ['no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
    ['half of a character', new Uint8Array([0x7b, 0x7d, 0xc3])],
  ])('%s is refused with 400', async (_what, body) => {
    const { effects, api } = setUp();
    const response = await ask(api, body);
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'bad-request' }]);
    expect([effects.calls, effects.timers]).toEqual([[], 0]);
  });

  test('a body over the limit is refused with 413', async () => {
    const { effects, api } = setUp();
    expect((await ask(api, `{"a":"${'x'.repeat(992)}"}`)).status).toBe(200);
    expect((await ask(api, `{"a":"${'x'.repeat(993)}"}`)).status).toBe(413);
    expect((await ask(api, `{"a":"${'ü'.repeat(600)}"}`)).status).toBe(413);
    expect(effects.calls).toHaveLength(1);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
    'application/jsonx',
    'application/json; charset=utf-16',
  ])('a body of type %s is refused with 415', async (type) => {
    const { effects, api } = setUp();
    const response = await ask(api, '{}', { 'Content-Type': type });
    expect([response.status, effects.calls]).toEqual([415, []]);
  });

  test('a body without a type is refused with 415', async () => {
    const { api } = setUp();
    const request = new Request('https://cloche.test/', {
      method: 'POST',
      body: new Uint8Array([123, 125]),
    });
    expect((await api.handle(request, 'tools/a:one/invoke')).status).toBe(415);
  });

  test.each(['application/json;charset=utf-8', 'Application/JSON ; charset="UTF-8"'])(
    'a body of type %s is taken',
    async (type) => {
      const { api } = setUp();
      expect((await ask(api, '{}', { 'Content-Type': type })).status).toBe(200);
    },
  );

  test.each([
    ['text/event-stream', 406],
    ['text/html', 406],
    ['application/json;q=0', 406],
    ['text/event-stream, application/json;q=0.5', 200],
    ['application/*', 200],
    ['text/html, */*;q=0.1', 200],
  ])('whoever accepts %s gets %i', async (accept, status) => {
    const { api } = setUp();
    expect((await ask(api, '{}', { Accept: accept })).status).toBe(status);
  });

  test('the tool must exist', async () => {
    const { effects, api } = setUp();
    expect((await ask(api, '{}', {}, 'a:none')).status).toBe(404);
    expect(effects.calls).toEqual([]);
  });

  test('the session must exist and have the tool selected', async () => {
    const { effects, api } = setUp();
    effects.sessions.set('s1', ['a:one']);
    const outcomes = [];
    for (const [session, tool] of [
      ['s1', 'a:one'],
      ['s1', 'a:two'],
      ['s2', 'a:one'],
    ] as const) {
      outcomes.push((await ask(api, JSON.stringify({ session }), {}, tool)).status);
    }
    expect([outcomes, effects.calls.map(({ call }) => call.sessionId)]).toEqual([
      [200, 403, 404],
      ['s1'],
    ]);
  });
});

test('after another page has hosted the API, the next result of each session says that state was lost', async () => {
  const { effects, api } = setUp();
  effects.sessions.set('s1', ['a:one']);
  effects.onCall = ({ end }) => end(fakeResult(''));
  const lost = async (body: string): Promise<unknown> => {
    return ((await (await ask(api, body)).json()) as { stateLost: unknown }).stateLost;
  };
  expect(await lost('{}')).toBe(false);
  api.stateWasLost();
  expect([await lost('{}'), await lost('{}'), await lost('{"session": "s1"}')]).toEqual([
    true,
    false,
    true,
  ]);
});
