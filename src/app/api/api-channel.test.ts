import { afterEach, expect, test } from 'vitest';
import type { PageMessage, WorkerMessage } from '../../runtime/protocol/service.ts';
import { parsePageMessage } from '../../runtime/protocol/service.ts';
import { ApiChannel, type HandleRequest } from './api-channel.ts';

const ports: MessagePort[] = [];
afterEach(() => ports.splice(0).forEach((port) => port.close()));

interface Wire {
  channel: ApiChannel;
  received: PageMessage[];
  byes: number;
  /** The number of requests that keep the worker awake. */
  awake: number;
  send(message: unknown): void;
  port: MessagePort;
}

function wire(handle: HandleRequest): Wire {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  const state: Wire = {
    received: [],
    byes: 0,
    awake: 0,
    port: port1,
    send: (message) => port1.postMessage(message),
    channel: new ApiChannel(
      port2,
      handle,
      () => (state.byes += 1),
      () => {
        state.awake += 1;
        return () => (state.awake -= 1);
      },
    ),
  };
  port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = parsePageMessage(data);
    if (message === undefined) throw new Error('unknown message');
    state.received.push(message);
  });
  port1.start();
  return state;
}

async function arrived(): Promise<void> {
  // Counts turns of the event loop, however long each takes.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}

const request: WorkerMessage = {
  type: 'request',
  id: 7,
  method: 'GET',
  path: 'tools',
  headers: [],
  body: null,
  sentAt: Date.now(),
};

test('a request is answered', async () => {
  const { send, received } = wire(async (asked, path) => {
    const text = new TextDecoder().decode(await asked.arrayBuffer());
    const shown = [asked.method, path, asked.headers.get('Content-Type'), text].join(' ');
    return new Response(shown, {
      status: 201,
      headers: { ETag: '"a"', 'Content-Type': 'text/plain' },
    });
  });
  send({
    ...request,
    method: 'POST',
    path: 'tools/a%3Ab/invoke',
    headers: [['content-type', 'application/json']],
    body: new TextEncoder().encode('{}').buffer,
  });
  await arrived();
  const shown = 'POST tools/a%3Ab/invoke application/json {}';
  expect(received).toEqual([
    { type: 'accepted', id: 7 },
    {
      type: 'head',
      id: 7,
      status: 201,
      headers: [
        ['content-type', 'text/plain'],
        ['etag', '"a"'],
      ],
      hasBody: true,
    },
    { type: 'chunk', id: 7, bytes: new TextEncoder().encode(shown) },
    { type: 'end', id: 7 },
  ]);
});

const json = { headers: { 'content-type': 'application/json' } };

/** The types of the messages that answer a request of a worker that takes whole answers, without `accepted`. */
async function answerTo(response: () => Response, wait = arrived): Promise<string[]> {
  const { send, received } = wire(() => Promise.resolve(response()));
  send({ ...request, takesWhole: true });
  await wait();
  return received.slice(1).map(({ type }) => type);
}

test('a short JSON answer is one message, for a worker that takes it', async () => {
  const { send, received } = wire(() => Promise.resolve(new Response('{}', json)));
  send({ ...request, takesWhole: true });
  send({ ...request, id: 8 });
  await arrived();
  const bytes = new TextEncoder().encode('{}');
  const headers = [['content-type', 'application/json']];
  expect(received.filter((one) => 'id' in one && one.id === 7)).toEqual([
    { type: 'accepted', id: 7 },
    { type: 'whole', id: 7, status: 200, headers, bytes },
  ]);
  const older = received.filter((one) => 'id' in one && one.id === 8);
  expect(older.map(({ type }) => type)).toEqual(['accepted', 'head', 'chunk', 'end']);
});

test('an answer that is longer, late, broken or a stream of events has its head first', async () => {
  const chunks = (count: number, end: (to: ReadableStreamDefaultController) => void) => () => {
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (sent === count) end(controller);
        else controller.enqueue(new TextEncoder().encode(String((sent += 1))));
      },
    });
    return new Response(body, json);
  };
  const close = (to: ReadableStreamDefaultController): void => to.close();
  expect(await answerTo(chunks(3, close))).toEqual(['head', 'chunk', 'chunk', 'chunk', 'end']);
  expect(await answerTo(chunks(0, close))).toEqual(['head', 'end']);
  const fail = (to: ReadableStreamDefaultController): void => to.error(new Error('no'));
  expect(await answerTo(chunks(0, fail))).toEqual(['head', 'failed']);
  expect(await answerTo(chunks(1, fail))).toEqual(['head', 'chunk', 'failed']);
  const late = () => new Promise<void>((resolve) => setTimeout(resolve, 100));
  const waiting = chunks(1, () => undefined);
  expect(await answerTo(waiting, late)).toEqual(['head', 'chunk']);
  const events = { headers: { 'content-type': 'text/event-stream' } };
  expect(await answerTo(() => new Response('data: 1\n\n', events))).toEqual([
    'head',
    'chunk',
    'end',
  ]);
});

test('a response may have no body', async () => {
  const { send, received } = wire(() => Promise.resolve(new Response(null, { status: 304 })));
  send(request);
  await arrived();
  expect(received.slice(1)).toEqual([
    { type: 'head', id: 7, status: 304, headers: [], hasBody: false },
  ]);
});

test('a request is accepted before it is handled', async () => {
  const { send, received } = wire(() => new Promise(() => {}));
  send(request);
  await arrived();
  expect(received).toEqual([{ type: 'accepted', id: 7 }]);
});

