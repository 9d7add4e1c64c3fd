import { beforeEach, expect, test, vi } from 'vitest';
import type {
  AnswerPieces,
  AnswerQuestion,
  ModelWorker,
  ProviderAccess,
} from '../../runtime/protocol/models.ts';
import { defaultLimits } from '../../runtime/spec/limits.ts';
import type {
  LoadExchanges,
  ModelMessage,
  ModelPart,
  ModelRequest,
} from '../../runtime/spec/model.ts';
import { FakeWorker } from '../../runtime/async/fake-worker.fixture.ts';
import { ModelAsker } from './model-asker.ts';

const access: ProviderAccess = {
  kind: 'anthropic',
  name: 'Mine',
  baseUrl: 'https://api.example/v1',
  key: 'sk',
  headers: [],
};
const ref = { provider: 'p', model: 'm' };
const request: ModelRequest = { system: '', messages: [], tools: [] };
const ended: ModelPart = {
  type: 'ended',
  finish: 'stop',
  usage: { input: 1, cached: null, output: 1, reasoning: null },
};
const over = { error: null };

const never = (): Promise<never> => new Promise(() => undefined);

/** Ids of closed requests, and whether their exchanges are kept. */
const closed: (readonly [id: number, keep: boolean])[] = [];

beforeEach(() => void closed.splice(0));

/** A worker that answers nothing except its own methods. */
const fakeWorker = (own: Partial<ModelWorker>): FakeWorker =>
  new FakeWorker({
    take: () => undefined,
    ask: never,
    next: never,
    close: (id: number, { keep }: { keep: boolean }) => void closed.push([id, keep]),
    exchanges: (id: number) => [{ at: id }],
    list: never,
    ...own,
  });

function askerOver(...workers: FakeWorker[]): ModelAsker {
  const start = (): Worker => workers.shift() as unknown as Worker;
  return new ModelAsker(
    start,
    { ...defaultLimits, modelFirstMs: 50, modelIdleMs: 50 },
    'https://here',
  );
}

async function answer(asker: ModelAsker, signal = new AbortController().signal) {
  const parts: ModelPart[] = [];
  for await (const part of asker.ask(signal, access, ref, request)) parts.push(part);
  return parts;
}

test('an answer is yielded in the pieces of the worker, to its end', async () => {
  const asked: AnswerQuestion[] = [];
  const rest: AnswerPieces[] = [
    { parts: [{ type: 'text', id: '0', delta: 'b' }], end: null },
    { parts: [ended], end: over },
  ];
  const worker = fakeWorker({
    ask: (_id, question) => {
      asked.push(question);
      return Promise.resolve({ parts: [{ type: 'text', id: '0', delta: 'a' }], end: null });
    },
    next: () => Promise.resolve(rest.shift() ?? { parts: [], end: over }),
  });
  const parts = await answer(askerOver(worker));
  expect(parts.map((part) => (part.type === 'text' ? part.delta : part.type))).toEqual([
    'a',
    'b',
    'ended',
  ]);
  const { tools, ...others } = request;
  expect(asked).toMatchObject([{ access, ref, request: others, tools: JSON.stringify(tools) }]);
});

test('what was sent and received can be loaded after the answer ends, until the worker dies', async () => {
  const worker = fakeWorker({ ask: () => Promise.resolve({ parts: [ended], end: over }) });
  const { signal } = new AbortController();
  const given: LoadExchanges[] = [];
  const asking = askerOver(worker).ask(signal, access, ref, request, (load) => given.push(load));
  for await (const _ of asking);
  await expect.poll(() => closed).toContainEqual([1, true]);
  await expect(Promise.all(given.map((load) => load()))).resolves.toEqual([[{ at: 1 }]]);
  worker.dispatchEvent(new Event('error'));
  await expect(given[0]?.()).rejects.toThrow('The part of this page that sends requests');
});

test('a long conversation is sent in parts, and is complete', async () => {
  const messages = Array.from({ length: 1_001 }, (_, n) => ({
    role: 'user',
    parts: [{ type: 'text', text: String(n) }],
  })) as unknown as ModelRequest['messages'];
  const parts: (readonly unknown[])[] = [];
  const worker = fakeWorker({
    take: (_id, some) => void parts.push(some),
    ask: (_id, question) => {
      parts.push(question.request.messages);
      return Promise.resolve({ parts: [ended], end: over });
    },
  });
  const { signal } = new AbortController();
  for await (const _ of askerOver(worker).ask(signal, access, ref, { ...request, messages }));
  expect(parts.map(({ length }) => length)).toEqual([200, 200, 200, 200, 200, 1]);
  expect(parts.flat()).toEqual(messages);
});

