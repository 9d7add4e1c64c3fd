import { afterEach, expect, test, vi } from 'vitest';
import { AppPage } from './app-page.ts';
import {
  answerWith,
  arrived,
  FakeServiceDeps,
  type FakePage,
  type FakeRequest,
} from './service-deps.fixture.ts';

afterEach(() => vi.restoreAllMocks());

interface Wire {
  deps: FakeServiceDeps;
  fake: FakePage;
  page: AppPage;
}

async function wire(answer?: (page: FakePage, request: FakeRequest) => void): Promise<Wire> {
  const deps = new FakeServiceDeps();
  const fake = deps.addPage('host', answer);
  const { port1, port2 } = new MessageChannel();
  const page = new AppPage(port1, { role: 'idle', lock: fake.lock }, deps.watch(fake.lock), deps);
  port1.start();
  fake.postMessage({ type: 'cloche-who', base: '/app/', lock: await deps.lock }, [port2]);
  await arrived();
  return { deps, fake, page };
}

const request = { method: 'POST', path: 'tools/a:b/invoke', headers: [], body: null } as const;

test('an answer has a head and a stream', async () => {
  const { deps, fake, page } = await wire(answerWith('hello'));
  vi.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000);
  const exchange = page.ask({ ...request, body: new Uint8Array([1, 2]).buffer }, []);
  const answer = await exchange.answer;
  expect(answer).toMatchObject({
    kind: 'answer',
    status: 200,
    headers: [['content-type', 'text/plain']],
  });
  if (answer.kind !== 'answer') throw new Error(answer.kind);
  expect(await new Response(answer.body).text()).toBe('hello');
  await exchange.done;
  expect(fake.received).toEqual([
    {
      type: 'request',
      id: 1,
      ...request,
      body: new Uint8Array([1, 2]).buffer,
      sentAt: 1_700_000_000_000,
      ahead: 16,
      takesWhole: true,
    },
  ]);
  expect(deps.timers).toBe(0);
});

test('a short answer comes whole', async () => {
  const { deps, page } = await wire((fake, { id }) => {
    const headers = [['content-type', 'application/json']] as const;
    fake.send({ type: 'accepted', id });
    fake.send({ type: 'whole', id, status: 200, headers, bytes: new TextEncoder().encode('{}') });
  });
  const exchange = page.ask(request, []);
  const answer = await exchange.answer;
  if (answer.kind !== 'answer') throw new Error(answer.kind);
  expect([answer.status, await new Response(answer.body).text()]).toEqual([200, '{}']);
  await exchange.done;
  expect(deps.timers).toBe(0);
});

test('concurrent requests each get their own answer', async () => {
  const { page, fake } = await wire();
  const exchanges = [page.ask(request, []), page.ask(request, [])];
  for (const id of [2, 1])
    answerWith(`answer ${id}`)(fake, { type: 'request', id, ...request, sentAt: 0 });
  const texts = exchanges.map(async ({ answer }) => {
    const answered = await answer;
    return answered.kind === 'answer' ? new Response(answered.body).text() : answered.kind;
  });
  expect(await Promise.all(texts)).toEqual(['answer 1', 'answer 2']);
});

test('an answer without a body ends with its head', async () => {
  const { page } = await wire((fake, { id }) => {
    fake.send({ type: 'head', id, status: 304, headers: [], hasBody: false });
  });
  const exchange = page.ask(request, []);
  expect(await exchange.answer).toEqual({ kind: 'answer', status: 304, headers: [], body: null });
  await exchange.done;
});

test('a page that fails during its answer breaks the stream', async () => {
  const { page } = await wire((fake, { id }) => {
    fake.send({ type: 'head', id, status: 200, headers: [], hasBody: true });
    fake.send({ type: 'chunk', id, bytes: new Uint8Array([65]) });
    fake.send({ type: 'failed', id, message: 'no more' });
  });
  const exchange = page.ask(request, []);
  const answer = await exchange.answer;
  await arrived();
  if (answer.kind !== 'answer') throw new Error(answer.kind);
  await expect(new Response(answer.body).text()).rejects.toThrow('no more');
  await exchange.done;
});

test('a page that closes during its answer breaks the stream', async () => {
  const { deps, fake, page } = await wire((fake, { id }) => {
    fake.send({ type: 'head', id, status: 200, headers: [], hasBody: true });
  });
  const exchange = page.ask(request, []);
  const answer = await exchange.answer;
  fake.die();
  await deps.pass(50);
  if (answer.kind !== 'answer') throw new Error(answer.kind);
  await expect(new Response(answer.body).text()).rejects.toThrow('closed');
  await exchange.done;
});

test.each([true, false])(
  'a page that closes before its head is reported as gone, with begun: %s',
  async (begun) => {
    const { deps, fake, page } = await wire((fake, { id }) => {
      if (begun) fake.send({ type: 'accepted', id });
    });
    const { answer } = page.ask(request, []);
    await arrived();
    fake.die();
    await deps.pass(50);
    expect(await answer).toEqual({ kind: 'gone', begun });
  },
);

