import { expect, test } from 'vitest';
import { PageFinder } from './find-page.ts';
import { relay, type Relayed } from './relay.ts';
import { answerWith, arrived, FakeServiceDeps } from './service-deps.fixture.ts';

const path = 'tools/a%3Ab/invoke';

function post(body: BodyInit = '{}'): Request {
  return new Request(`https://cloche.test/app/api/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
}

function send(deps: FakeServiceDeps, request = post(), to = path, query = ''): Relayed {
  return relay(request, { path: to, query }, new PageFinder(deps), deps);
}

async function outcome({ response, done }: Relayed): Promise<unknown[]> {
  const answered = await response;
  const text = await answered.text();
  await done;
  const isProblem = answered.headers.get('Content-Type') === 'application/problem+json';
  return [answered.status, isProblem ? (JSON.parse(text) as { code: unknown }).code : text];
}

test('a request reaches the page unchanged, and the answer returns', async () => {
  const deps = new FakeServiceDeps();
  const page = deps.addPage('host', answerWith('{"a": 1}'));
  const relayed = send(deps, post('{"arguments": {}}'));
  const response = await relayed.response;
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain']);
  expect(await outcome(relayed)).toEqual([200, '{"a": 1}']);
  expect(page.received).toMatchObject([
    {
      type: 'request',
      id: 1,
      method: 'POST',
      path,
      headers: [['content-type', 'application/json']],
      body: new TextEncoder().encode('{"arguments": {}}').buffer,
    },
  ]);
});

test('the query arrives, and chooses the folder', async () => {
  const deps = new FakeServiceDeps();
  deps.addPage('host', answerWith('a'), { folder: { id: 'a', name: 'tools' }, usedAt: 2 });
  const b = deps.addPage('host', answerWith('b'), { folder: { id: 'b', name: 'other' } });
  const get = (query: string, to = 'tools'): Promise<unknown[]> =>
    outcome(send(deps, new Request('https://cloche.test/'), to, query));
  expect([await get(''), await get('folder=b&x=%20')]).toEqual([
    [200, 'a'],
    [200, 'b'],
  ]);
  expect(b.received).toMatchObject([{ query: 'folder=b&x=%20' }]);
  expect(await get('folder=c')).toEqual([404, 'unknown-folder']);
  b.about = { folder: { id: 'b', name: 'tools' } };
  expect(await get('folder=tools')).toEqual([409, 'ambiguous-folder']);
  await get('', 'folders');
  const [page] = deps.pages;
  const folders = [
    { id: 'a', name: 'tools' },
    { id: 'b', name: 'tools' },
  ];
  expect(page?.received.filter(({ type }) => type === 'request').at(-1)).toMatchObject({ folders });
});

test('a large body arrives complete', async () => {
  const deps = new FakeServiceDeps();
  const page = deps.addPage('host', answerWith(''));
  await outcome(send(deps, post('x'.repeat(10_000_000))));
  const [request] = page.received;
  expect(request?.type === 'request' && request.body?.byteLength).toBe(10_000_000);
});

test('a body above the limit is rejected before it is read to its end', async () => {
  const deps = new FakeServiceDeps();
  const page = deps.addPage('host', answerWith(''));
  let sent = 0;
  const endless = new ReadableStream({
    pull(controller) {
      sent += 1;
      controller.enqueue(new Uint8Array(16 * 1024 * 1024));
    },
  });
  const request = new Request('https://cloche.test/', {
    method: 'POST',
    body: endless,
    duplex: 'half',
  } as RequestInit);
  expect(await outcome(send(deps, request))).toEqual([413, 'too-large']);
  expect(sent).toBeLessThan(12);
  expect(page.received).toEqual([]);
});

test('a form of another website is rejected unread', async () => {
  const deps = new FakeServiceDeps();
  const page = deps.addPage('host', answerWith(''));
  // A script cannot create such a request; the browser creates it for a form.
  const form = new Proxy(post(), {
    get(request, key) {
      if (key === 'mode') return 'navigate';
      if (key === 'method') return request.method;
      throw new Error(`reads ${String(key)}`);
    },
  });
  expect(await outcome(send(deps, form))).toEqual([403, 'navigation']);
  expect(page.received).toEqual([]);
});

test('a call without an app page is rejected with a hint', async () => {
  const deps = new FakeServiceDeps();
  const response = await send(deps).response;
  expect([response.status, await response.json()]).toEqual([
    503,
    {
      type: 'about:blank',
      title: 'Service Unavailable',
      status: 503,
      code: 'no-page',
      detail: 'Tools run in the Cloche page, but no Cloche page is open in this browser.',
      hint: 'Open https://cloche.test/app/ in a tab, open the tools folder there, and try again.',
    },
  ]);
});

test('a listing without an app page is the saved one', async () => {
  const deps = new FakeServiceDeps();
  deps.saved = { id: 'latest', body: '{"tools":[]}', etag: '"a"' };
  const list = new Request('https://cloche.test/app/api/tools');
  expect(await outcome(send(deps, list, 'tools'))).toEqual([200, '{"tools":[]}']);
});

test('a request whose page closes before accepting it is sent to the next page', async () => {
  const deps = new FakeServiceDeps();
  const first = deps.addPage('host');
  const relayed = send(deps);
  await arrived();
  first.die();
  deps.addPage('host', answerWith('second'));
  await deps.pass(50);
  expect(await outcome(relayed)).toEqual([200, 'second']);
});

test('a call that was accepted is never made twice', async () => {
  const deps = new FakeServiceDeps();
  const first = deps.addPage('host', (page, { id }) => page.send({ type: 'accepted', id }));
  const relayed = send(deps);
  await arrived();
  first.die();
  const second = deps.addPage('host', answerWith('second'));
  await deps.pass(50);
  expect(await outcome(relayed)).toEqual([503, 'page-closed']);
  expect(second.received).toEqual([]);
});

test('a large body is sent only once, since it is transferred', async () => {
  const deps = new FakeServiceDeps();
  const first = deps.addPage('host');
  const relayed = send(deps, post('x'.repeat(1_000_000)));
  await arrived();
  first.die();
  deps.addPage('host', answerWith('second'));
  await deps.pass(50);
  expect(await outcome(relayed)).toEqual([503, 'page-closed']);
});

test('a request ends after three pages have closed', async () => {
  const deps = new FakeServiceDeps();
  const relayed = send(deps);
  deps.addPage('host');
  for (const index of [0, 1, 2]) {
    await arrived();
    deps.pages[index]?.die();
    deps.addPage('host');
    await deps.pass(50);
  }
  expect(await outcome(relayed)).toEqual([503, 'page-closed']);
});

test('a page that does not reply gives 504, and the next request searches again', async () => {
  const deps = new FakeServiceDeps();
  const page = deps.addPage('host');
  const finder = new PageFinder(deps);
  const relayed = relay(post(), { path, query: '' }, finder, deps);
  await deps.pass(10_000);
  expect(await outcome(relayed)).toEqual([504, 'no-reply']);
  page.die();
  await arrived();
  expect(await outcome(relay(post(), { path, query: '' }, finder, deps))).toEqual([503, 'no-page']);
});

test('a listing whose page does not reply is the last saved one', async () => {
  const deps = new FakeServiceDeps();
  deps.addPage('host');
  const request = new Request('https://cloche.test/');
  const relayed = relay(request, { path: 'tools', query: '' }, new PageFinder(deps), deps);
  await deps.pass(10_000);
  expect((await relayed.response).status).toBe(200);
});

test('a cancelled call is aborted in the page', async () => {
  const deps = new FakeServiceDeps();
  const page = deps.addPage('host', (fake, { id }) => {
    fake.send({ type: 'accepted', id });
    fake.send({ type: 'head', id, status: 200, headers: [], hasBody: true });
  });
  const relayed = send(deps);
  await (await relayed.response).body?.cancel();
  await relayed.done;
  await arrived();
  expect(page.received.map(({ type }) => type)).toEqual(['request', 'abort']);
});

test('a request whose body breaks off gets an answer', async () => {
  const deps = new FakeServiceDeps();
  deps.addPage('host', answerWith(''));
  const broken = new ReadableStream({
    pull() {
      throw new Error('the upload broke off');
    },
  });
  const request = new Request('https://cloche.test/', {
    method: 'POST',
    body: broken,
    duplex: 'half',
  } as RequestInit);
  expect(await outcome(send(deps, request))).toEqual([500, 'failed']);
});

test('the channel of a page without a folder closes after its answer', async () => {
  const deps = new FakeServiceDeps();
  const page = deps.addPage('idle', answerWith('{}'));
  await outcome(send(deps));
  await arrived();
  expect(page.received.at(-1)).toEqual({ type: 'bye' });
});
