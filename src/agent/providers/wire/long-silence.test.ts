/** Slow answers: which ones are waited for, and which ones time out. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { longestListMs } from '../../../runtime/protocol/models.ts';
import { defaultLimits } from '../../../runtime/spec/limits.ts';
import type { ModelPart } from '../../../runtime/spec/model.ts';
import { Answer } from './buffered-answer.ts';
import { accessTo, asker, bareNetwork, hello, partsOf } from './endpoint.fixture.ts';
import { listModels } from './list-models.ts';
import type { ModelNetwork } from './model-network.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** The page's timeout exceeds the worker's limits by this much. */
const toleranceMs = 10_000;
const minute = 60_000;
const { signal } = new AbortController();

/** A response whose body sends something at intervals, and then ends, if it has an end. */
function dripping(
  drop: string,
  everyMs: number,
  times = Infinity,
  last = '',
  init: ResponseInit = { headers: { 'content-type': 'text/event-stream' } },
): Partial<ModelNetwork> {
  let came = 0;
  const encoder = new TextEncoder();
  const given = new AbortController();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      given.signal.addEventListener('abort', () => {
        controller.error(given.signal.reason);
      });
    },
    async pull(controller) {
      // The first is sent with the headers.
      if (came > 0) await new Promise((resolve) => setTimeout(resolve, everyMs));
      came += 1;
      if (given.signal.aborted) return;
      if (came <= times) controller.enqueue(encoder.encode(drop));
      else {
        controller.enqueue(encoder.encode(last));
        controller.close();
      }
    },
  });
  return {
    send: (asking) => {
      asking.addEventListener('abort', () => {
        given.abort(asking.reason);
      });
      return Promise.resolve(new Response(body, init));
    },
  };
}

/** Resolves to the outcome of the promise, and to the time that it took; gives up after half an hour. */
async function settled(promise: Promise<unknown>): Promise<{ ms: number; value: unknown }> {
  const outcome: { value?: unknown } = {};
  const reported = (value: unknown): void => void Object.assign(outcome, { value });
  promise.then(reported, reported);
  let ms = 0;
  for (; !('value' in outcome) && ms <= 30 * minute; ms += 1_000) {
    await vi.advanceTimersByTimeAsync(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { ms, value: outcome.value };
}

const chatEnd = [
  { choices: [{ index: 0, delta: { content: 'Done.' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
]
  .map((data) => `data: ${JSON.stringify(data)}\n\n`)
  .join('');
const anthropicEnd = [
  { type: 'message_start', message: { id: 'm', model: 'c', usage: { input_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Done.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
]
  .map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`)
  .join('');

for (const [kind, what, drop, last] of [
  ['openai-compatible', 'comments', ': OPENROUTER PROCESSING\n\n', `${chatEnd}data: [DONE]\n\n`],
  ['anthropic', 'pings', 'event: ping\ndata: {"type": "ping"}\n\n', anthropicEnd],
] as const)
  test(`a model that thinks for a long time and sends ${what} is waited for, and the page knows that the worker is alive`, async () => {
    const network = dripping(drop, 20_000, 60, last);
    const answer = new Answer((await asker(kind, 'http://x', { network }))(signal, hello));
    const parts: ModelPart[] = [];
    let ms = 0;
    let longest = 0;
    for (;;) {
      const next = await settled(answer.next());
      ms += next.ms;
      longest = Math.max(longest, next.ms);
      const pieces = next.value as Awaited<ReturnType<Answer['next']>>;
      parts.push(...pieces.parts);
      if (pieces.end === null) continue;
      expect(pieces.end).toEqual({ error: null });
      break;
    }
    expect(parts.find(({ type }) => type === 'text')).toMatchObject({ delta: 'Done.' });
    expect(ms).toBeGreaterThan(defaultLimits.modelFirstMs + defaultLimits.modelIdleMs);
    expect(longest).toBeLessThan(toleranceMs);
  });

test('the body of a refusal is read for a limited time, and its beginning is reported', async () => {
  const network = dripping('Fire! ', 20_000, Infinity, '', { status: 500 });
  const ask = await asker('openai-compatible', 'http://x', { network });
  const { ms, value } = await settled(partsOf(ask));
  expect(value).toMatchObject({ fault: 'overloaded' });
  expect((value as Error).message).toMatch(/error \(500\): Fire! Fire!$/);
  expect(ms).toBeLessThanOrEqual(minute);
});

test('a web page in place of an answer is read for a limited time', async () => {
  const html = { headers: { 'content-type': 'text/html' } };
  const network = dripping('<br>', 20_000, Infinity, '', html);
  const { ms, value } = await settled(
    partsOf(await asker('openai-compatible', 'http://x', { network })),
  );
  expect(value).toMatchObject({ message: 'The endpoint answered with a web page.' });
  expect(ms).toBeLessThanOrEqual(minute);
});

test('an endless list of models times out before the page gives up the worker', async () => {
  const network = { ...bareNetwork, ...dripping(' ', 100_000, Infinity, '', {}) };
  const access = accessTo('openai-compatible', 'https://api.example');
  const { ms, value } = await settled(listModels(signal, access, network, defaultLimits));
  expect(value).toMatchObject({
    name: 'ModelError',
    fault: 'network',
    message: 'The endpoint had not listed all of its models after 10 minutes.',
  });
  expect(ms).toBeLessThan(longestListMs + toleranceMs);
});
