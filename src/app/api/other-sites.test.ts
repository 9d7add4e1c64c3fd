/** What a page of another origin gets from the API: nothing without the user's permission, and little with it. */

import { expect, test } from 'vitest';
import { toolCall } from '../../runtime/spec/call.fixture.ts';
import { FakeApiDeps, fakeResult } from './api-deps.fixture.ts';
import { createApi, type Api } from './create-api.ts';
import { isOrigin } from './other-sites.ts';

const docs = 'https://docs.example';

function setUp(allowed = [docs]): { deps: FakeApiDeps; api: Api } {
  const deps = new FakeApiDeps();
  for (const origin of allowed) deps.allowedSites.add(origin);
  return { deps, api: createApi(deps) };
}

async function ask(
  api: Api,
  path: string,
  { site = docs, method = 'GET', body }: { site?: string; method?: string; body?: string } = {},
): Promise<{ status: number; code: unknown; body: Record<string, unknown> }> {
  const headers = { 'Cloche-Origin': site, 'Content-Type': 'application/json' };
  const request = new Request('https://cloche.test/', {
    method,
    headers,
    ...(body !== undefined && { body }),
  });
  const response = await api.handle(request, path);
  const json = (await response.json()) as Record<string, unknown>;
  return { status: response.status, code: json.code, body: json };
}

const open = ['tools', 'tools/a:one', 'openapi.json', 'folders', 'calls', 'access'];
const closed = ['sessions', 'tests', 'runs', 'extensions', 'runs/r1'];

test('an origin that is not allowed gets nothing, and the user is not asked', async () => {
  const { deps, api } = setUp([]);
  for (const path of [...open, ...closed, 'calls/c1'])
    expect(await ask(api, path), path).toMatchObject({ status: 403, code: 'origin-not-allowed' });
  const call = { method: 'POST', body: '{}' };
  expect(await ask(api, 'tools/a:one/invoke', call)).toMatchObject({ code: 'origin-not-allowed' });
  expect([deps.calls, deps.askedSites]).toEqual([[], []]);
});

test('an allowed origin can list and call tools, and nothing else', async () => {
  const { api } = setUp();
  for (const path of open) expect(await ask(api, path), path).toMatchObject({ status: 200 });
  for (const path of closed)
    expect(await ask(api, path), path).toMatchObject({ status: 403, code: 'own-origin-only' });
  for (const path of ['runs', 'tests/run'])
    expect(await ask(api, path, { method: 'POST', body: '{}' })).toMatchObject({
      code: 'own-origin-only',
    });
});

test('another origin is not told of saved tests, which have arguments and results', async () => {
  const { api } = setUp();
  const examples = async (headers: Record<string, string>): Promise<boolean> => {
    const response = await api.handle(
      new Request('https://cloche.test/', { headers }),
      'openapi.json',
    );
    return (await response.text()).includes('"examples"');
  };
  expect([await examples({}), await examples({ 'Cloche-Origin': docs })]).toEqual([true, false]);
});

test('POST api/access asks the user', async () => {
  const { deps, api } = setUp([]);
  const post = { method: 'POST', body: '{}' };
  expect(await ask(api, 'access', post)).toMatchObject({ status: 403 });
  deps.allowsSites = true;
  expect(await ask(api, 'access', post)).toEqual({
    status: 200,
    code: undefined,
    body: { origin: docs, allowed: true },
  });
  expect(deps.askedSites).toEqual([docs, docs]);
  expect(await ask(api, 'tools')).toMatchObject({ status: 200 });
  expect(await ask(api, 'tools', { site: 'https://docs.example:8443' })).toMatchObject({
    status: 403,
  });
});

