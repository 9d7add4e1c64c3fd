/**
 * Decides whether a piece of a call in a chat-completions stream continues a known call, or begins another one. The API
 * has an index for this, but some servers give several calls one index, give one call several indexes, or omit it.
 *
 * In the examples of this file, a piece is written as index, id, name and arguments, with `-` for what it lacks.
 */

import { asObject, parseJson } from '../../../runtime/spec/guards.ts';
import type { JsonObject, JsonText } from '../../../runtime/spec/json.ts';
import { isSameJson, readArguments } from '../../../runtime/spec/read-arguments.ts';
import type { ArgumentPieces } from './argument-pieces.ts';

/** A piece of a call. Missing texts are empty. */
export interface CallPiece {
  readonly index: number | null;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** The part of a call that has arrived so far. */
export interface KnownCall {
  /** The server's id; empty if it sent none. Several calls may have the same one. */
  givenId: string;
  /** The name as it has arrived so far, which may be only its beginning. */
  givenName: string;
  /** Holds text back if a piece may only repeat what has arrived, until other pieces or the end show it. */
  readonly arguments: ArgumentPieces;
  /** Number of pieces that have arrived. */
  pieces: number;
  /** Data such as signatures, in the server's format. */
  data: JsonObject;
  /** A unique id for the SDK: the server's, unless an earlier call has it. */
  sdkId: string;
  /** A unique index for the SDK. */
  readonly sdkIndex: number;
  /** The whole name, as passed on to the SDK; empty before that. The SDK gets no piece of a call without a name. */
  sdkName: string;
  /** The call that had the server's index before. */
  readonly before: KnownCall | undefined;
}

interface KnownCalls {
  readonly calls: readonly KnownCall[];
  /** The latest call for each of the server's indexes. */
  readonly latest: ReadonlyMap<number, KnownCall>;
  /** The names of the tools, which tell whether a name is complete. */
  readonly names: readonly string[];
}

/**
 * Returns the call that a piece continues; undefined if the piece begins another one. The first of these cases decides:
 *
 * 1. A call has the piece's id, and the piece brings no name that the call has already. The index does not matter:
 *    `0 a f {"x":`, `1 b f {"y":2}`, then `1 a - 1}` continues `a`.
 * 2. The latest call with the piece's index goes on: `0 a f {"x":`, then `0 - - 1}`. See {@link isOther}.
 * 3. A call has the piece's id and name, but another index or none. Each piece may have the next index:
 *    `0 a f {"x":`, then `1 a f 1}` continues `a`. Arguments from their beginning are another call, which may have
 *    an id that was used before: `0 a f {"x":1}`, then `1 a f {"x":2}`. If the two calls are equal, `calls-once.ts` drops the second.
 * 4. The piece has arguments alone, without an index: `- a f {"x":`, then `- - - 1}` continues the last call.
 */
export function findContinued(piece: CallPiece, known: KnownCalls): KnownCall | undefined {
  const { index, id, name } = piece;
  const { calls, latest, names } = known;
  const withId = id === '' ? undefined : calls.findLast(({ givenId }) => givenId === id);
  if (withId !== undefined && (name === '' || withId.givenName === '')) return withId;
  const atIndex = index === null ? undefined : latest.get(index);
  if (atIndex !== undefined && (continuesName(name, atIndex, names) || !isOther(piece, atIndex)))
    return atIndex;
  if (withId !== undefined)
    return continuesName(name, withId, names) || repeatsName(piece, withId) ? withId : undefined;
  const hasArgumentsAlone = index === null && id === '' && name === '';
  return hasArgumentsAlone ? calls.at(-1) : undefined;
}

/** Returns whether a name is only the beginning of a tool's name. Some servers send names in pieces. */
export function isCutName(name: string, names: readonly string[]): boolean {
  return name !== '' && !names.includes(name) && names.some((one) => one.startsWith(name));
}

/** Returns whether a piece continues the name of a call: `0 a get_ -`, then `0 a time -` for the tool `get_time`. */
export function continuesName(
  piece: string,
  { sdkName, givenName }: KnownCall,
  names: readonly string[],
): boolean {
  if (piece === '' || sdkName !== '' || !isCutName(givenName, names)) return false;
  return names.some((one) => one.startsWith(givenName + piece));
}

/**
 * Returns whether a call may be no more than the repeated name of the one before: `0 - f {"x":1}`, then `0 - f -` at the
 * end of the answer.
 */
export function isDoubtful({ givenId, givenName, before, arguments: pieces }: KnownCall): boolean {
  return givenId === '' && givenName === before?.sdkName && pieces.text === '';
}

/** Returns whether a piece begins another call than `latest`, the latest one with its index. */
function isOther(piece: CallPiece, latest: KnownCall): boolean {
  if (piece.name === '') return false;
  if (piece.id === '' || latest.givenId === '') return isOtherWithoutId(piece, latest);
  const text = latest.arguments.text;
  // Some servers send id and name with each piece: `0 a f {"x":`, then `0 a f 1}`. Others give two calls the same id,
  // each with all of its arguments at once: `0 a f {"x":1}`, then `0 a f {"x":2}`.
  if (piece.id === latest.givenId)
    return isComplete(text) && isComplete(readArguments(piece.arguments)?.text ?? '');
  // Some servers send a different id with each piece of a call: `0 a f {"x":`, then `0 b f 1}`.
  if (piece.name !== latest.sdkName || isComplete(text)) return true;
  // Two calls of a tool without parameters: `0 a f {}`, then `0 b f {}`.
  return isEmpty(text) && isEmpty(piece.arguments);
}

/** Returns the same for a piece with a name, if the piece, the latest call or both have no id. */
function isOtherWithoutId(piece: CallPiece, latest: KnownCall): boolean {
  // The arguments came first: `0 a - {"x":1}`, then `0 - f -`.
  if (latest.givenName === '') return false;
  // This name is compared as it has arrived, because a name that may be cut is not passed on yet.
  if (piece.name !== latest.givenName) return true;
  const before = wholeIn(latest.arguments.text);
  // The name is in each piece: `0 - f {"x":`, then `0 - f 1}`.
  if (before === null) return false;
  const whole = wholeIn(piece.arguments);
  const isRepetition = whole !== null && isSameJson(before, whole);
  // A server that gave this call an id would begin the next one with an id. Only other arguments show another call:
  // after `0 a f {"x":1}`, this is `0 - f {"x":2}`, but not `0 - f {"x":1}` or `0 - f -`.
  if (latest.givenId !== '') return whole !== null && !isRepetition;
  // A server that sends calls whole may send equal ones: `0 - f {"x":1}` twice is two calls.
  if (latest.pieces === 1) return true;
  // A server that sent this call in pieces would send the next one in pieces, too: after `0 - f {"x":` and `0 - - 1}`, `0 - f {"x":1}` repeats
  // it, and `0 - f -` begins another one.
  return !isRepetition;
}

/** Returns whether a piece only repeats the name of a call beside more of its arguments. */
function repeatsName(piece: CallPiece, call: KnownCall): boolean {
  // Arguments begin with a brace, or with a quote if they are a text.
  const beginsArguments = piece.arguments === '' || /^\s*["{]/.test(piece.arguments);
  return piece.name === call.sdkName && !beginsArguments && !isComplete(call.arguments.text);
}

/** Returns the object that whole arguments mean, which may be empty; null if something is missing. */
function wholeIn(text: string): JsonText | null {
  // Reading all of them with each piece would take long. Whole arguments end as an object, as a text that contains one,
  // or with the last letter of `null`.
  return /[}"l]/.test(text.trimEnd().slice(-1)) ? (readArguments(text)?.text ?? null) : null;
}

/** Returns whether arguments are a JSON object with members. After an empty one, some servers send the real arguments. */
function isComplete(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false;
  return Object.keys(asObject(parseJson(text))).length > 0;
}

/** Returns whether arguments are an object without members. */
function isEmpty(text: string): boolean {
  return text.length < 100 && /^\s*\{\s*\}\s*$/.test(text);
}
