/** Writes a call's result as JSON of the virtual API, in pieces. */

import type { JsonText } from '../spec/json.ts';
import type { ContentPart, ToolResult } from '../spec/result.ts';
import { scanObject } from '../spec/json-members.ts';
import { replaceTokens } from '../spec/json-tokens.ts';
import { jsonString } from './paced-body.ts';

/**
 * Yields the JSON of an ended call.
 *
 * @param cut true if the result comes from the log, which shortens large texts
 */
export function* resultPieces(callId: string, result: ToolResult, cut = false): Generator<string> {
  yield `{"callId":${JSON.stringify(callId)},"state":"ended","resultType":"${result.resultType}"`;
  yield* text('textResultForLlm', result.textResultForLlm);
  if (result.error !== undefined) yield* text('error', result.error);
  if (result.traceback !== undefined) yield* text('traceback', result.traceback);
  yield ',"content":[';
  let before = '';
  for (const part of result.content) {
    yield before;
    yield* partPieces(part);
    before = ',';
  }
  yield '],"metadata":';
  yield* objectPieces(result.metadata);
  yield* text('stdout', result.stdout);
  yield* text('stderr', result.stderr);
  const { isError, recoverable, durationMs, stateLost, interpreter } = result;
  yield (
    ',' + JSON.stringify({ isError, recoverable, durationMs, stateLost, interpreter }).slice(1, -1)
  );
  if (result.workspace !== undefined) yield `,"workspace":${JSON.stringify(result.workspace)}`;
  if (result.outputDropped > 0) yield `,"outputDropped":${result.outputDropped}`;
  if (result.updatesDropped > 0) yield `,"updatesDropped":${result.updatesDropped}`;
  if (result.updates.length > 0) yield* items('updates', result.updates);
  if (result.log.length > 0) yield* items('log', result.log);
  yield cut ? ',"cut":true}' : '}';
}

/** The JSON of a running call. */
export function runningText(callId: string): string {
  return JSON.stringify({ callId, state: 'running', rest: `api/calls/${callId}` });
}

function* text(key: string, value: string): Generator<string> {
  yield `,"${key}":`;
  yield* jsonString(value);
}

function* partPieces(part: ContentPart): Generator<string> {
  yield `{"type":"${part.type}"`;
  if (part.type === 'text' || part.type === 'json') {
    yield* text('text', part.text);
  } else {
    yield* text('mediaType', part.mediaType);
    yield* text('data', part.data);
  }
  yield '}';
}

function* items(key: string, values: readonly unknown[]): Generator<string> {
  let before = `,"${key}":[`;
  for (const value of values) {
    yield before + JSON.stringify(value);
    before = ',';
  }
  yield ']';
}

// Keeps Python's own text, so that numbers stay exact. It comes from the sandbox: anything but a JSON object is
// replaced.
function* objectPieces(metadata: JsonText): Generator<string> {
  try {
    const strict = withoutNaN(metadata);
    const checking = scanObject(strict);
    while (checking.next().done !== true) yield '';
    yield strict;
  } catch {
    yield '{}';
  }
}

const notNumbers = new Set(['NaN', 'Infinity', '-Infinity']);

// Python writes NaN and infinities, which JSON does not have. They become null, as in JSON.stringify.
function withoutNaN(text: JsonText): JsonText {
  if (!/NaN|Infinity/.test(text)) return text;
  return replaceTokens(text, (start, end) =>
    notNumbers.has(text.slice(start, Math.min(end, start + 10))) ? 'null' : undefined,
  );
}
