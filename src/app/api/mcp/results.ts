/** Writes the result of a call as MCP has it, in pieces, with its numbers as Python wrote them. */

import type { ContentPart, ToolResult } from '../../../runtime/spec/result.ts';
import { jsonString, strictJson } from '../http-form.ts';

export interface ResultShape {
  /** Whether the tool has a schema of its result that the client knows. */
  readonly isStructured: boolean;
  /** Whether a structured result may be another value than an object, as of 2026-07-28. */
  readonly anyValue: boolean;
  /** Members that the revision adds to each result, as JSON; may be empty. */
  readonly added: string;
}

/** Yields the value of `result`. */
export function* callResultPieces(
  result: ToolResult,
  { isStructured, anyValue, added }: ResultShape,
): Generator<string> {
  const isError = result.resultType === 'failure' || result.isError;
  const isWanted = isStructured && !isError;
  const structured = isWanted ? yield* structuredText(result, anyValue) : null;
  if (isWanted && structured === null) {
    yield* errorPieces(
      `The tool's result is not ${anyValue ? 'one JSON value' : 'an object'}, as its "returns" declares. Correct the tool or its "returns".`,
      added,
    );
    return;
  }
  yield `{${added}"content":[`;
  if (result.content.length === 0) yield* textPieces(result.textResultForLlm);
  for (const [at, part] of result.content.entries()) {
    if (at > 0) yield ',';
    yield* partPieces(part, at);
  }
  yield ']';
  if (structured !== null) {
    yield ',"structuredContent":';
    yield structured;
  }
  yield `,"isError":${isError}}`;
}

/** Yields a result that says that the call has failed. */
function* errorPieces(text: string, added: string): Generator<string> {
  yield `{${added}"content":[`;
  yield* textPieces(text);
  yield '],"isError":true}';
}

function* structuredText(
  { content }: ToolResult,
  anyValue: boolean,
): Generator<string, string | null> {
  const [part] = content;
  if (content.length !== 1 || part === undefined) return null;
  if (part.type === 'text') return anyValue ? JSON.stringify(part.text) : null;
  if (part.type !== 'json') return null;
  const strict = yield* strictJson(part.text);
  return anyValue || strict?.startsWith('{') === true ? strict : null;
}

function* partPieces(part: ContentPart, at: number): Generator<string> {
  switch (part.type) {
    case 'text':
    case 'json':
      yield* textPieces(part.text);
      return;
    case 'image':
    case 'binary': {
      const { mediaType, data } = part;
      const mimeType = JSON.stringify(mediaType);
      const [, type] = /^(image|audio)\//.exec(mediaType) ?? [];
      if (type === undefined) {
        const uri = `cloche:result/${at}`;
        yield `{"type":"resource","resource":{"uri":"${uri}","mimeType":${mimeType},"blob":`;
        yield* jsonString(data);
        yield '}}';
      } else {
        yield `{"type":"${type}","mimeType":${mimeType},"data":`;
        yield* jsonString(data);
        yield '}';
      }
    }
  }
}

function* textPieces(text: string): Generator<string> {
  yield '{"type":"text","text":';
  yield* jsonString(text);
  yield '}';
}
