/** Reads progress from a call's updates. */

import { isObject } from '../../../../runtime/spec/guards.ts';
import type { Json } from '../../../../runtime/spec/json.ts';
import type { Update } from '../../../../runtime/spec/result.ts';

/** How far a call is, as its latest update says. */
export interface Progress {
  readonly progress: number;
  /** 0 if it is unknown. */
  readonly total: number;
  readonly message: string;
}

/** Longer updates are not read: progress is short, and this runs for every batch of every call. */
const maxChars = 2_000;

/** The progress that an update reports; null if it is another value. */
export function progressIn({ json }: Pick<Update, 'json'>): Progress | null {
  if (json.length > maxChars || !json.includes('"progress"')) return null;
  let value: Json;
  try {
    value = JSON.parse(json) as Json;
  } catch {
    return null;
  }
  if (!isObject(value)) return null;
  const { progress, total = null, message = '', ...others } = value;
  if (!isAmount(progress) || typeof message !== 'string') return null;
  if (total === null) {
    // Without a total, an object with other members is more likely a row of data.
    return Object.keys(others).length === 0 ? { progress, total: 0, message } : null;
  }
  if (!isAmount(total) || total === 0) return null;
  return { progress: Math.min(progress, total), total, message };
}

function isAmount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

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
export function tracked(before: ProgressTrack | null, now: Progress, at: number): ProgressTrack {
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
