/** Positions in a call's stream, which are the ids of its events. */

import type { LogLine, ToolResult, Update } from '../spec/result.ts';

export interface StreamPosition {
  /** Number of the next update. */
  readonly updates: number;
  /** In characters, as is `stderr`. */
  readonly stdout: number;
  readonly stderr: number;
  /** In lines. */
  readonly log: number;
}

export const streamStart: StreamPosition = { updates: 0, stdout: 0, stderr: 0, log: 0 };

/** The id of a stream's final event. */
export const streamEnd = 'end';

/** What a call has streamed after a position. */
export interface StreamRest {
  readonly updates: readonly Update[];
  readonly stdout: string;
  readonly stderr: string;
  /** `n` is the line's number, from 0. */
  readonly log: readonly (LogLine & { readonly n: number })[];
}

export function positionId({ updates, stdout, stderr, log }: StreamPosition): string {
  return `${updates}-${stdout}-${stderr}-${log}`;
}

/** Returns the start if `id` is not a position. */
export function parsePosition(id: string | null): StreamPosition {
  const match = /^(\d{1,15})-(\d{1,15})-(\d{1,15})-(\d{1,15})$/.exec(id ?? '');
  if (match === null) return streamStart;
  const [updates = 0, stdout = 0, stderr = 0, log = 0] = match.slice(1).map(Number);
  return { updates, stdout, stderr, log };
}

/** Returns the part of an ended call's result that follows a position. */
export function restOf(result: ToolResult, from: StreamPosition): StreamRest {
  return {
    updates: result.updates.filter(({ n }) => n >= from.updates),
    stdout: result.stdout.slice(from.stdout),
    stderr: result.stderr.slice(from.stderr),
    log: result.log.map((line, n) => ({ ...line, n })).slice(from.log),
  };
}