test('a failure is reported, before the headers and after them', async () => {
  const broken = new ReadableStream({
    pull(controller) {
      controller.error(new Error('broke off'));
    },
  });
  const { send, received } = wire((_, path) =>
    path === 'tools' ? Promise.reject(new Error('no')) : Promise.resolve(new Response(broken)),
  );
  send(request);
  send({ ...request, id: 8, path: 'calls/1' });
  await arrived();
  expect(received.filter(({ type }) => type === 'failed')).toEqual([
    { type: 'failed', id: 7, message: 'no' },
    { type: 'failed', id: 8, message: 'broke off' },
  ]);
});

test('a request that was aborted while the page was blocked is not handled', async () => {
  const begun: string[] = [];
  const { send, received } = wire((_, path) => {
    begun.push(path);
    return Promise.resolve(new Response(null));
  });
  const sentAt = Date.now() - 10_000;
  send({ ...request, path: 'given-up', sentAt });
  send({ type: 'abort', id: 7 });
  send({ ...request, id: 8, path: 'waited-for', sentAt });
  await arrived();
  expect(begun).toEqual(['waited-for']);
  expect(received.map(({ type }) => type)).toEqual(['accepted', 'accepted', 'head']);
});

test('an abort cancels the body, before and after the headers are sent', async () => {
  let cancelled = 0;
  let answer: (response: Response) => void = () => {};
  const endless = (): Response =>
    new Response(new ReadableStream({ cancel: () => void (cancelled += 1) }));
  const { send, received } = wire((_, path) =>
    path === 'tools' ? Promise.resolve(endless()) : new Promise((resolve) => (answer = resolve)),
  );
  send(request);
  send({ ...request, id: 8, path: 'calls/1' });
  await arrived();
  send({ type: 'abort', id: 7 });
  send({ type: 'abort', id: 8 });
  await arrived();
  expect(cancelled).toBe(1);
  answer(endless());
  await arrived();
  expect(cancelled).toBe(2);
  expect(received.filter(({ type }) => type === 'end' || type === 'failed')).toEqual([]);
});

test('the handler receives the abort', async () => {
  let signal: AbortSignal | undefined;
  const { send } = wire((asked) => {
    signal = asked.signal;
    return new Promise(() => {});
  });
  send(request);
  await arrived();
  expect(signal?.aborted).toBe(false);
  send({ type: 'abort', id: 7 });
  await arrived();
  expect(signal?.aborted).toBe(true);
});

test('requests of a worker that has ended continue', async () => {
  let cancelled = 0;
  let read = 0;
  let end = (): void => {};
  const { channel, send } = wire(() => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        end = () => controller.close();
      },
      pull: () => void (read += 1),
      cancel: () => void (cancelled += 1),
    });
    return Promise.resolve(new Response(body));
  });
  send(request);
  await arrived();
  channel.close();
  end();
  await arrived();
  expect([cancelled, read > 0]).toEqual([0, true]);
});

function counting(): { body: ReadableStream<Uint8Array>; made: () => number } {
  let made = 0;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    made += 1;
    if (made > 20) controller.close();
    else controller.enqueue(new Uint8Array([made]));
  };
  // Chunks are made only when they are read.
  return { body: new ReadableStream({ pull }, { highWaterMark: 0 }), made: () => made };
}

test('chunks are made and sent only while the worker has room', async () => {
  const { body, made } = counting();
  const { send, received } = wire(() => Promise.resolve(new Response(body)));
  const chunks = (): number => received.filter(({ type }) => type === 'chunk').length;
  send({ ...request, ahead: 3 });
  await arrived();
  expect([chunks(), made()]).toEqual([3, 3]);
  send({ type: 'more', id: 7, upTo: 5 });
  await arrived();
  send({ type: 'more', id: 7, upTo: 4 });
  await arrived();
  expect([chunks(), made()]).toEqual([5, 5]);
  send({ type: 'more', id: 7, upTo: 100 });
  await arrived();
  expect([chunks(), received.at(-1)]).toEqual([20, { type: 'end', id: 7 }]);
});

test('waiting for room ends when the caller or the worker is gone', async () => {
  for (const leave of ['abort', 'close'] as const) {
    const state = wire(() => Promise.resolve(new Response(counting().body)));
    state.send({ ...request, ahead: 1 });
    await arrived();
    expect(state.awake).toBe(1);
    if (leave === 'abort') state.send({ type: 'abort', id: 7 });
    else state.channel.close();
    await arrived();
    expect(state.awake).toBe(0);
  }
});

test('unknown messages are ignored', async () => {
  const state = wire(() => Promise.resolve(new Response('')));
  for (const message of [null, 'request', { type: 'request', id: 1 }, { type: 'abort', id: 99 }])
    state.send(message);
  await arrived();
  expect([state.received, state.byes]).toEqual([[], 0]);
});

test("the channel introduces the page, and reports the worker's goodbye", async () => {
  const state = wire(() => Promise.resolve(new Response('')));
  state.channel.introduce({ role: 'host', lock: 'cloche-page:/app/:1' });
  state.send({ type: 'bye' });
  await arrived();
  expect([state.received, state.byes]).toEqual([
    [{ type: 'role', role: 'host', lock: 'cloche-page:/app/:1' }],
    1,
  ]);
});

test('the worker is kept awake from a request to the end of its response', async () => {
  let answer: (response: Response) => void = () => {};
  const state = wire(() => new Promise((resolve) => (answer = resolve)));
  state.send(request);
  await arrived();
  expect(state.awake).toBe(1);
  answer(new Response('late'));
  await arrived();
  expect(state.awake).toBe(0);
});
