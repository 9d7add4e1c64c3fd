/** The model worker together with the page's side of it. */

import { expect, test } from 'vitest';
import { FakeWorker } from '../runtime/async/fake-worker.fixture.ts';
import { ModelAsker } from '../agent/providers/model-asker.ts';
import type { ModelWorker, ProviderAccess } from '../runtime/protocol/models.ts';
import type { SentStart } from '../runtime/protocol/sent-messages.ts';
import type { ModelNetwork } from '../agent/providers/wire/model-network.ts';
import { defaultLimits } from '../runtime/spec/limits.ts';
import type { ModelMessage } from '../runtime/spec/model.ts';
import { modelWorker } from '../agent/providers/wire/model-worker.ts';

const access: ProviderAccess = {
  kind: 'openai-compatible',
  name: 'Mine',
  baseUrl: 'https://api.example/v1',
  key: 'sk',
  headers: [],
};
const origin = 'https://here.example';

/** The messages of the page to the worker for one request, and whether the worker knew its start. */
interface Sent {
  readonly start: SentStart | null;
  readonly count: number;
  isKnown: boolean;
}

interface Bench {
  /** Asks with these messages, the last of which differs from all others. Returns the texts that the provider received. */
  ask(messages: readonly ModelMessage[]): Promise<string[]>;
  /** Asks, and cancels at once or when the answer has begun. */
  abort(messages: readonly ModelMessage[], when: 'at once' | 'later'): Promise<void>;
  readonly sent: Sent[];
  /** The worker that runs. */
  worker(): FakeWorker & { readonly methods: ModelWorker };
}

function bench(): Bench {
  const sent: Sent[] = [];
  const workers: Worked[] = [];
  const received: string[] = [];
  const start = (): Worker => {
    workers.push(new Worked(provider(received), sent));
    return workers.at(-1) as unknown as Worker;
  };
  const asker = new ModelAsker(start, defaultLimits, origin);
  return {
    sent,
    worker: () => workers.at(-1)!,
    ask: async (messages) => {
      await read(asker, messages, new AbortController().signal);
      const last = textOf(messages.at(-1)!);
      return received.map(textsIn).findLast((texts) => texts.at(-1) === last) ?? [];
    },
    abort: async (messages, when) => {
      const stop = new AbortController();
      const asking = read(asker, [...messages, endless], stop.signal, () => stop.abort());
      if (when === 'at once') stop.abort();
      await expect(asking).rejects.toMatchObject({ name: 'AbortError' });
    },
  };
}

/** A worker that notes what the page sends. */
class Worked extends FakeWorker {
  readonly methods: ModelWorker;

  constructor(network: ModelNetwork, sent: Sent[]) {
    const methods = modelWorker(network);
    super({
      ...methods,
      ask: async (...[id, question]: Parameters<ModelWorker['ask']>) => {
        const { start, request } = question;
        const one = { start, count: request.messages.length, isKnown: true };
        sent.push(one);
        const pieces = await methods.ask(id, question);
        one.isKnown = pieces !== null;
        return pieces;
      },
    });
    this.methods = methods;
  }
}

/** A message whose answer never ends. */
const endless = user('endless');

function provider(received: string[]): ModelNetwork {
  const data = (delta: object, finish_reason: string | null): string =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const begin = data({ content: 'Yes' }, null);
  return {
    pageOrigin: origin,
    online: () => true,
    send: (_signal, { body }) => {
      received.push(body ?? '');
      const isEndless = textsIn(body ?? '').includes('endless');
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => {
          const text = isEndless ? begin : `${begin}${data({}, 'stop')}data: [DONE]\n\n`;
          controller.enqueue(new TextEncoder().encode(text));
          if (!isEndless) controller.close();
        },
      });
      const headers = { 'content-type': 'text/event-stream' };
      return Promise.resolve(new Response(stream, { headers }));
    },
  };
}

