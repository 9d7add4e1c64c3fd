/** Turns payloads from the tool worker into values of our own types; null where they are not. */

import { isObject, isStrings } from '../../src/spec/guards.ts';
import { ask, inspection, pythonResult, pythonStream, resolution } from 'virtual:cloche/validators';
import { deeperThan, moreThan } from '../../src/spec/depth.ts';
import type { Json } from '../../src/spec/json.ts';
import type { AskMessage } from '../../src/protocol/ask.ts';
import type { ResolveAnswer } from '../../src/protocol/packages.ts';
import type { PythonFacts, PythonOutcome } from '../../src/protocol/frame.ts';
import type { Inspection, PackedInspection } from '../../src/spec/inspection.ts';
import type { ContentPart, Frame, Stream } from '../../src/spec/result.ts';

/** Levels that a report may have; the loader refuses schemas deeper than 64. */
const mostDepth = 200;

/** Values of one tool, inside one another or not; the loader refuses 50,000. */
const mostToolValues = 60_000;

/** A folder of Cloche has 5,000 files at most; in Python there may be some that tools wrote. */
const mostPaths = 20_000;

interface PythonResult {
  readonly ok: boolean;
  readonly content: readonly ContentPart[];
  readonly metadata: string;
  readonly error?: string;
  readonly message?: string;
  readonly traceback?: string;
  readonly frames?: readonly Frame[];
  readonly recoverable?: boolean;
  readonly durationMs: number;
  readonly outputDropped: number;
}

export function toInspection(payload: string, file: string): PackedInspection | null {
  const value = parse(payload);
  // What is nested too deep could not be handed to the page without overflowing the stack.
  if (deeperThan(value as Json, mostDepth) || !inspection(value)) return null;
  const report = value as Inspection;
  if (report.file !== file) return null;
  if (report.tools.some((tool) => moreThan(tool as unknown as Json, mostToolValues))) return null;
  return { ...report, tools: report.tools.map((tool) => JSON.stringify(tool)) };
}

export function toStream(payload: string): Stream | null {
  const value = parse(payload);
  return pythonStream(value) ? (value as Stream) : null;
}

export function toAsk(payload: string): AskMessage | null {
  const value = parse(payload);
  return ask(value) ? (value as AskMessage) : null;
}

export function toStarted(payload: string): { value: PythonFacts } | null {
  try {
    const { version, stackSwitching } = JSON.parse(payload) as Record<string, unknown>;
    if (typeof version !== 'string' || typeof stackSwitching !== 'boolean') return null;
    return { value: { version: version.slice(0, 100), stackSwitching } };
  } catch {
    return null;
  }
}

/** A list of paths, bounded. */
export function toPaths(payload: string): { value: readonly string[] } | null {
  const value = parse(payload);
  return isStrings(value) && value.length <= mostPaths ? { value } : null;
}

/** What the resolver of packages says. */
export function toResolution(payload: string): { value: ResolveAnswer } | null {
  const value = parse(payload);
  return resolution(value) ? { value: value as ResolveAnswer } : null;
}

/** The outcome but for what was streamed, and how much printed text did not travel. */
export function toOutcome(
  payload: string,
): { outcome: Omit<PythonOutcome, 'streamed'>; outputDropped: number } | null {
  const value = parse(payload);
  if (!pythonResult(value)) return null;
  const { outputDropped, durationMs: _ignored, ...result } = value as PythonResult;
  if (!isJsonObject(result.metadata)) return null;
  const failed = !result.ok;
  if (failed && result.error === undefined) return null;
  return { outcome: { ...result, recoverable: result.recoverable ?? false }, outputDropped };
}

function isJsonObject(text: string): boolean {
  return isObject(parse(text));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
