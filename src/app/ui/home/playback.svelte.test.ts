import { expect, test, vi } from 'vitest';
import { Playback } from './playback.svelte.ts';

test('steps follow one another, wait while paused, and start again after the end', () => {
  vi.useFakeTimers();
  const playback = new Playback([100, 200, 300]);
  const at = (ms: number): readonly [number, boolean] => {
    vi.advanceTimersByTime(ms);
    return [playback.step, playback.isPlaying];
  };
  playback.play();
  expect([at(99), at(1), at(199)]).toEqual([
    [0, true],
    [1, true],
    [1, true],
  ]);
  playback.pause();
  expect(at(10_000)).toEqual([1, false]);
  playback.play();
  expect([at(200), at(300)]).toEqual([
    [2, true],
    [3, false],
  ]);
  expect(playback.hasEnded).toBe(true);
  playback.play();
  expect(at(100)).toEqual([1, true]);
  playback.finish();
  expect(at(10_000)).toEqual([3, false]);
  vi.useRealTimers();
});
