/** What comes out of an interpreter reaches its call: streams, questions, one ending. */

import { expect, test } from 'vitest';
import type { Ask, AskAnswer } from '../protocol/ask.ts';
import type { OrLost, PythonOutcome } from '../protocol/frame.ts';
import { RunningCalls } from './running-calls.ts';

const lost = { ok: false, loss: { reason: 'crashed', detail: 'x' } } as const;
const ask: Ask = { ask: 'read', request: 1 };

function running() {
  const said: unknown[] = [];
  let answer: (given: AskAnswer) => void = () => undefined;
  const calls = new RunningCalls((message, transfer = []) => said.push([message, transfer.length]));
  const outcome = calls.begin(1, {
    onStream: () => undefined,
    answer: () => new Promise((resolve) => (answer = resolve)),
  });
  return { said, calls, outcome, answer: (given: AskAnswer) => answer(given) };
}

test('a question is answered, with its bytes transferred', async () => {
  const { said, calls, answer } = running();
  calls.take({ type: 'ask', id: 1, n: 7, ask });
  const given: AskAnswer = { answer: 'bytes', bytes: new Uint8Array(3) };
  answer(given);
  await Promise.resolve();
  await Promise.resolve();
  expect(said).toEqual([[{ type: 'answer', id: 1, n: 7, answer: given }, 1]]);
});

test('an answer that comes after the end of its call is nobody’s', async () => {
  const { said, calls, outcome, answer } = running();
  calls.take({ type: 'ask', id: 1, n: 7, ask });
  const ended: OrLost<PythonOutcome> = lost;
  calls.take({ type: 'outcome', id: 1, outcome: ended });
  answer({ answer: 'done' });
  expect(await outcome).toBe(ended);
  expect(said).toEqual([]);
});

test('a question of no call is left alone', () => {
  const { said, calls } = running();
  calls.take({ type: 'ask', id: 2, n: 1, ask });
  calls.take({ type: 'outcome', id: 2, outcome: lost });
  expect(said).toEqual([]);
});

test('a loss ends every call', async () => {
  const { calls, outcome } = running();
  calls.lose(lost.loss);
  expect(await outcome).toEqual(lost);
});

test('a long text comes in pieces, each taken before the next, and is put where it belongs', async () => {
  const { said, calls, outcome } = running();
  calls.take({ type: 'text', id: 1, piece: { nth: 1, text: 'first, ' } });
  expect(calls.arriving).toBe(true);
  calls.take({ type: 'text', id: 1, piece: { nth: 1, text: 'second' } });
  expect(said).toEqual([
    [{ type: 'taken', id: 1 }, 0],
    [{ type: 'taken', id: 1 }, 0],
  ]);
  const ended = { ok: false, loss: { reason: 'crashed', detail: '' } } as const;
  calls.take({ type: 'outcome', id: 1, outcome: ended });
  expect(await outcome).toEqual({
    ok: false,
    loss: { reason: 'crashed', detail: 'first, second' },
  });
  expect(calls.arriving).toBe(false);
});

test('more text than one outcome may have ends the call', async () => {
  const { calls, outcome } = running();
  const text = 'x'.repeat(64 * 1024 * 1024);
  for (let n = 0; n < 4; n += 1) calls.take({ type: 'text', id: 1, piece: { nth: n, text } });
  expect(await outcome).toMatchObject({ ok: false, loss: { reason: 'protocol' } });
  expect(calls.arriving).toBe(false);
});

test('a text of no call is left alone', () => {
  const { said, calls } = running();
  calls.take({ type: 'text', id: 2, piece: { nth: 0, text: 'x' } });
  expect(said).toEqual([]);
});
