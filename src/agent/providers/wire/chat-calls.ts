/**
 * Assigns the pieces of calls in a chat-completions stream to their calls. Some servers give several calls the same
 * index, give one call several indexes, or repeat a whole call at the end.
 */

import { asObject, isObject, parsedJson } from '../../../runtime/spec/guards.ts';
import { asText } from '../../../runtime/spec/lenient.ts';
import type { Json, JsonObject, JsonText } from '../../../runtime/spec/json.ts';
import { ofAnswer, type ModelPart, type ModelRequest } from '../../../runtime/spec/model.ts';
import { isSameJson, readArguments } from '../../../runtime/spec/read-arguments.ts';
import { ArgumentPieces } from './argument-pieces.ts';
import type { ExactNumbers } from './exact-numbers.ts';

/** A piece of a call. Missing members are empty. */
interface CallPiece {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** The part of a call that has arrived so far. */
interface KnownCall {
  /** The server's id; empty if it sent none. */
  givenId: string;
  /** The name, empty until it arrives. The SDK gets no piece of the call before that. */
  name: string;
  readonly arguments: ArgumentPieces;
  /** A unique id for the SDK. */
  id: string;
  readonly index: number;
  /** The call that had the server's index before. */
  readonly before: KnownCall | undefined;
  pieces: number;
  /** The server's name; the SDK may not have it yet. */
  givenName: string;
  /** Data such as signatures, in the server's format. */
  data: JsonObject;
}

export class ChatCalls {
  readonly #names: readonly string[];
  readonly #calls: KnownCall[] = [];
  /** The latest call for each of the server's indexes. */
  readonly #latest = new Map<number, KnownCall>();
  #answerData: JsonObject = {};

  /** @param names the names of the tools, which tell whether a name is complete */
  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** Returns a piece of a call for the SDK; null if there is nothing for it yet. */
  read(piece: JsonObject, exact: ExactNumbers): JsonObject | null {
    const { extra_content } = piece;
    const index = typeof piece.index === 'string' ? Number(piece.index) : piece.index;
    const called = asObject(piece.function);
    const args = isObject(called.arguments)
      ? exact.restore(JSON.stringify(called.arguments))
      : asText(called.arguments);
    const id = typeof piece.id === 'number' ? String(piece.id) : asText(piece.id);
    const read = { id, name: asText(called.name), arguments: args };
    const call = this.#callOf(typeof index === 'number' ? index : null, read);
    const isNamed = call.name !== '';
    call.data = mergeData(call.data, extra_content);
    const added = call.arguments.add(args);
    call.pieces += 1;
    if (isNamed) {
      const isPlain =
        id === '' &&
        read.name === '' &&
        piece.index === call.index &&
        (piece.type === undefined || piece.type === 'function');
      if (isPlain && extra_content === undefined && called.arguments === added) return piece;
      if (added === '' && args !== '') return null;
      return { index: call.index, function: { arguments: added } };
    }
    if (call.givenId === '') this.#identify(call, id);
    if (call.givenName === '' || this.#continuesName(read.name, call)) call.givenName += read.name;
    if (call.givenName === '' || isDoubtful(call) || this.#isCutName(call.givenName)) return null;
    call.name = call.givenName;
    return firstPiece(call);
  }

  /**
   * Pieces of calls that were held back, and of calls that never got a name. The SDK reports an answer with the latter
   * as invalid.
   */
  get rest(): readonly JsonObject[] {
    return this.#calls.flatMap((call) => {
      const { index, id, name, givenName, arguments: pieces } = call;
      if (name === '' && this.#isCutName(givenName)) {
        const text = pieces.passed + pieces.end();
        return [{ index, id, type: 'function', function: { name: givenName, arguments: text } }];
      }
      const text = name === '' ? pieces.text : pieces.end();
      if (text === '') return [];
      return [{ index, ...(name === '' ? { id } : {}), function: { arguments: text } }];
    });
  }

  /** Adds data that belongs to the whole answer. */
  addAnswerData(data: Json | undefined): void {
    this.#answerData = mergeData(this.#answerData, data);
  }

