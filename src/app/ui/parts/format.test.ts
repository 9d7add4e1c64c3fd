import { expect, test } from 'vitest';
import {
  formatAge,
  byteSize,
  dayAndTime,
  formatDuration,
  formatMoment,
  timeOfDay,
} from './format.ts';

test('sizes are short numbers with a suitable unit', () => {
  expect([0, 999, 1_000, 9_949, 99_900, 999_499, 999_500, 10_000_000, 2e9].map(byteSize)).toEqual([
    '0 B',
    '999 B',
    '1.0 kB',
    '9.9 kB',
    '100 kB',
    '999 kB',
    '1.0 MB',
    '10 MB',
    '2.0 GB',
  ]);
});

test('durations range from fractions of a millisecond to minutes', () => {
  expect(
    [0.04, 9.94, 38.4, 999.4, 999.6, 1200, 59_990, 60_000, 125_000].map(formatDuration),
  ).toEqual([
    '0.0 ms',
    '9.9 ms',
    '38 ms',
    '999 ms',
    '1.00 s',
    '1.20 s',
    '59.99 s',
    '1 min 0 s',
    '2 min 5 s',
  ]);
});

test('a time on another day includes the date', () => {
  const now = new Date(2026, 4, 20, 13, 5).getTime();
  expect(formatMoment(now - 60_000, now)).toBe('13:04:00');
  expect(formatMoment(now - 86_400_000, now)).toBe('19 May 2026, 13:05:00');
});

test('an age is shown in its largest whole unit, and as a time after a day', () => {
  const now = new Date(2026, 4, 20, 13, 5).getTime();
  const minutes = [0.9, 1, 59, 60, 23 * 60 + 59, 24 * 60];
  expect(minutes.map((each) => formatAge(now - each * 60_000, now))).toEqual([
    'just now',
    '1 min ago',
    '59 min ago',
    '1 h ago',
    '23 h ago',
    '19 May 2026, 13:05',
  ]);
});

test('a time includes date and time of day', () => {
  expect(dayAndTime(new Date(2026, 10, 22, 14, 5).getTime())).toBe('22 November 2026, 14:05');
  expect(timeOfDay(new Date(2026, 10, 22, 9, 5).getTime())).toBe('09:05');
  expect(dayAndTime(new Date(2026, 0, 2, 0, 0).getTime())).toBe('2 January 2026, 00:00');
});
