/** How far a reader has got in what a call streams: the ids of its events. */

import type { LogLine, ToolResult, Update } from '../spec/result.ts';

export interface StreamPosition {
  /** Number of the next update. */
  readonly updates: number;
  /** Characters. */
  readonly stdout: number;
  readonly stderr: number;
  /** Lines. */
  readonly log: number;
}

export const streamStart: StreamPosition = { updates: 0, stdout: 0, stderr: 0, log: 0 };

/** The id of the last event of all. */
export const streamEnd = 'end';

/** What a call has streamed after some position. */
export interface StreamRest {
  readonly updates: readonly Update[];
  readonly stdout: string;
  readonly stderr: string;
  /** `n` counts from 0. */
  readonly log: readonly (LogLine & { readonly n: number })[];
}

export function positionId({ updates, stdout, stderr, log }: StreamPosition): string {
  return `${updates}-${stdout}-${stderr}-${log}`;
}

/** The start, where `id` is no position. */
export function parsePosition(id: string | null): StreamPosition {
  const match = /^(\d{1,15})-(\d{1,15})-(\d{1,15})-(\d{1,15})$/.exec(id ?? '');
  if (match === null) return streamStart;
  const [updates = 0, stdout = 0, stderr = 0, log = 0] = match.slice(1).map(Number);
  return { updates, stdout, stderr, log };
}

/** What the result of an ended call has beyond a position. */
export function restOf(result: ToolResult, from: StreamPosition): StreamRest {
  return {
    updates: result.updates.filter(({ n }) => n >= from.updates),
    stdout: result.stdout.slice(from.stdout),
    stderr: result.stderr.slice(from.stderr),
    log: result.log.map((line, n) => ({ ...line, n })).slice(from.log),
  };
}
