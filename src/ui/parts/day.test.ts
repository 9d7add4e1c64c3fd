import { expect, test } from 'vitest';
import { dayAndTime, timeOfDay } from './day.ts';

test('a moment has its day and its time', () => {
  expect(dayAndTime(new Date(2026, 10, 22, 14, 5).getTime())).toBe('22 November 2026, 14:05');
  expect(timeOfDay(new Date(2026, 10, 22, 9, 5).getTime())).toBe('09:05');
  expect(dayAndTime(new Date(2026, 0, 2, 0, 0).getTime())).toBe('2 January 2026, 00:00');
});
