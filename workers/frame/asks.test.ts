/** Questions of calls on their way to the page: bounded in number and pace, each answered once. */

import { expect, test } from 'vitest';
import type { Ask } from '../../src/protocol/ask.ts';
import { Asks } from './asks.ts';

const ask: Ask = { ask: 'read', request: 1 };

function asking() {
  const reported: string[] = [];
  const timers: (() => void)[] = [];
  let now = 0;
  const clock = { now: () => now, after: (_: number, then: () => void) => void timers.push(then) };
  const asks = new Asks((id, n) => reported.push(`${id}/${n}`), clock);
  const pass = (ms: number): void => {
    now += ms;
    for (const then of timers.splice(0)) then();
  };
  return { asks, reported, pass };
}

test('a question is passed on, and its answer is wanted once', () => {
  const { asks, reported } = asking();
  expect([asks.ask(1, 1, ask), asks.ask(1, 1, ask), asks.ask(2, 1, ask)]).toEqual([
    true,
    false,
    true,
  ]);
  expect(reported).toEqual(['1/1', '2/1']);
  expect([asks.answer(1, 1), asks.answer(1, 1), asks.answer(3, 1)]).toEqual([true, false, false]);
});

test('no more at once than one worker may', () => {
  const { asks } = asking();
  const taken = Array.from({ length: 100 }, (_, n) => asks.ask(1, n + 1, ask));
  expect(taken.filter(Boolean)).toHaveLength(64);
  asks.end(1);
  expect(asks.ask(1, 1, ask)).toBe(true);
});

test('who asks without a pause is slowed down, and loses nothing', () => {
  const { asks, reported, pass } = asking();
  for (let n = 1; n <= 300; n += 1) {
    asks.ask(1, n, ask);
    asks.answer(1, n);
  }
  expect(reported).toHaveLength(200);
  pass(100);
  expect(reported).toHaveLength(220);
  for (let step = 0; step < 10; step += 1) pass(100);
  expect(reported).toHaveLength(300);
});

test('what waits goes with its call', () => {
  const { asks, reported, pass } = asking();
  for (let n = 1; n <= 210; n += 1) {
    asks.ask(1, n, ask);
    asks.answer(1, n);
  }
  asks.ask(2, 1, ask);
  asks.end(1);
  pass(1_000);
  expect(reported.slice(200)).toEqual(['2/1']);
});
