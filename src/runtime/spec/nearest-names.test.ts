import { expect, test } from 'vitest';
import { nearestNames } from './nearest-names.ts';
import { threadMs } from '../../../tests/support/thread-time.ts';

const names = ['help', 'title', 'background', 'model', 'new'];

test.each([
  ['titel', ['title']],
  ['TITLE', ['title']],
  ['hlep', ['help']],
  ['nwe', ['new']],
  ['modle', ['model']],
  ['back', ['background']],
  ['ba', ['background']],
  ['tmp', []],
  ['xyzzyplugh', []],
  ['', []],
])('%j is like %j', (wanted, near) => {
  expect(nearestNames(wanted, names, 0.5)).toEqual(near);
});

test('without a limit, there are always three, best first', () => {
  const tools = ['a__sum', 'weather__now', 'weather__forecast', 'b__max'];
  expect(nearestNames('weather_get_forecast', tools).slice(0, 2)).toEqual([
    'weather__forecast',
    'weather__now',
  ]);
  expect(nearestNames('🙂', tools)).toHaveLength(3);
});

test('long names are compared in a moment', () => {
  const long = Array.from({ length: 50 }, (_, n) => `${n}${'ab'.repeat(100_000)}`);
  const from = threadMs();
  expect(nearestNames('x'.repeat(1_000_000), long)).toHaveLength(3);
  expect(threadMs() - from).toBeLessThan(1_000);
});