  /** Adds the collected data to the parts of the answer, and restores the server's ids of calls. */
  async *parts(parts: AsyncIterable<ModelPart>): AsyncGenerator<ModelPart> {
    for await (const part of parts) {
      if (part.type === 'ended' && Object.keys(this.#answerData).length > 0)
        yield {
          type: 'part-ended',
          id: 'answer data',
          data: { [ofAnswer]: { openaiCompatible: { extra_content: this.#answerData } } },
        };
      const known = part.type.startsWith('call') ? this.#withId(part) : undefined;
      const isSecond = known !== undefined && known.givenId !== '' && known.givenId !== known.id;
      if (part.type === 'call' && known !== undefined) {
        const { data = {} } = part;
        const merged = Object.keys(known.data).length === 0 ? data : withData(data, known.data);
        const id = isSecond ? known.givenId : part.id;
        yield { ...part, id, ...(Object.keys(merged).length === 0 ? {} : { data: merged }) };
      } else if (part.type !== 'call-delta' || !isSecond) yield part;
    }
  }

  #withId(part: ModelPart): KnownCall | undefined {
    return 'id' in part ? this.#calls.find(({ id }) => id === part.id) : undefined;
  }

  /** Finds the call that a piece belongs to, or creates one. */
  #callOf(index: number | null, piece: CallPiece): KnownCall {
    const call = this.#findContinued(index, piece) ?? this.#begin(index);
    if (index !== null) this.#latest.set(index, call);
    return call;
  }

  /** Finds the call that a piece continues; undefined if the piece begins another one. */
  #findContinued(index: number | null, piece: CallPiece): KnownCall | undefined {
    const withId =
      piece.id === '' ? undefined : this.#calls.findLast(({ givenId }) => givenId === piece.id);
    if (withId !== undefined && (piece.name === '' || withId.givenName === '')) return withId;
    const atIndex = index === null ? undefined : this.#latest.get(index);
    const continuesAtIndex =
      atIndex !== undefined &&
      (this.#continuesName(piece.name, atIndex) || !isOther(piece, atIndex));
    if (continuesAtIndex) return atIndex;
    if (withId !== undefined) {
      // The server has given the call another index, or none.
      if (this.#continuesName(piece.name, withId) || repeatsName(piece, withId)) return withId;
      return undefined;
    }
    const isUnmarked = index === null && piece.id === '' && piece.name === '';
    return isUnmarked ? this.#calls.at(-1) : undefined;
  }

  /** Whether a name is only the beginning of a tool's name. Some servers send names in pieces. */
  #isCutName(name: string): boolean {
    return (
      name !== '' && !this.#names.includes(name) && this.#names.some((one) => one.startsWith(name))
    );
  }

  /** Whether a piece continues the name of a call if only the beginning of this name has arrived. */
  #continuesName(piece: string, { name, givenName }: KnownCall): boolean {
    if (piece === '' || name !== '' || !this.#isCutName(givenName)) return false;
    return this.#names.some((one) => one.startsWith(givenName + piece));
  }

  #begin(index: number | null): KnownCall {
    const isUsed = this.#calls.some((call) => call.index === index);
    const next = Math.max(-1, ...this.#calls.map((call) => call.index)) + 1;
    const call = {
      givenId: '',
      id: crypto.randomUUID(),
      name: '',
      arguments: new ArgumentPieces(),
      data: {},
      before: index === null ? undefined : this.#latest.get(index),
      pieces: 0,
      givenName: '',
      index: index === null || isUsed ? next : index,
    };
    this.#calls.push(call);
    return call;
  }

  #identify(call: KnownCall, id: string): void {
    call.givenId = id;
    if (id !== '' && this.#calls.every((other) => other.id !== id)) call.id = id;
  }
}

/**
 * Returns a function that adds the data of earlier calls to a request, because the SDK omits it; undefined if there is
 * none.
 */
export function callDataEdit({
  messages,
}: Pick<ModelRequest, 'messages'>): ((body: JsonObject) => JsonObject) | undefined {
  const data = new Map<Json | undefined, Json>();
  for (const message of messages)
    for (const part of message.role === 'assistant' ? message.parts : []) {
      const callData = part.type === 'call' ? asObject(part.opaque?.data.openaiCompatible) : {};
      if (part.type === 'call' && callData.extra_content !== undefined)
        data.set(part.askedId, callData.extra_content);
    }
  if (data.size === 0) return undefined;
  const withData = (call: Json): Json => {
    const extra_content = isObject(call) ? data.get(call.id) : undefined;
    return isObject(call) && extra_content !== undefined ? { ...call, extra_content } : call;
  };
  return (body) => ({
    ...body,
    messages: (Array.isArray(body.messages) ? body.messages : []).map((message) =>
      isObject(message) && Array.isArray(message.tool_calls)
        ? { ...message, tool_calls: message.tool_calls.map(withData) }
        : message,
    ),
  });
}

/** The first piece of a call for the SDK, with all that has arrived and is not held back. */
function firstPiece({ index, id, name, arguments: pieces }: KnownCall): JsonObject {
  return { index, id, type: 'function', function: { name, arguments: pieces.passed } };
}

/** Returns whether a piece begins another call than the latest one with its index. */
function isOther(piece: CallPiece, latest: KnownCall): boolean {
  if (piece.name === '') return false;
  if (piece.id === '' || latest.givenId === '') return isOtherWithoutId(piece, latest);
  // Some servers give two calls the same id, each with all of its arguments at once.
  if (piece.id === latest.givenId)
    return (
      isComplete(latest.arguments.text) && isComplete(readArguments(piece.arguments)?.text ?? '')
    );
  // Some servers send a different id with each piece of a call.
  if (piece.name !== latest.name || isComplete(latest.arguments.text)) return true;
  // Two calls of a tool without parameters.
  return isEmpty(latest.arguments.text) && isEmpty(piece.arguments);
}

/** Returns whether a piece with a name belongs to another call than the latest one, if one of the two has no id. */
function isOtherWithoutId(piece: CallPiece, latest: KnownCall): boolean {
  // The name may be known, but not yet passed on, as more of it could follow.
  if (latest.givenName === '') return false;
  if (piece.name !== latest.givenName) return true;
  const one = wholeIn(latest.arguments.text);
  const other = wholeIn(piece.arguments);
  if (one === null) return false;
  const isSame = other !== null && isSameJson(one, other);
  // A server that gives ids, or sends calls in pieces, does so for the next call too: this repeats the whole one.
  if (latest.givenId !== '') return other !== null && !isSame;
  return latest.pieces === 1 || !isSame;
}

/** Returns whether a call may be no more than the repeated name of the one before, which is known with its arguments. */
function isDoubtful({ givenId, givenName, before, arguments: pieces }: KnownCall): boolean {
  return givenId === '' && givenName === before?.name && pieces.text === '';
}

/** The object that whole arguments mean, which may be empty; null if something is missing. */
function wholeIn(text: string): JsonText | null {
  // Reading all of them with each piece would take long.
  return /[}"l]/.test(text.trimEnd().slice(-1)) ? (readArguments(text)?.text ?? null) : null;
}

/** Returns whether a piece only repeats the name of a call beside more of its arguments. */
function repeatsName(piece: CallPiece, call: KnownCall): boolean {
  // Arguments begin with a brace, or with a quote if they are a text.
  const beginsArguments = piece.arguments === '' || /^\s*["{]/.test(piece.arguments);
  return piece.name === call.name && !beginsArguments && !isComplete(call.arguments.text);
}

/** Returns whether arguments are a complete JSON object with members. */
function isComplete(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false;
  return Object.keys(asObject(parsedJson(text))).length > 0;
}

/** Returns whether arguments are an object without members. */
function isEmpty(text: string): boolean {
  return text.length < 100 && /^\s*\{\s*\}\s*$/.test(text);
}

/** Merges the data with that of another piece, by the name of the service. */
function mergeData(data: JsonObject, more: Json | undefined): JsonObject {
  if (!isObject(more)) return data;
  const members = Object.entries(more).map(([key, value]): [string, Json] => {
    const before = Object.hasOwn(data, key) ? data[key] : undefined;
    return [key, isObject(before) && isObject(value) ? { ...before, ...value } : value];
  });
  return { ...data, ...Object.fromEntries(members) };
}

function withData(data: JsonObject, extra_content: JsonObject): JsonObject {
  return { ...data, openaiCompatible: { ...asObject(data.openaiCompatible), extra_content } };
}