test('the last messages of a page that has closed still count', async () => {
  const { deps, fake, page } = await wire();
  const { answer } = page.ask(request, []);
  fake.die();
  await arrived();
  fake.send({ type: 'accepted', id: 1 });
  await deps.pass(50);
  expect(await answer).toEqual({ kind: 'gone', begun: true });
});

test('a page that does not accept a request within ten seconds is reported as silent, and gets an abort', async () => {
  const { deps, fake, page } = await wire();
  const exchange = page.ask(request, []);
  await deps.pass(9_999);
  await deps.pass(1);
  expect(await exchange.answer).toEqual({ kind: 'silent' });
  await exchange.done;
  expect(fake.received.at(-1)).toEqual({ type: 'abort', id: 1 });
});

test('a page that has accepted a request has no deadline', async () => {
  const { deps, fake, page } = await wire((fake, { id }) => fake.send({ type: 'accepted', id }));
  const { answer } = page.ask(request, []);
  await deps.pass(200_000);
  answerWith('late')(fake, { type: 'request', id: 1, ...request, sentAt: 0 });
  expect(await answer).toMatchObject({ kind: 'answer', status: 200 });
});

test('more chunks are requested only as the caller reads', async () => {
  const { fake, page } = await wire();
  const { answer } = page.ask(request, []);
  await arrived();
  fake.send({ type: 'head', id: 1, status: 200, headers: [], hasBody: true });
  const send = (chunks: number): void => {
    for (let n = 0; n < chunks; n += 1)
      fake.send({ type: 'chunk', id: 1, bytes: new Uint8Array([n]) });
  };
  send(16);
  const answered = await answer;
  if (answered.kind !== 'answer') throw new Error(answered.kind);
  await arrived();
  const requestsForMore = (): unknown[] => fake.received.filter(({ type }) => type === 'more');
  expect(requestsForMore()).toEqual([]);
  const reader = (answered.body as ReadableStream).getReader();
  for (let n = 0; n < 8; n += 1) await reader.read();
  await arrived();
  expect(requestsForMore()).toEqual([{ type: 'more', id: 1, upTo: 24 }]);
  send(8);
  fake.send({ type: 'end', id: 1 });
  let rest = 0;
  while (!(await reader.read()).done) rest += 1;
  expect(rest).toBe(16);
});

test('an event stream whose page closes ends with an error event, even after an incomplete event', async () => {
  const { deps, fake, page } = await wire((fake, { id }) => {
    fake.send({ type: 'accepted', id });
    const headers = [['content-type', 'text/event-stream']] as const;
    fake.send({ type: 'head', id, status: 200, headers, hasBody: true });
    fake.send({ type: 'chunk', id, bytes: new TextEncoder().encode('data: {"half') });
  });
  const answer = await page.ask(request, []).answer;
  if (answer.kind !== 'answer') throw new Error(answer.kind);
  const text = new Response(answer.body).text();
  fake.die();
  await deps.pass(50);
  const [half, error, rest] = (await text).split('\n\n');
  expect([half, rest]).toEqual(['data: {"half', '']);
  const [data = '', name] = (error ?? '').split('\n');
  expect(name).toBe('event: error');
  expect(JSON.parse(data.replace('data: ', ''))).toMatchObject({
    status: 503,
    code: 'page-closed',
  });
});

test('a caller that cancels aborts the request in the page', async () => {
  const { fake, page } = await wire((fake, { id }) => {
    fake.send({ type: 'head', id, status: 200, headers: [], hasBody: true });
  });
  const exchange = page.ask(request, []);
  const answer = await exchange.answer;
  if (answer.kind !== 'answer') throw new Error(answer.kind);
  await (answer.body as ReadableStream).cancel();
  await exchange.done;
  fake.send({ type: 'chunk', id: 1, bytes: new Uint8Array([65]) });
  await arrived();
  expect(fake.received.at(-1)).toEqual({ type: 'abort', id: 1 });
});

test('the page reports its role', async () => {
  const { fake, page } = await wire();
  expect(page.role).toBe('host');
  fake.become('idle');
  await arrived();
  expect(page.role).toBe('idle');
});

test('retiring waits for running requests', async () => {
  const { deps, fake, page } = await wire();
  const exchange = page.ask(request, []);
  page.retire();
  await arrived();
  expect(fake.received.map(({ type }) => type)).toEqual(['request']);
  answerWith('last')(fake, { type: 'request', id: 1, ...request, sentAt: 0 });
  const answer = await exchange.answer;
  if (answer.kind !== 'answer') throw new Error(answer.kind);
  expect(await new Response(answer.body).text()).toBe('last');
  await arrived();
  expect(fake.received.map(({ type }) => type)).toEqual(['request', 'bye']);
  expect(deps.stopped).toEqual([fake.lock]);
});