test('the next request of a conversation sends only its new messages, unless it was lost', async () => {
  const asked: AnswerQuestion[] = [];
  let isLost = false;
  const worker = fakeWorker({
    ask: (_id, question) => {
      asked.push(question);
      if (isLost) return Promise.reject(new Error('lost'));
      return Promise.resolve({ parts: [ended], end: over });
    },
  });
  const asker = askerOver(worker);
  const messages = ['a', 'b', 'c', 'd'].map((text): ModelMessage => {
    return { role: 'user', parts: [{ type: 'text', text }] };
  });
  const ask = async (count: number): Promise<void> => {
    const some = { ...request, messages: messages.slice(0, count) };
    const { signal } = new AbortController();
    for await (const _ of asker.ask(signal, access, ref, some));
  };
  await ask(1);
  await ask(3);
  isLost = true;
  await expect(ask(4)).rejects.toThrow('lost');
  isLost = false;
  await ask(4);
  expect(asked.map(({ start, request: { messages: sent } }) => [start, sent])).toEqual([
    [null, messages.slice(0, 1)],
    [{ id: 1, count: 1 }, messages.slice(1, 3)],
    [{ id: 2, count: 3 }, messages.slice(3)],
    [null, messages],
  ]);
});

test('an error is transferred as data, with all of its details', async () => {
  const error = { fault: 'rate-limit', message: 'Wait.', hint: 'Go on.', retryAfterMs: 7 } as const;
  const asker = askerOver(
    fakeWorker({
      ask: () => Promise.resolve({ parts: [], end: { error } }),
      list: () => Promise.resolve({ error }),
    }),
  );
  const { signal } = new AbortController();
  await expect(answer(asker)).rejects.toMatchObject({ name: 'ModelError', ...error });
  await expect(asker.list(signal, access)).rejects.toMatchObject({ name: 'ModelError', ...error });
});

test('the death of the worker rejects pending answers, and the next request starts another worker', async () => {
  const dying = fakeWorker({});
  const models = [{ id: 'm', label: 'm', context: null, images: null, price: null }];
  const next = fakeWorker({ list: () => Promise.resolve({ models }) });
  const asker = askerOver(dying, next);
  const asking = answer(asker);
  await new Promise((resolve) => setTimeout(resolve, 5));
  dying.dispatchEvent(new Event('error'));
  await expect(asking).rejects.toMatchObject({ fault: 'cut' });
  expect(dying.terminated).toBe(true);
  expect(await asker.list(new AbortController().signal, access)).toEqual(models);
});

test('a worker that exceeds its limits is terminated', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const silent = fakeWorker({});
    const asking = answer(askerOver(silent));
    const reported = expect(asking).rejects.toMatchObject({ fault: 'cut' });
    await vi.advanceTimersByTimeAsync(20_000);
    await reported;
    expect(silent.terminated).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test('a worker that reports being alive is waited for, however long the model is silent', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let signs = 0;
    const sign = (): Promise<AnswerPieces> =>
      new Promise((resolve) => {
        const end = (signs += 1) < 200 ? null : over;
        setTimeout(resolve, 5_000, { parts: end === null ? [] : [ended], end });
      });
    const worker = fakeWorker({ ask: sign, next: sign });
    const parts = answer(askerOver(worker));
    // Messages between the two take real time.
    while (signs < 200 || vi.getTimerCount() > 0) {
      await vi.advanceTimersByTimeAsync(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await parts).toEqual([ended]);
    expect(worker.terminated).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

test('an abort rejects at once, and the worker is informed', async () => {
  const worker = fakeWorker({
    ask: () => Promise.resolve({ parts: [{ type: 'text', id: '0', delta: 'a' }], end: null }),
  });
  const asker = askerOver(worker);
  const stop = new AbortController();
  const reason = new Error('enough');
  const asking = answer(asker, stop.signal);
  await new Promise((resolve) => setTimeout(resolve, 20));
  stop.abort(reason);
  await expect(asking).rejects.toBe(reason);
  await expect.poll(() => closed).toEqual([[1, false]]);
  for await (const _ of asker.ask(new AbortController().signal, access, ref, request)) break;
  await expect
    .poll(() => closed)
    .toEqual([
      [1, false],
      [2, false],
    ]);
  await expect(asker.list(AbortSignal.abort(reason), access)).rejects.toBe(reason);
  expect(worker.terminated).toBe(false);
});
