import { expect, test } from 'vitest';
import { progressIn } from '../../../../runtime/spec/result.ts';
import { trackProgress, type ProgressTrack } from './progress.ts';
import { progressWords, timeLeft, timeLeftWords } from './time-left.ts';

function read(value: unknown): unknown {
  return progressIn({ json: JSON.stringify(value) });
}

test('an update with progress and total is progress', () => {
  expect([
    read({ progress: 3, total: 10, message: 'Reading' }),
    read({ progress: 0.5, total: 1, file: 'a.txt' }),
    read({ progress: 12, message: '' }),
    read({ progress: 11, total: 10 }),
  ]).toEqual([
    { progress: 3, total: 10, message: 'Reading' },
    { progress: 0.5, total: 1, message: '' },
    { progress: 12, total: 0, message: '' },
    { progress: 10, total: 10, message: '' },
  ]);
});

test('a share without a total is a share of one', () => {
  expect(read({ progress: 0.4 })).toEqual({ progress: 0.4, total: 1, message: '' });
  expect(read({ progress: 1 })).toEqual({ progress: 1, total: 0, message: '' });
  const words = (...steps: number[]): string[] => {
    let track: ProgressTrack | null = null;
    return steps.map((progress, at) => {
      const update = progressIn({ json: JSON.stringify({ progress }) });
      if (update === null) return '';
      track = trackProgress(track, update, at);
      return progressWords(track);
    });
  };
  expect(words(0, 0.4, 1)).toEqual(['0 so far', '40 %', '100 %']);
  expect(words(1, 2, 3)).toEqual(['1 so far', '2 so far', '3 so far']);
});

test('other updates are not', () => {
  const others = [
    { progress: '3', total: 10 },
    { progress: 3, total: 0 },
    { progress: -1, total: 10 },
    { progress: 3, total: '10' },
    { progress: 3, total: 10, message: 5 },
    { progress: 3, file: 'a.txt' },
    { step: 3 },
    [3, 10],
    'progress',
    { progress: 3, total: 10, message: 'x'.repeat(3_000) },
  ];
  expect(others.map(read)).toEqual(others.map(() => null));
  expect(progressIn({ json: '{"progress": 1e999, "total": 1}' })).toBeNull();
  expect(progressIn({ json: '{"progress": NaN, "total": 1}' })).toBeNull();
});

/** A call that reports progress at these times. */
type Step = readonly [at: number, progress: number, total?: number];

function told(...steps: readonly Step[]): ProgressTrack | null {
  return steps.reduce<ProgressTrack | null>(
    (before, [at, progress, total = 100]) =>
      trackProgress(before, { progress, total, message: '' }, at),
    null,
  );
}

function left(now: number, ...steps: readonly Step[]): string {
  const track = told(...steps);
  return track === null ? '' : timeLeftWords(timeLeft(track, now));
}

test('the time left follows the speed so far, and the clock', () => {
  const steps = [
    [0, 0],
    [1_000, 10],
    [2_000, 20],
  ] as const;
  expect([
    left(2_000, ...steps),
    left(4_000, ...steps),
    left(2_000, [0, 0, 1000], [1_000, 10, 1000], [2_000, 20, 1000]),
  ]).toEqual(['about 8 s left', 'about 7 s left', 'about 2 min left']);
});

test('the time left is not guessed from too little', () => {
  expect([
    left(0, [0, 0]),
    left(3_000, [0, 0], [3_000, 50]),
    left(400, [0, 0], [200, 20], [400, 40]),
    left(4_000, [0, 0], [2_000, 0.2], [4_000, 0.4]),
    left(4_000, [0, 0], [2_000, 50], [4_000, 100]),
    left(4_000, [0, 0, 0], [2_000, 50, 0], [4_000, 99, 0]),
  ]).toEqual(['', '', '', '', '', '']);
});

test('a pause longer than usual is said instead', () => {
  const steps = [
    [0, 0],
    [1_000, 10],
    [2_000, 20],
  ] as const;
  expect([left(6_900, ...steps), left(14_000, ...steps)]).toEqual([
    'about 7 s left',
    'no progress for 10 s',
  ]);
});

test('another total, or progress that goes back, begins again', () => {
  const steps = [
    [0, 0],
    [1_000, 10],
    [2_000, 20],
  ] as const;
  expect([left(2_500, ...steps, [2_500, 5]), left(2_500, ...steps, [2_500, 30, 200])]).toEqual([
    '',
    '',
  ]);
});

test('only a few samples are kept, and the latest speed counts', () => {
  let track: ProgressTrack | null = null;
  for (let n = 0; n <= 5_000; n += 1)
    track = trackProgress(track, { progress: n, total: 10_000, message: '' }, n * 10);
  expect(track?.samples.length).toBe(12);
  expect(track && timeLeftWords(timeLeft(track, 50_000))).toBe('about 50 s left');
});

test('progress in words', () => {
  expect(
    [
      [3, 10],
      [1_234, 5_678],
      [33.4, 100],
      [0.25, 1],
      [12, 0],
      [1e300, 0],
    ].map(([progress = 0, total = 0]) => progressWords({ progress, total, message: '' })),
  ).toEqual(['3 of 10', '1,234 of 5,678', '33 %', '25 %', '12 so far', '1E300 so far']);
});

test('the words for long times are rough', () => {
  const words = [400, 8_400, 42_000, 59_000, 1_000_000, 20_000_000, 1e12].map((ms) =>
    timeLeftWords({ is: 'known', ms }),
  );
  expect(words).toEqual([
    'almost done',
    'about 8 s left',
    'about 40 s left',
    'about 1 min left',
    'about 17 min left',
    'about 5.5 h left',
    'more than 100 h left',
  ]);
});
