import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Follow, RowBuffer } from './scroll.svelte.ts';

/** At the end of 5,000 pixels, of which 500 are visible. */
function atEnd() {
  let now = 1_000;
  const follow = new Follow(() => now);
  follow.scrolled(4_500, 0);
  return { follow, later: (ms: number) => (now += ms) };
}

test('scrolling up by wheel stops following at once, even in small steps', () => {
  const { follow } = atEnd();
  const seen = [6, 12, 18].map((left) => {
    follow.means('up');
    const before = follow.follows;
    follow.scrolled(4_500 - left, left);
    return [before, follow.follows];
  });
  expect(seen).toEqual([
    [false, false],
    [false, false],
    [false, false],
  ]);
});

test('growth out of view is marked, and a return to the end follows again', () => {
  const { follow } = atEnd();
  follow.means('up');
  follow.scrolled(4_400, 100);
  follow.added();
  expect([follow.follows, follow.away, follow.below]).toEqual([false, true, true]);
  follow.means('down');
  follow.scrolled(4_490, 10);
  expect([follow.follows, follow.away, follow.below]).toEqual([true, false, false]);
});

test('a pointer that was pressed elsewhere does not stop following', () => {
  const { follow } = atEnd();
  follow.hold(false);
  follow.scrolled(4_400, 100);
  expect(follow.follows).toBe(true);
});

test('what was expanded stays in view until a call may run, and what was scrolled to stays after that too', () => {
  const expanded = atEnd().follow;
  expanded.stay();
  expect(expanded.follows).toBe(false);
  expanded.resume();
  expect(expanded.follows).toBe(true);

  const scrolled = atEnd().follow;
  scrolled.stay();
  scrolled.means('up');
  scrolled.stay();
  scrolled.resume();
  expect(scrolled.follows).toBe(false);
});

test('an offset that the list corrects does not count as scrolling', () => {
  const { follow, later } = atEnd();
  follow.scrolled(4_300, 200);
  expect(follow.follows).toBe(true);
  follow.means('up');
  follow.scrolled(4_290, 10);
  follow.scrolled(4_295, 5);
  expect(follow.follows).toBe(false);
  later(1_000);
  follow.scrolled(4_300, 0);
  expect(follow.follows).toBe(true);
});

test('dragging the scrollbar up, or a key, stops following', () => {
  const dragged = atEnd().follow;
  dragged.hold(true);
  dragged.scrolled(4_495, 5);
  expect(dragged.follows).toBe(false);
  const keyed = atEnd().follow;
  keyed.means('either');
  keyed.scrolled(4_000, 500);
  expect(keyed.follows).toBe(false);
});

test('scrolling down by wheel at the end follows again, even if nothing scrolls', () => {
  const { follow } = atEnd();
  follow.means('up');
  follow.means('down');
  expect(follow.follows).toBe(true);
});

test('sending a message scrolls to the end from any position', () => {
  const { follow } = atEnd();
  follow.means('up');
  follow.scrolled(100, 4_400);
  follow.added();
  follow.toEnd();
  expect([follow.follows, follow.below]).toEqual([true, false]);
  follow.scrolled(4_500, 0);
  expect([follow.follows, follow.away]).toEqual([true, false]);
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('rows out of view are rendered after the first frame, and after each jump', () => {
  const buffer = new RowBuffer();
  expect(buffer.pixels).toBe(0);
  vi.advanceTimersByTime(200);
  expect(buffer.pixels).toBe(200);
  buffer.scrolled(100, 400);
  expect(buffer.pixels).toBe(200);
  for (const offset of [4_000, 8_000, 12_000]) {
    buffer.scrolled(offset, 400);
    vi.advanceTimersByTime(100);
    expect(buffer.pixels).toBe(0);
  }
  vi.advanceTimersByTime(100);
  expect(buffer.pixels).toBe(200);
});

test('a removed list is not scrolled', () => {
  const buffer = new RowBuffer();
  buffer.dispose();
  vi.advanceTimersByTime(1_000);
  expect(buffer.pixels).toBe(0);
});
