import { expect, it, test } from 'vitest';
import type { Stream } from '../../src/runtime/spec/result.ts';
import { LiveStreams, merge, Outcomes, Asks } from './to-page.ts';
import type { FromBroker, OrLost, PythonOutcome } from '../../src/runtime/protocol/frame.ts';
import { textPieceChars } from '../../src/runtime/protocol/long-texts.ts';
import { StreamRecord } from '../../src/runtime/protocol/stream-record.ts';
import { defaultLimits } from '../../src/runtime/spec/limits.ts';
import type { Ask } from '../../src/runtime/protocol/ask.ts';

const stream = (n: number, out = ''): Stream => ({
  updates: [{ n, json: String(n) }],
  dropped: 0,
  out,
  err: '',
  log: [],
});

it('sends one batch, and merges later ones until the page has processed it', () => {
  const sent: [number, Stream][] = [];
  const live = new LiveStreams((id, batch) => sent.push([id, batch]));
  live.begin(3);
  live.push(3, stream(0, 'a'));
  live.push(3, stream(1, 'b'));
  live.push(3, stream(2, 'c'));
  expect(sent).toEqual([[3, stream(0, 'a')]]);
  live.credit(3);
  expect(sent[1]).toEqual([3, merge(stream(1, 'b'), stream(2, 'c'))]);
});

it('sends nothing for calls that are not watched or have ended', () => {
  const sent: number[] = [];
  const live = new LiveStreams((id) => sent.push(id));
  live.push(1, stream(0));
  live.begin(2);
  live.end(2);
  live.push(2, stream(0));
  live.credit(2);
  expect(sent).toEqual([]);
});

it('limits the waiting batch to the first updates and the latest, and counts the rest', () => {
  let waiting = stream(0);
  for (let n = 1; n < 1_000; n += 1) waiting = merge(waiting, stream(n));
  expect(waiting.updates).toHaveLength(200);
  expect(waiting.updates.at(-1)).toEqual({ n: 999, json: '999' });
  expect(waiting.dropped).toBe(800);
});

const streamed = new StreamRecord(defaultLimits).streamed();

function outcome(text: string): OrLost<PythonOutcome> {
  const content = [{ text, mediaType: 'text/plain' }] as unknown as PythonOutcome['content'];
  return { ok: true, value: { ok: true, content, metadata: '{}', recoverable: false, streamed } };
}

function outcomes() {
  const sent: FromBroker[] = [];
  return { sent, outcomes: new Outcomes((message) => sent.push(message)) };
}

it('sends a short outcome at once', () => {
  const { sent, outcomes: sender } = outcomes();
  sender.send(3, outcome('short'));
  expect(sent).toEqual([{ type: 'outcome', id: 3, outcome: outcome('short') }]);
});

it('sends two pieces, a further one whenever the page has processed one, and the outcome with the last', () => {
  const { sent, outcomes: sender } = outcomes();
  sender.send(3, outcome('x'.repeat(3 * textPieceChars) + 'end'));
  expect(sent.map(({ type }) => type)).toEqual(['text', 'text']);
  sender.next(4);
  expect(sent).toHaveLength(2);
  sender.next(3);
  expect(sent.map(({ type }) => type)).toEqual(['text', 'text', 'text']);
  sender.next(3);
  expect(sent.map(({ type }) => type)).toEqual(['text', 'text', 'text', 'text', 'outcome']);
  expect(sent[3]).toMatchObject({ id: 3, piece: { text: 'end' } });
  expect(sent[4]).toEqual({ type: 'outcome', id: 3, outcome: outcome('') });
  sender.next(3);
  expect(sent).toHaveLength(5);
});

it('sends the outcomes of several calls in parallel', () => {
  const { sent, outcomes: sender } = outcomes();
  sender.send(1, outcome('a'.repeat(2 * textPieceChars + 1)));
  sender.send(2, outcome('short'));
  sender.next(1);
  expect(sent.map((one) => 'id' in one && [one.type, one.id])).toEqual([
    ['text', 1],
    ['text', 1],
    ['outcome', 2],
    ['text', 1],
    ['outcome', 1],
  ]);
});

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
