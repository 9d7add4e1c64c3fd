/** Follows the progress of a call. */

import type { Progress } from '../../../../runtime/spec/result.ts';

interface Sample {
  /** Milliseconds. */
  readonly at: number;
  readonly progress: number;
}

export interface ProgressTrack extends Progress {
  /** The latest advances since progress began, or began again; oldest first. */
  readonly samples: readonly Sample[];
}

/** Samples that are kept, at least {@link sampleMs} apart. */
const maxSamples = 12;
const sampleMs = 500;

/** Adds an update's progress. @param at when it arrived, in milliseconds */
export function trackProgress(
  before: ProgressTrack | null,
  reported: Progress,
  at: number,
): ProgressTrack {
  // The 0 and the 1 of shares could also be counts; what came before tells.
  const ends = reported.total === 0 && reported.progress <= 1 && before?.total === 1;
  const now = ends ? { ...reported, total: 1 } : reported;
  const last = before?.samples.at(-1);
  const restarted =
    before === null ||
    last === undefined ||
    now.total !== before.total ||
    now.progress < last.progress;
  const sample = { at, progress: now.progress };
  if (restarted) return { ...now, samples: [sample] };
  if (now.progress === last.progress) return { ...now, samples: before.samples };
  // Advances in quick succession become one.
  const previous = before.samples.at(-2);
  const merges = previous !== undefined && last.at - previous.at < sampleMs;
  const samples = [...(merges ? before.samples.slice(0, -1) : before.samples), sample];
  return { ...now, samples: samples.slice(-maxSamples) };
}
