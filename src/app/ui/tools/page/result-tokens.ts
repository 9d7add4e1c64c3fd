/** Estimates from logged runs how many tokens the results of a tool cost a model. */

import { maxAnswerChars } from '../../../../agent/turn/tool-answer.ts';
import { charsPerToken } from '../../../../runtime/spec/model.ts';
import type { LoggedCall } from '../../../../runtime/spec/call.ts';
import type { ObservedRun } from '../../../../runtime/spec/call.ts';
import { readReturnedValue } from '../result/return-check.ts';

/** Limits of the runs whose results are looked at to infer a schema. */
const maxRuns = 20;
const maxChars = 2_000_000;

export interface ResultTokens {
  readonly runs: number;
  readonly median: number;
  readonly largest: number;
  /** Number of results of which a model gets only a part at once. */
  readonly cut: number;
}

/** Null if no run has succeeded. */
export function resultTokens(runs: readonly LoggedCall[]): ResultTokens | null {
  const chars = runs
    .filter(({ result }) => result.resultType === 'success')
    .map(({ result }) => result.textResultForLlm.length)
    .sort((a, b) => a - b);
  const largest = chars.at(-1);
  if (largest === undefined) return null;
  const tokens = (length: number): number => Math.ceil(length / charsPerToken);
  return {
    runs: chars.length,
    median: tokens(chars[Math.floor((chars.length - 1) / 2)] ?? 0),
    largest: tokens(largest),
    cut: chars.filter((length) => length > maxAnswerChars).length,
  };
}

/** The latest complete results of the file as it is, as far as they are values. */
export function selectObservedRuns(
  runs: readonly LoggedCall[],
  hash: string,
): readonly ObservedRun[] {
  const found: ObservedRun[] = [];
  let room = maxChars;
  for (const { call, result, cut, fileHash } of runs) {
    const value = cut || fileHash !== hash ? null : readReturnedValue(result);
    if (value === null || value.length + call.arguments.length > room) continue;
    room -= value.length + call.arguments.length;
    found.push({ arguments: call.arguments, value });
    if (found.length === maxRuns) break;
  }
  return found;
}