async function read(
  asker: ModelAsker,
  messages: readonly ModelMessage[],
  signal: AbortSignal,
  onText: () => void = () => undefined,
): Promise<void> {
  const request = { system: '', messages, tools: [] };
  const ref = { provider: 'p', model: 'm' };
  for await (const { type } of asker.ask(signal, access, ref, request))
    if (type === 'text') onText();
}

function user(text: string): ModelMessage {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

function textOf(message: ModelMessage): string {
  const [part] = message.role === 'user' ? message.parts : [];
  return part?.type === 'text' ? part.text : '';
}

function textsIn(body: string): string[] {
  const { messages } = JSON.parse(body) as { messages: { content: string }[] };
  return messages.map(({ content }) => content);
}

test('requests that are cancelled do not displace conversations that the page continues', async () => {
  const { ask, abort, sent, worker } = bench();
  const a = user('a');
  const b = user('b');
  const c = user('c');
  expect(await ask([a])).toEqual(['a']);
  for (let n = 0; n < 20; n += 1) {
    await abort([user(`other ${n}`)], 'at once');
    await abort([user(`another ${n}`)], 'later');
  }
  expect(await ask([a, b])).toEqual(['a', 'b']);
  expect(sent.at(-1)).toEqual({ start: { id: 1, count: 1 }, count: 1, isKnown: true });
  // Cancelled requests of the conversation itself: the next one sends everything.
  for (let n = 0; n < 20; n += 1) await abort([a, b], n % 2 === 0 ? 'at once' : 'later');
  expect(await ask([a, b, c])).toEqual(['a', 'b', 'c']);
  // A fork of the conversation, the conversation itself, and a summary of its start.
  expect(await ask([a, b, user('x')])).toEqual(['a', 'b', 'x']);
  expect(await ask([a, b, c, user('d')])).toEqual(['a', 'b', 'c', 'd']);
  const summary = user('summary');
  expect(await ask([summary, c])).toEqual(['summary', 'c']);
  expect(await ask([summary, c, user('e')])).toEqual(['summary', 'c', 'e']);
  expect(sent.at(-1)?.count).toBe(1);
  worker().dispatchEvent(new Event('error'));
  expect(await ask([summary, c, user('f')])).toEqual(['summary', 'c', 'f']);
  expect(sent.at(-1)).toEqual({ start: null, count: 3, isKnown: true });
  expect(sent.filter(({ isKnown }) => !isKnown)).toEqual([]);
});

test('a worker that does not know the start of a conversation receives all messages, once', async () => {
  const { ask, sent, worker } = bench();
  const long = Array.from({ length: 450 }, (_, n) => user(String(n)));
  for (const [messages, whole] of [
    [[user('a')], 2],
    [long, 51],
  ] as const) {
    const before = messages.map(textOf);
    expect(await ask(messages)).toEqual(before);
    const id = sent.length === 1 ? 1 : 4;
    worker().methods.close(id, { keep: false });
    const b = user('b');
    const c = user('c');
    expect(await ask([...messages, b])).toEqual([...before, 'b']);
    expect(await ask([...messages, b, c])).toEqual([...before, 'b', 'c']);
    expect(sent.slice(-3)).toEqual([
      { start: { id, count: messages.length }, count: 1, isKnown: false },
      { start: null, count: whole, isKnown: true },
      { start: { id: id + 1, count: messages.length + 1 }, count: 1, isKnown: true },
    ]);
  }
});

test('conversations that continue or are cancelled at the same time are sent completely', async () => {
  const { ask, abort } = bench();
  // More than are kept; eight at a time.
  const conversations = Array.from({ length: 24 }, (_, n) => [user(`conversation ${n}`)]);
  const goOn = async (messages: ModelMessage[], n: number): Promise<void> => {
    if (n % 3 === 0) await abort(messages, n % 2 === 0 ? 'at once' : 'later');
    messages.push(user(`${messages.length} of ${n}`));
    expect(await ask(messages)).toEqual(messages.map(textOf));
  };
  for (let n = 0; n < 96; n += 8) {
    const some = conversations.slice(n % 24, (n % 24) + 8);
    await Promise.all(some.map((messages, index) => goOn(messages, n + index)));
  }
});
