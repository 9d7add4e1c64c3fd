import { expect, test, vi } from 'vitest';
import { createApi } from './create-api.ts';
import { FakeApiDeps } from './api-deps.fixture.ts';

async function ask(
  path: string,
  init: RequestInit = {},
  deps = new FakeApiDeps(),
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const request = new Request('https://cloche.test/api/', init);
  const response = await createApi(deps).handle(request, path);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

const one = {
  name: 'a:one',
  folder: 'tools',
  folderId: 'f1',
  label: 'a:one',
  description: 'Does something.',
  parameters: { type: 'object', properties: {} },
  source: { file: 'a.py', line: 7 },
  timeout_s: 60,
  requires_approval: false,
  concurrency_safe: true,
  stateless: false,
  background_safe: false,
  interrupt: 'cancel',
  deferred: false,
  prompt_hint: '',
  prompt_guides: [],
  examples: [],
  returns: null,
  annotations: {},
  hash: 'abc',
  state: 'ready',
};

test('GET api/tools lists the tools', async () => {
  const { status, headers, body } = await ask('tools');
  expect([status, headers.get('Content-Type'), headers.get('ETag')]).toEqual([
    200,
    'application/json',
    '"ready.r1.tools.f1"',
  ]);
  expect(body).toEqual({
    state: 'ready',
    folder: 'tools',
    folderId: 'f1',
    revision: 'r1',
    tools: [one, { ...one, name: 'a:two', label: 'a:two' }],
    problems: [],
  });
});

test('GET api/tools without a folder lists nothing', async () => {
  const deps = new FakeApiDeps();
  deps.state = 'none';
  deps.tools = [];
  const { body } = await ask('tools', {}, deps);
  expect(body).toEqual({
    state: 'none',
    folder: null,
    folderId: '',
    revision: 'r1',
    tools: [],
    problems: [],
  });
});

test('the ETag changes with the revision, the state and the folder', async () => {
  const deps = new FakeApiDeps();
  const tags = new Set<string | null>();
  for (const change of [() => {}, () => (deps.revision = 'r2'), () => (deps.state = 'scanning')]) {
    change();
    tags.add((await ask('tools', {}, deps)).headers.get('ETag'));
  }
  expect([...tags]).toEqual([
    '"ready.r1.tools.f1"',
    '"ready.r2.tools.f1"',
    '"scanning.r2.tools.f1"',
  ]);
});

test('a caller that has the current list gets 304', async () => {
  const headers = { 'If-None-Match': '"ready.r1.tools.f1"' };
  expect(await ask('tools', { headers })).toMatchObject({ status: 304, body: undefined });
  expect(await ask('tools/a:one', { headers })).toMatchObject({ status: 304, body: undefined });
});

test.each(['tools/a:one', 'tools/a%3Aone', 'tools/%61%3aone'])(
  'GET api/%s returns one tool',
  async (path) => {
    expect(await ask(path)).toMatchObject({ status: 200, body: one });
  },
);

test('a tool name may contain anything that can be percent-encoded', async () => {
  const deps = new FakeApiDeps();
  const [tool] = deps.tools;
  if (tool === undefined) throw new Error('no tool');
  deps.tools = [{ ...tool, name: 'a:b/ü?' }];
  expect(await ask(`tools/${encodeURIComponent('a:b/ü?')}`, {}, deps)).toMatchObject({
    status: 200,
    body: { name: 'a:b/ü?' },
  });
});

test('HEAD has the same headers and no body', async () => {
  for (const path of ['tools', 'tools/a:one', 'tools/a:none', 'calls/none']) {
    const got = await ask(path);
    const head = await ask(path, { method: 'HEAD' });
    expect([head.status, [...head.headers], head.body]).toEqual([
      got.status,
      [...got.headers],
      undefined,
    ]);
  }
});

test('an unknown tool is a 404', async () => {
  const { status, headers, body } = await ask('tools/a:none');
  expect([status, headers.get('Content-Type')]).toEqual([404, 'application/problem+json']);
  expect(body).toEqual({
    type: 'about:blank',
    title: 'Not Found',
    status: 404,
    code: 'unknown-tool',
    detail: 'There is no tool a:none in the folder tools.',
    hint: 'GET api/tools lists the tools, and the problems of files that could not be loaded.',
  });
});

test('an unknown tool without an open folder is a 404 that says so', async () => {
  const deps = new FakeApiDeps();
  deps.state = 'none';
  deps.tools = [];
  expect(await ask('tools/a:one', {}, deps)).toMatchObject({
    status: 404,
    body: { code: 'unknown-tool', hint: 'Open a tools folder in the Cloche page.' },
  });
});

test.each([
  '',
  'tools/',
  'tools/a:one/',
  'tools/a:one/nothing',
  'tools/a:one/invoke/more',
  'calls/',
  'calls/1/2',
  'tools%2Fa:one',
  'tools/%',
  'tools/%ff',
  'TOOLS',
])('api/%s is a 404', async (path) => {
  for (const method of ['GET', 'POST']) {
    expect(await ask(path, { method })).toMatchObject({ status: 404, body: { code: 'not-found' } });
  }
});

test.each([
  ['tools', 'GET, HEAD', ['POST', 'PUT', 'DELETE', 'OPTIONS']],
  ['tools/a:one', 'GET, HEAD', ['POST', 'PATCH']],
  ['tools/a:none', 'GET, HEAD', ['DELETE']],
  ['tools/a:one/invoke', 'POST', ['GET', 'HEAD', 'PUT']],
  ['calls/1', 'GET, HEAD, DELETE', ['POST', 'PATCH']],
])('api/%s allows only %s', async (path, allowed, methods) => {
  for (const method of methods) {
    const { status, headers } = await ask(path, { method });
    expect([status, headers.get('Allow')]).toEqual([405, allowed]);
  }
});

test('an internal error is a problem document, too', async () => {
  const deps = new FakeApiDeps();
  deps.listing = () => {
    throw new Error('no list');
  };
  expect(await ask('tools', {}, deps)).toMatchObject({
    status: 500,
    body: { code: 'failed', detail: 'Cloche failed to answer GET api/tools: no list' },
  });
});

test('all tools are listed in the format of a provider, and called by the names in it', async () => {
  const deps = new FakeApiDeps();
  const api = createApi(deps);
  const get = (path: string, format: string): Promise<Response> => {
    const request = new Request('https://cloche.test/');
    return api.handle(Object.assign(request, { query: new URLSearchParams({ format }) }), path);
  };
  const listed = await get('tools', 'openai');
  expect(listed.headers.get('ETag')).toBe('"ready.r1.tools.f1.openai"');
  const defined = (await listed.json()) as { function: { name: string } }[];
  expect(defined.map((each) => each.function.name)).toEqual(['a__one', 'a__two']);
  expect((await get('tools', 'none')).status).toBe(400);
  expect((await get('tools/a__one', 'openai')).status).toBe(200);
  expect((await get('tools/a__gone', 'openai')).status).toBe(404);
  const headers = { 'Content-Type': 'application/json' };
  const post = new Request('https://cloche.test/', { method: 'POST', headers, body: '{}' });
  const calling = api.handle(post, 'tools/a__one/invoke');
  await vi.waitFor(() => expect(deps.calls.map(({ call }) => call.tool)).toEqual(['a:one']));
  deps.calls[0]?.fail(new Error('It is over.'));
  await calling;
});
