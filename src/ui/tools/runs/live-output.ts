/** What a running call has brought so far, kept small enough to show. */

import type { LogLine, Stream, Update } from '../../../spec/result.ts';

export interface LiveOutput {
  /** The latest ones. */
  readonly updates: readonly Update[];
  /** All of them, merged ones included. */
  readonly updateCount: number;
  /** The end of what was printed. */
  readonly out: string;
  readonly err: string;
  readonly log: readonly LogLine[];
  /** Earlier output is left out here; the result has it. */
  readonly cut: boolean;
}

export const noOutput: LiveOutput = {
  updates: [],
  updateCount: 0,
  out: '',
  err: '',
  log: [],
  cut: false,
};

/** Kept while a call runs. */
const liveUpdates = 100;
const liveChars = 50_000;
const liveLogLines = 200;

/** Adds a batch. */
export function withStream(before: LiveOutput, stream: Stream): LiveOutput {
  const out = before.out + stream.out;
  const err = before.err + stream.err;
  const log = [...before.log, ...stream.log];
  return {
    updates: [...before.updates, ...stream.updates].slice(-liveUpdates),
    updateCount: before.updateCount + stream.updates.length + stream.dropped,
    out: out.slice(-liveChars),
    err: err.slice(-liveChars),
    log: log.slice(-liveLogLines),
    cut:
      before.cut || out.length > liveChars || err.length > liveChars || log.length > liveLogLines,
  };
}
