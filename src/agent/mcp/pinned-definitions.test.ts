/** Definitions that the user knows, and what is remembered of them. */

import { expect, test } from 'vitest';
import { countChars, compareWithPinned, hasSameDefinitions } from './pinned-definitions.ts';

const listed = (name: string, text: string, hash = `hash of ${text}`) => ({ name, text, hash });
const names = (all: readonly { name: string }[]) => all.map(({ name }) => name);

test('a changed definition waits, and a tool that is gone is still known', () => {
  const first = compareWithPinned([], [listed('a', '1'), listed('b', '2')], 100);
  expect([names(first.pinned), first.changed.size, first.dropped]).toEqual([['a', 'b'], 0, 0]);
  const gone = compareWithPinned(first.pinned, [listed('b', '3')], 100);
  expect(gone.pinned).toMatchObject([
    { name: 'b', text: '2', listed: true },
    { name: 'a', text: '1', listed: false },
  ]);
  expect(gone.changed.get('b')?.text).toBe('3');
  const back = compareWithPinned(gone.pinned, [listed('a', '9')], 100);
  expect(back.changed.get('a')?.text).toBe('9');
});

test('what all servers together have is bounded, and a known definition stays known', () => {
  const all = Array.from({ length: 10 }, (_, n) => listed(`t${n}`, 'x'.repeat(20)));
  const { pinned, dropped } = compareWithPinned([], all, 100);
  expect([pinned.length, dropped]).toEqual([5, 5]);
  // Positive control
  expect(compareWithPinned([], all, 200).dropped).toBe(0);
  // A definition for which there is no room leaves room for the others.
  const long = listed('long', 'x'.repeat(1_000));
  const around = compareWithPinned([], [listed('a', '1'), long, listed('b', '2')], 100);
  expect([names(around.pinned), around.dropped]).toEqual([['a', 'b'], 1]);
  const without = compareWithPinned(pinned, all, 0);
  expect(without.dropped).toBe(10);
  expect(without.pinned.every((one) => !one.listed)).toBe(true);
  expect(compareWithPinned(without.pinned, [listed('t0', 'other')], 100).changed.size).toBe(1);
});

test('a server that lists other tools each time fills no storage, and evades no comparison', () => {
  let known = compareWithPinned([], [listed('first', '1')], 1e9).pinned;
  for (let visit = 0; visit < 20; visit += 1) {
    const all = Array.from({ length: 50 }, (_, n) => listed(`t${visit}_${n}`, 'x'.repeat(100_000)));
    known = compareWithPinned(known, all, 1e9).pinned;
  }
  expect(countChars(known)).toBeLessThan(7_000_000);
  expect(known.some(({ name }) => name === 'first')).toBe(true);
  expect(compareWithPinned(known, [listed('first', '2')], 1e9).changed.size).toBe(1);
});

test('sameness needs no texts', () => {
  const { pinned } = compareWithPinned([], [listed('a', '1'), listed('b', '2')], 100);
  expect(hasSameDefinitions(pinned, [...pinned])).toBe(true);
  expect(hasSameDefinitions(pinned, pinned.slice(1))).toBe(false);
  expect(
    hasSameDefinitions(pinned, compareWithPinned(pinned, [listed('a', '1')], 100).pinned),
  ).toBe(false);
  const changed = pinned.map((one) => ({ ...one, hash: 'other' }));
  expect(hasSameDefinitions(pinned, changed)).toBe(false);
});
