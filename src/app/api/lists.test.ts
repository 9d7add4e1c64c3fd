/** `GET api/calls` and `GET api/sessions`: filters, pages, and what they leave out. */

import { expect, test } from 'vitest';
import { toolCall } from '../../runtime/spec/call.fixture.ts';
import type { LoggedCall, ToolCall } from '../../runtime/spec/call.ts';
import type { SessionHead } from '../../runtime/spec/session.ts';
import { FakeApiDeps, fakeResult } from './api-deps.fixture.ts';
import { createApi } from './create-api.ts';

async function get(deps: FakeApiDeps, path: string): Promise<{ status: number; body: Body }> {
  const [route = '', query = ''] = path.split('?');
  const { method, headers, signal } = new Request('https://cloche.test/');
  const arrayBuffer = (): Promise<ArrayBuffer> => Promise.resolve(new ArrayBuffer());
  const request = { method, headers, signal, arrayBuffer, query: new URLSearchParams(query) };
  const response = await createApi(deps).handle(request, route);
  return { status: response.status, body: (await response.json()) as Body };
}

interface Body {
  calls?: { id: string }[];
  sessions?: { id: string }[];
  next?: string | null;
  code?: string;
}

function logged(deps: FakeApiDeps, id: string, at: number, more: Partial<ToolCall> = {}): void {
  const call: LoggedCall = {
    id,
    at,
    folder: 'tools',
    folderId: at > 4 ? 'f2' : 'f1',
    cut: false,
    call: toolCall(id, more),
    result: fakeResult('secret', at === 2 ? { resultType: 'failure', error: 'E: no' } : {}),
  };
  deps.logged.set(id, call);
}

function withCalls(): FakeApiDeps {
  const deps = new FakeApiDeps();
  logged(deps, 'c1', 1, { tool: 'a:one', caller: 'model', sessionId: 's1' });
  logged(deps, 'c2', 2, { tool: 'a:two', caller: 'http' });
  logged(deps, 'c3', 3, { tool: 'a:one', caller: 'http', arguments: '{"secret": 1}' });
  logged(deps, 'c5', 5, { tool: 'a:one', caller: 'user' });
  const never = new AbortController().signal;
  void deps.path.call(never, toolCall('r1', { tool: 'a:two', caller: 'mcp' }));
  return deps;
}

const ids = ({ calls = [], sessions = [] }: Body): string[] =>
  [...calls, ...sessions].map(({ id }) => id);

test('calls are listed newest first, running ones before, without arguments and results', async () => {
  const { body } = await get(withCalls(), 'calls');
  expect([ids(body), body.next]).toEqual([['r1', 'c5', 'c3', 'c2', 'c1'], null]);
  expect(body.calls?.[0]).toEqual({
    id: 'r1',
    tool: 'a:two',
    caller: 'mcp',
    parent: null,
    session: '',
    site: null,
    state: 'running',
    folder: 'tools',
    folderId: 'f1',
    endedAt: null,
    resultType: null,
    error: null,
    durationMs: null,
    name: '',
    pinned: false,
  });
  expect(body.calls?.[3]).toEqual({
    id: 'c2',
    tool: 'a:two',
    caller: 'http',
    parent: null,
    session: '',
    site: null,
    state: 'ended',
    folder: 'tools',
    folderId: 'f1',
    endedAt: 2,
    resultType: 'failure',
    error: 'E: no',
    durationMs: 1.5,
    name: '',
    pinned: false,
  });
  expect(JSON.stringify(body)).not.toContain('secret');
});

test.each([
  ['tool=a:two', ['r1', 'c2']],
  ['caller=http', ['c3', 'c2']],
  ['session=s1', ['c1']],
  ['session=', ['r1', 'c5', 'c3', 'c2']],
  ['state=running', ['r1']],
  ['state=ended', ['c5', 'c3', 'c2', 'c1']],
  ['state=failure', ['c2']],
  ['state=success&tool=a:one', ['c5', 'c3', 'c1']],
  ['since=3', ['r1', 'c5', 'c3']],
  ['since=1970-01-01T00:00:00.002Z', ['r1', 'c5', 'c3', 'c2']],
  ['folder=tools', ['r1', 'c3', 'c2', 'c1']],
])('calls?%s', async (query, expected) => {
  expect(ids((await get(withCalls(), `calls?${query}`)).body)).toEqual(expected);
});

test('pages follow each other without gaps', async () => {
  const deps = withCalls();
  const first = await get(deps, 'calls?limit=2');
  expect([ids(first.body), first.body.next]).toEqual([['r1', 'c5'], 'c5']);
  // A newer call does not move the next page.
  logged(deps, 'c6', 6);
  const second = await get(deps, 'calls?limit=3&after=c5');
  expect([ids(second.body), second.body.next]).toEqual([['c3', 'c2', 'c1'], null]);
});

test.each([
  'calls?limit=0',
  'calls?limit=1001',
  'calls?limit=x',
  'calls?after=none',
  'calls?state=done',
  'calls?state=',
  'calls?caller=nonsense',
  'calls?caller=Model',
  'calls?caller=model&caller=nonsense',
  'calls?since=yesterday',
  'sessions?limit=-1',
])('%s is refused', async (path) => {
  expect(await get(withCalls(), path)).toMatchObject({ status: 400, body: { code: 'bad-query' } });
});

function head(id: string, more: Partial<SessionHead> = {}): SessionHead {
  return {
    id,
    title: `Title ${id}`,
    titled: 'by-user',
    folder: 'tools',
    folderId: 'f1',
    createdAt: 1,
    changedAt: 2,
    events: 9,
    messages: 3,
    forkOf: null,
    model: { provider: 'key-of-provider', model: 'm-1' },
    ...more,
  };
}

test('sessions are listed without those of sub-agents, and without their providers', async () => {
  const deps = new FakeApiDeps();
  deps.heads = [head('s2', { folderId: 'f2' }), head('s1'), head('s0', { run: 'run-1' })];
  deps.sessions.set('s1', []);
  const { body } = await get(deps, 'sessions');
  expect([ids(body), body.next]).toEqual([['s2', 's1'], null]);
  expect(body.sessions?.[1]).toEqual({
    id: 's1',
    title: 'Title s1',
    folder: 'tools',
    folderId: 'f1',
    createdAt: 1,
    changedAt: 2,
    messages: 3,
    model: 'm-1',
    forkOf: null,
    run: null,
    open: true,
  });
  expect(ids((await get(deps, 'sessions?run=run-1')).body)).toEqual(['s0']);
  expect(ids((await get(deps, 'sessions?folder=tools')).body)).toEqual(['s1']);
  expect((await get(deps, 'sessions?limit=1')).body.next).toBe('s2');
});
