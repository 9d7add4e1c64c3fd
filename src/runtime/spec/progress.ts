/** Reads progress from a call's updates. */

import { isObject } from './guards.ts';
import type { Json } from './json.ts';
import type { Update } from './result.ts';

/** Progress of a call, from its latest update. */
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
    if (Object.keys(others).length > 0) return null;
    return { progress, total: isShare(progress) ? 1 : 0, message };
  }
  if (!isAmount(total) || total === 0) return null;
  return { progress: Math.min(progress, total), total, message };
}

/** Whether progress without a total is a share of the whole, such as 0.4. */
function isShare(progress: number): boolean {
  return progress > 0 && progress < 1;
}

function isAmount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
