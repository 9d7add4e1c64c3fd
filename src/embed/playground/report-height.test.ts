import { expect, test } from 'vitest';
import { embedLimits } from '../../runtime/protocol/embed.ts';
import { HeightReports } from './report-height.ts';

test('a height is reported when it changes', () => {
  const reports = new HeightReports();
  expect([reports.next(100.2, 0), reports.next(100.9, 1), reports.next(80, 2)]).toEqual([
    101,
    null,
    80,
  ]);
});

test('a height is bounded', () => {
  expect(new HeightReports().next(1e9, 0)).toBe(embedLimits.height);
});

test('content that swings with the height of its frame settles at the larger height', () => {
  const reports = new HeightReports();
  const reported = Array.from({ length: 100 }, (_, n) => reports.next(n % 2 === 0 ? 300 : 200, 10));
  expect(reported.filter((each) => each !== null)).toHaveLength(13);
  expect(reported.findLast((each) => each !== null)).toBe(300);
  // Later, it may shrink again.
  expect(reports.next(200, 2_000)).toBe(200);
});
