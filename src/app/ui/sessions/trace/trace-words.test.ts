import { expect, test } from 'vitest';
import { sessionTrace, turnEnd } from '../../../../agent/session/trace/trace.ts';
import { stamped, wholeTurn } from '../../../../agent/session/session.fixture.ts';
import { spanBar, spanWords } from './trace-words.ts';

const [turn] = sessionTrace(stamped(wholeTurn));

test('each span has its place in the turn, with the time that it waited', () => {
  if (turn === undefined) throw new Error('There is no turn.');
  const bars = turn.spans.map((span) => spanBar(span, turn, turnEnd(turn)));
  for (const { from, width, waited } of bars) {
    expect(from + width).toBeLessThanOrEqual(100);
    expect(Math.min(from, width, waited)).toBeGreaterThanOrEqual(0);
  }
  // The call waited for half of its two milliseconds.
  expect(bars[2]?.waited).toBe(50);
});

test('a span says what it was and what it took', () => {
  const words = turn?.spans.map((span) => spanWords(span, ({ id }) => id));
  expect(words).toEqual([
    { name: 'Message', about: 'How is the weather in Oslo?', failed: false },
    {
      name: 'step-1',
      about: 'with reasoning · 100 in (20 cached), 10 out tokens · $0.500',
      failed: false,
    },
    { name: 'call-1', about: '{"city":"Oslo"} · waited 1.0 ms · ValueError: no', failed: true },
    { name: 'step-2', about: '200 in (20 cached), 10 out tokens', failed: false },
  ]);
});
