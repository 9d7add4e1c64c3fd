import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RowBuffer } from './row-buffer.svelte.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('rows out of view wait for the first picture, and for the end of each jump', () => {
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

test('nothing happens to a list that is gone', () => {
  const buffer = new RowBuffer();
  buffer.dispose();
  vi.advanceTimersByTime(1_000);
  expect(buffer.pixels).toBe(0);
});
