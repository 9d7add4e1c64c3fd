/**
 * The forms of requests and answers: which media types are accepted, the headers and the body of an answer, and the JSON
 * of a result. A body is written in pieces, so that a long text neither blocks the page nor becomes one string.
 */

import { problemResponse } from '../../runtime/protocol/problem-document.ts';
import { scanObject } from '../../runtime/spec/json-reader.ts';
import { replaceTokens } from '../../runtime/spec/json-tokens.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type { ContentPart, ToolResult } from '../../runtime/spec/result.ts';
import type { ApiRequest } from './api-deps.ts';
import { createPacer } from '../../runtime/async/pace.ts';

const chunkChars = 65_536;
const sliceChars = 65_536;

export type ResultForm = 'json' | 'events';

const mediaTypes: Readonly<Record<ResultForm, string>> = {
  json: 'application/json',
  events: 'text/event-stream',
};

/** The headers of an answer. Browsers must not store it, nor guess its type, since it may contain foreign text. */
export function answerHeaders(form: ResultForm): Record<string, string> {
  return {
    'Content-Type': mediaTypes[form],
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  };
}

/**
 * Returns `undefined` if the body is declared as JSON, and a 415 problem otherwise. A page of another origin can post
 * forms to the service worker, but no form media type is JSON: this is one of two checks against that.
 */
export function refuseUnlessJsonBody(request: ApiRequest): Response | undefined {
  const declared = request.headers.get('Content-Type') ?? '';
  // @mutant form bodies are refused => /^\s*application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(declared)
  //   -> declared.length >= 0 [src/app/api/invoke-refusals.test.ts]
  if (/^\s*application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(declared))
    return undefined;
  return problemResponse({
    status: 415,
    code: 'not-json',
    detail:
      declared === '' ? 'The request has no Content-Type.' : `The Content-Type is ${declared}.`,
    hint: 'Send the body as Content-Type: application/json.',
  });
}

/**
 * Returns the form that the caller prefers: JSON without an `Accept` header; of two equal preferences, the one named
 * first.
 */
export function negotiateForm(request: ApiRequest): ResultForm | Response {
  const accept = request.headers.get('Accept');
  if (accept === null || accept.trim() === '') return 'json';
  const ranges = accept.split(',').map(readRange);
  const json = findPreference(ranges, mediaTypes.json);
  const events = findPreference(ranges, mediaTypes.events);
  if (json.quality === 0 && events.quality === 0) return notAcceptable(accept);
  if (events.quality !== json.quality) return events.quality > json.quality ? 'events' : 'json';
  if (events.exact !== json.exact) return events.exact ? 'events' : 'json';
  return events.exact && events.place < json.place ? 'events' : 'json';
}

interface Range {
  readonly type: string;
  /** Preference from 0 (refused) to 1. */
  readonly quality: number;
}

function readRange(range: string): Range {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters
    .map((part) => /^q\s*=\s*([01](?:\.\d*)?)$/.exec(part)?.[1])
    .find(Boolean);
  return { type, quality: weight === undefined ? 1 : Math.min(1, Number(weight)) };
}

/** Applies the most specific range that matches the media type. */
function findPreference(
  ranges: readonly Range[],
  mediaType: string,
): { quality: number; exact: boolean; place: number } {
  const family = mediaType.replace(/\/.*/, '/*');
  for (const wanted of [mediaType, family, '*/*']) {
    const place = ranges.findIndex(({ type }) => type === wanted);
    const range = ranges[place];
    if (range) return { quality: range.quality, exact: wanted === mediaType, place };
  }
  return { quality: 0, exact: false, place: -1 };
}

function notAcceptable(accept: string): Response {
  return problemResponse({
    status: 406,
    code: 'not-acceptable',
    detail: `The result is available as application/json or text/event-stream, but the request accepts only ${accept}.`,
    hint: 'Add one of them to the Accept header, or omit the header.',
  });
}

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
export function writeRunningText(callId: string): string {
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

// Keeps Python's own text, so that numbers stay exact. The text comes from the sandbox: anything
// but a JSON object is replaced.
function* objectPieces(metadata: JsonText): Generator<string> {
  const strict = yield* strictJson(metadata);
  yield strict?.startsWith('{') === true ? strict : '{}';
}

/** Checks text of the sandbox in small steps. Returns it as JSON, or null if it is none. */
export function* strictJson(text: JsonText): Generator<string, JsonText | null> {
  const checking = scanObject(`{"value":${withoutNaN(text)}}`);
  try {
    for (;;) {
      const { done, value } = checking.next();
      if (done === true) return value.get('value') ?? null;
      yield '';
    }
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return null;
    throw thrown;
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

/** A part of a body, in small pieces. Each part is sent as soon as it is available. */
export type Part = Iterable<string>;

/**
 * Encodes the parts as UTF-8. An error in `parts` becomes an error of the stream.
 *
 * @param onCancel called when the reader disconnects before the end
 */
export function createPacedBody(
  parts: Iterable<Part> | AsyncIterable<Part>,
  onCancel: () => void = () => {},
): ReadableStream<Uint8Array> {
  const chunks = encode(parts);
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel() {
      onCancel();
    },
  });
}

async function* encode(parts: Iterable<Part> | AsyncIterable<Part>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const part of parts) {
    // The pacer is created only when there is something to write, so that time spent waiting does
    // not count as work.
    const pacer = createPacer();
    let text = '';
    for (const piece of part) {
      text += piece;
      if (text.length >= chunkChars) {
        yield encoder.encode(text);
        text = '';
      }
      if (pacer.mustRest()) await pacer.rest();
    }
    if (text !== '') yield encoder.encode(text);
  }
}

/** Yields a string as JSON, in pieces. */
export function* jsonString(text: string): Generator<string> {
  yield '"';
  let at = 0;
  while (at < text.length) {
    let end = Math.min(text.length, at + sliceChars);
    // A surrogate pair must not be split: JSON.stringify would escape its halves.
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end += 1;
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
  }
  yield '"';
}