test('an origin sees and cancels its own calls only', async () => {
  const { deps, api } = setUp([docs, 'https://b.example']);
  const never = new AbortController().signal;
  void deps.path.call(never, toolCall('others', { caller: 'http' }));
  const call = { id: 'logged', at: 1, folder: 'tools', folderId: 'f1', cut: false };
  deps.logged.set('logged', {
    ...call,
    call: toolCall('logged', { site: docs }),
    result: fakeResult('mine'),
  });
  const answer = ask(api, 'tools/a:one/invoke', { method: 'POST', body: '{"arguments": {}}' });
  await expect.poll(() => deps.calls.length).toBe(2);
  const own = deps.calls[1]?.call;
  expect(own).toMatchObject({ caller: 'http', site: docs });
  const id = own?.id ?? '';
  const listed = async (site: string): Promise<unknown> =>
    ((await ask(api, 'calls', { site })).body.calls as { id: string }[]).map((one) => one.id);
  expect([await listed(docs), await listed('https://b.example')]).toEqual([[id, 'logged'], []]);
  expect(await ask(api, 'calls/logged')).toMatchObject({ status: 200 });
  for (const path of ['calls/others', 'calls/none'])
    expect(await ask(api, path)).toMatchObject({ status: 404, code: 'unknown-call' });
  expect(await ask(api, 'calls/others', { method: 'DELETE' })).toMatchObject({ status: 404 });
  expect(await ask(api, `calls/${id}`, { site: 'https://b.example' })).toMatchObject({
    status: 404,
  });
  expect(await ask(api, `calls/${id}`, { method: 'DELETE' })).toMatchObject({ status: 202 });
  expect((await answer).body).toMatchObject({ error: 'cancelled' });
  expect(deps.running.has('others')).toBe(true);
});

test('two origins with the same key do not share a call', async () => {
  const { deps, api } = setUp([docs, 'https://b.example']);
  deps.onCall = (call) => {
    call.end(fakeResult(String(deps.calls.length)));
  };
  const invoke = async (site?: string): Promise<unknown> => {
    const request = new Request('https://cloche.test/', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Idempotency-Key': 'k',
        ...(site !== undefined && { 'Cloche-Origin': site }),
      },
      body: '{"arguments": {}}',
    });
    const response = await api.handle(request, 'tools/a:one/invoke');
    return ((await response.json()) as { textResultForLlm: string }).textResultForLlm;
  };
  expect([await invoke(), await invoke(docs), await invoke('https://b.example')]).toEqual([
    '1',
    '2',
    '3',
  ]);
  expect([await invoke(docs), deps.calls.length]).toEqual(['2', 3]);
});

test('another origin cannot name a session', async () => {
  const { deps, api } = setUp();
  deps.sessions.set('s1', ['a:one']);
  const body = '{"arguments": {}, "session": "s1"}';
  expect(await ask(api, 'tools/a:one/invoke', { method: 'POST', body })).toMatchObject({
    status: 403,
    code: 'own-origin-only',
  });
  expect(deps.calls).toEqual([]);
});

test('each origin has its own limits of requests and of calls', async () => {
  const { deps, api } = setUp([docs, 'https://b.example']);
  const statuses = new Map<number, number>();
  for (let n = 0; n < 100; n += 1) {
    const { status } = await ask(api, 'tools/a:one');
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect([...statuses]).toEqual([
    [200, 60],
    [429, 40],
  ]);
  expect(await ask(api, 'tools', { site: 'https://b.example' })).toMatchObject({ status: 200 });
  deps.pass(1_000);
  expect(await ask(api, 'tools')).toMatchObject({ status: 200 });
  for (let n = 0; n < 60; n += 1) {
    deps.pass(1_000);
    const call = toolCall(`own-${n}`, { site: docs });
    void deps.path.call(new AbortController().signal, call);
  }
  const post = { method: 'POST', body: '{"arguments": {}}' };
  expect(await ask(api, 'tools/a:one/invoke', post)).toMatchObject({ status: 429 });
});

test.each(['null', 'file://', 'docs.example', 'https://docs.example/', 'HTTPS://docs.example', ''])(
  'the origin %j is refused',
  async (site) => {
    const { api } = setUp([site]);
    expect(isOrigin(site)).toBe(false);
    expect(await ask(api, 'tools', { site })).toMatchObject({ status: 403, code: 'bad-origin' });
  },
);
