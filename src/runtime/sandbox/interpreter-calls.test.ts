/** Messages of an interpreter reach their call: streams, questions, and exactly one outcome. */

import { expect, test } from 'vitest';
import type { Ask, AskAnswer } from '../protocol/ask.ts';
import type { FromBroker, OrLost, PythonOutcome } from '../protocol/frame.ts';
import { defaultLimits } from '../spec/limits.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import { toolCall } from '../spec/call.fixture.ts';
import { InterpreterCalls } from './interpreter-calls.ts';

const lost = { ok: false, loss: { reason: 'crashed', detail: 'x' } } as const;
const ask: Ask = { ask: 'read', request: 1 };

function running() {
  const sent: [message: { readonly type: string; readonly id: number }, transferred: number][] = [];
  let answer: (given: AskAnswer) => void = () => undefined;
  const broker = { streamed: () => Promise.resolve(null) };
  const life = new AbortController();
  const messages: Pick<MessagePort, 'postMessage' | 'onmessage'> = {
    onmessage: null,
    postMessage: (message: (typeof sent)[number][0], transfer?: unknown) => {
      sent.push([message, Array.isArray(transfer) ? transfer.length : 0]);
    },
  };
  const ignore = (): void => undefined;
  const others = { onStep: ignore, onLibraryWanted: ignore, onLost: ignore };
  const calls = new InterpreterCalls(broker, life.signal, messages, others);
  const receive = (data: FromBroker): void => {
    messages.onmessage?.call(undefined as never, new MessageEvent('message', { data }));
  };
  const tool = { name: 'm:f', parameters: {}, source: { file: 'm.py' } } as RegisteredTool;
  const { outcome } = calls.call(tool, toolCall('c'), '{}', defaultLimits, {
    answer: () => new Promise((resolve) => (answer = resolve)),
  });
  const [[{ id }] = [{ id: -1 }]] = sent.splice(0);
  return { sent, calls, receive, id, outcome, answer: (given: AskAnswer) => answer(given) };
}

test('a question is answered, and its bytes are transferred', async () => {
  const { sent, receive, answer, id } = running();
  receive({ type: 'ask', id, n: 7, ask });
  const given: AskAnswer = { answer: 'bytes', bytes: new Uint8Array(3) };
  answer(given);
  await Promise.resolve();
  await Promise.resolve();
  expect(sent).toEqual([[{ type: 'answer', id, n: 7, answer: given }, 1]]);
});

test('an answer that comes after the end of its call is dropped', async () => {
  const { sent, receive, outcome, answer, id } = running();
  receive({ type: 'ask', id, n: 7, ask });
  const ended: OrLost<PythonOutcome> = lost;
  receive({ type: 'outcome', id, outcome: ended });
  answer({ answer: 'done' });
  expect(await outcome).toBe(ended);
  expect(sent).toEqual([]);
});

test('a question of an unknown call is ignored', () => {
  const { sent, receive } = running();
  receive({ type: 'ask', id: -2, n: 1, ask });
  receive({ type: 'outcome', id: -2, outcome: lost });
  expect(sent).toEqual([]);
});

test('a loss ends every call', async () => {
  const { calls, outcome } = running();
  calls.lose(lost.loss);
  expect(await outcome).toEqual(lost);
});

test('a long text arrives in pieces, each acknowledged before the next, and is put in its place', async () => {
  const { sent, calls, receive, outcome, id } = running();
  receive({ type: 'text', id, piece: { nth: 1, text: 'first, ' } });
  expect(calls.arriving).toBe(true);
  receive({ type: 'text', id, piece: { nth: 1, text: 'second' } });
  expect(sent).toEqual([
    [{ type: 'taken', id }, 0],
    [{ type: 'taken', id }, 0],
  ]);
  const ended = { ok: false, loss: { reason: 'crashed', detail: '' } } as const;
  receive({ type: 'outcome', id, outcome: ended });
  expect(await outcome).toEqual({
    ok: false,
    loss: { reason: 'crashed', detail: 'first, second' },
  });
  expect(calls.arriving).toBe(false);
});

test('more text than an outcome may have ends the call', async () => {
  const { calls, receive, outcome, id } = running();
  const text = 'x'.repeat(64 * 1024 * 1024);
  for (let n = 0; n < 4; n += 1) receive({ type: 'text', id, piece: { nth: n, text } });
  expect(await outcome).toMatchObject({ ok: false, loss: { reason: 'protocol' } });
  expect(calls.arriving).toBe(false);
});

test('a text of an unknown call is ignored', () => {
  const { sent, receive } = running();
  receive({ type: 'text', id: -2, piece: { nth: 0, text: 'x' } });
  expect(sent).toEqual([]);
});

test('of two outcomes of a call, the first counts, and the second ends no other call', async () => {
  const { sent, calls, receive, outcome, id } = running();
  const tool = { name: 'm:g', parameters: {}, source: { file: 'm.py' } } as RegisteredTool;
  const other = calls.call(tool, toolCall('d'), '{}', defaultLimits, {
    answer: () => Promise.resolve({ answer: 'done' }),
  });
  const [[{ id: otherId }] = [{ id: -1 }]] = sent.splice(0);
  receive({ type: 'outcome', id, outcome: lost });
  const second = { ok: false, loss: { reason: 'crashed', detail: 'the second' } } as const;
  receive({ type: 'outcome', id, outcome: second });
  receive({ type: 'text', id, piece: { nth: 1, text: 'more' } });
  receive({ type: 'ask', id, n: 1, ask });
  expect(await outcome).toEqual(lost);
  let isOver = false;
  void other.outcome.then(() => (isOver = true));
  await Promise.resolve();
  expect([isOver, sent]).toEqual([false, []]);
  receive({ type: 'outcome', id: otherId, outcome: second });
  expect(await other.outcome).toEqual(second);
});
