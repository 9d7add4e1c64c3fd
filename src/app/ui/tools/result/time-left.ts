/** Estimates the time that a call still takes, and says its progress in words. */

import type { Progress } from '../../../../runtime/spec/result.ts';
import type { ProgressTrack } from './progress.ts';

/** An estimate needs this much of the work, and this much time. */
const leastShare = 0.01;
const leastMs = 1_000;
/** Progress that pauses for longer than this many of its usual intervals has no estimate. */
const stalledIntervals = 5;
const leastPauseMs = 5_000;

export type TimeLeft =
  | { readonly is: 'unknown' }
  | { readonly is: 'known'; readonly ms: number }
  /** No advance for longer than usual. */
  | { readonly is: 'stalled'; readonly ms: number };

/** The time that is left at the speed of the latest advances; it is only a guess if the speed varies. */
export function timeLeft({ progress, total, samples }: ProgressTrack, now: number): TimeLeft {
  const first = samples[0];
  const last = samples.at(-1);
  if (total === 0 || first === undefined || last === undefined || progress >= total)
    return { is: 'unknown' };
  const took = last.at - first.at;
  const done = last.progress - first.progress;
  const pause = now - last.at;
  if (samples.length < 3 || done / total < leastShare || took < leastMs) return { is: 'unknown' };
  const interval = took / (samples.length - 1);
  if (pause > Math.max(leastPauseMs, stalledIntervals * interval))
    return { is: 'stalled', ms: pause };
  // The clock counts down until the next advance is due, and no further: what follows it takes its own time.
  const left = ((total - last.progress) / done) * took - Math.min(pause, interval);
  return { is: 'known', ms: Math.max(0, left) };
}

const longestMs = 100 * 3_600_000;

/** The time left in words, as exact as a guess can be; empty if it is unknown. */
export function timeLeftWords(left: TimeLeft): string {
  if (left.is === 'unknown') return '';
  if (left.is === 'stalled') return `no progress for ${roundedDuration(left.ms)}`;
  if (left.ms < 1_500) return 'almost done';
  return left.ms > longestMs ? 'more than 100 h left' : `about ${roundedDuration(left.ms)} left`;
}

function roundedDuration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return `${String(Math.round(seconds))} s`;
  if (seconds < 57.5) return `${String(Math.round(seconds / 5) * 5)} s`;
  const minutes = seconds / 60;
  if (minutes < 59.5) return `${String(Math.max(1, Math.round(minutes)))} min`;
  return `${String(Math.round((minutes / 60) * 2) / 2)} h`;
}

/** `3 of 10`, or the share where the numbers say less; `12 so far` without a total. */
export function progressWords({ progress, total }: Progress): string {
  if (total === 0) return `${amount(progress)} so far`;
  const isCount = Number.isInteger(progress) && Number.isInteger(total);
  if (isCount && total !== 1 && total !== 100 && total < 1e15)
    return `${amount(progress)} of ${amount(total)}`;
  return `${String(Math.floor((progress / total) * 100))} %`;
}

function amount(value: number): string {
  return value.toLocaleString('en', {
    maximumFractionDigits: 2,
    notation: value < 1e15 ? 'standard' : 'scientific',
  });
}
