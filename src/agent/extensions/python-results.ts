/** Results of calls as interceptors in Python see and change them. */

import type { ResultChange } from '../../runtime/call/intercepted-call.ts';
import { asFields, isObject } from '../../runtime/spec/guards.ts';
import type { Json, JsonObject, JsonText } from '../../runtime/spec/json.ts';
import type { ContentPart, LogLine, ToolResult, Update } from '../../runtime/spec/result.ts';

export function toPython(result: ToolResult): JsonText {
  return JSON.stringify({
    result_type: result.resultType,
    text_result_for_llm: result.textResultForLlm,
    error: result.error ?? null,
    traceback: result.traceback ?? null,
    content: result.content,
    recoverable: result.recoverable,
    metadata: JSON.parse(result.metadata) as Json,
    updates: result.updates,
    log: result.log,
    stdout: result.stdout,
    stderr: result.stderr,
    duration_ms: result.durationMs,
  });
}

/** The changed parts. @throws {TypeError} if one is invalid */
export function toChange(returned: Json): ResultChange | null {
  if (returned === null) return null;
  if (!isObject(returned)) throw new TypeError('its answer is not a result');
  const change: JsonObject = returned;
  const read = <T>(key: string, accepts: (value: unknown) => value is T): T | undefined => {
    const value = change[key];
    if (value === undefined || value === null) return undefined;
    if (!accepts(value)) throw new TypeError(`${key} of its result has the wrong form`);
    return value;
  };
  const metadata = read('metadata', isObject);
  return withoutUndefined({
    resultType: read('result_type', isResultType),
    textResultForLlm: read('text_result_for_llm', isString),
    error: read('error', isString),
    traceback: read('traceback', isString),
    content: read('content', listOf(isPart)),
    recoverable: read('recoverable', isBoolean),
    metadata: metadata && JSON.stringify(metadata),
    updates: read('updates', listOf(isUpdate)),
    log: read('log', listOf(isLogLine)),
    stdout: read('stdout', isString),
    stderr: read('stderr', isString),
  });
}

type Optional<T> = { readonly [K in keyof T]: T[K] | undefined };

function withoutUndefined(change: Optional<Required<ResultChange>>): ResultChange {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isResultType(value: unknown): value is ToolResult['resultType'] {
  return value === 'success' || value === 'failure';
}

/** Limit of a list in a result, as for what tools return. */
const maxItems = 1_000;

function listOf<T>(accepts: (value: unknown) => value is T): (value: unknown) => value is T[] {
  return (value): value is T[] =>
    Array.isArray(value) && value.length <= maxItems && value.every(accepts);
}

function isPart(value: unknown): value is ContentPart {
  const { type, text, mediaType, data } = asFields(value);
  if (type === 'text' || type === 'json') return typeof text === 'string';
  const isData = type === 'image' || type === 'binary';
  const isMedia = typeof mediaType === 'string' && /^[a-z]{1,20}\/[\w.+-]{1,70}$/i.test(mediaType);
  return isData && isMedia && typeof data === 'string';
}

function isUpdate(value: unknown): value is Update {
  const { n, json } = asFields(value);
  return typeof n === 'number' && typeof json === 'string';
}

function isLogLine(value: unknown): value is LogLine {
  const { level, message } = asFields(value);
  return typeof level === 'string' && typeof message === 'string';
}
