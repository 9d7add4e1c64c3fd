import { expect, test } from 'vitest';
import { ProgressReports } from './progress.ts';

const reports = (...values: unknown[]): unknown[] => {
  const progress = new ProgressReports();
  return values.map((value, n) => progress.of({ n, json: JSON.stringify(value) }));
};

test('shares are of 1, also at the end', () => {
  expect(reports({ progress: 0.5, message: 'half' }, { progress: 1 })).toEqual([
    { progress: 0.5, total: 1, message: 'half' },
    { progress: 1, total: 1, message: '' },
  ]);
});

test('amounts keep their total, and nothing goes back or is reported twice', () => {
  const values = [{ progress: 1, total: 3 }, { progress: 1, total: 3 }, 'other', { progress: 2 }];
  expect(reports(...values)).toEqual([
    { progress: 1, total: 3, message: '' },
    null,
    null,
    { progress: 2, message: '' },
  ]);
});

test('the first report may be 0', () => {
  expect(reports({ progress: 0, total: 2 }, { progress: 0, total: 2 })).toEqual([
    { progress: 0, total: 2, message: '' },
    null,
  ]);
});

test('other updates are counted', () => {
  expect(reports('a', { rows: 2, progress: 1 }, { progress: 0.5 })).toEqual([
    { progress: 1, message: undefined },
    { progress: 2, message: undefined },
    { progress: 3, message: undefined },
  ]);
});
