import { expect, test } from 'vitest';
import type { Ask } from '../../src/protocol/ask.ts';
import { Asks } from './asks.ts';

const ask: Ask = { ask: 'read', request: 1 };

function setUp() {
  const sent: string[] = [];
  const timers: (() => void)[] = [];
  let now = 0;
  const clock = { now: () => now, after: (_: number, then: () => void) => void timers.push(then) };
  const asks = new Asks((id, n) => sent.push(`${id}/${n}`), clock);
  const pass = (ms: number): void => {
    now += ms;
    for (const then of timers.splice(0)) then();
  };
  return { asks, sent, pass };
}

test('an ask is passed on, and answered once', () => {
  const { asks, sent } = setUp();
  expect([asks.ask(1, 1, ask), asks.ask(1, 1, ask), asks.ask(2, 1, ask)]).toEqual([
    true,
    false,
    true,
  ]);
  expect(sent).toEqual(['1/1', '2/1']);
  expect([asks.answer(1, 1), asks.answer(1, 1), asks.answer(3, 1)]).toEqual([true, false, false]);
});

test('asks beyond the limit of open ones are rejected', () => {
  const { asks } = setUp();
  const taken = Array.from({ length: 100 }, (_, n) => asks.ask(1, n + 1, ask));
  expect(taken.filter(Boolean)).toHaveLength(64);
  asks.end(1);
  expect(asks.ask(1, 1, ask)).toBe(true);
});

test('asks beyond the rate are delayed, and none is lost', () => {
  const { asks, sent, pass } = setUp();
  for (let n = 1; n <= 300; n += 1) {
    asks.ask(1, n, ask);
    asks.answer(1, n);
  }
  expect(sent).toHaveLength(200);
  pass(100);
  expect(sent).toHaveLength(220);
  for (let step = 0; step < 10; step += 1) pass(100);
  expect(sent).toHaveLength(300);
});

test('waiting asks are dropped when their call ends', () => {
  const { asks, sent, pass } = setUp();
  for (let n = 1; n <= 210; n += 1) {
    asks.ask(1, n, ask);
    asks.answer(1, n);
  }
  asks.ask(2, 1, ask);
  asks.end(1);
  pass(1_000);
  expect(sent.slice(200)).toEqual(['2/1']);
});
