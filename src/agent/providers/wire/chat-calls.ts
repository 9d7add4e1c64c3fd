/**
 * Reads the pieces of calls in a chat-completions stream: gives the SDK pieces with unique ids and indexes, and later
 * restores the servers' ids, and data that the SDK drops. `continued-call.ts` tells which call a piece belongs to.
 */

import { asObject, isObject } from '../../../runtime/spec/guards.ts';
import { asText } from '../../../runtime/spec/lenient.ts';
import type { Json, JsonObject } from '../../../runtime/spec/json.ts';
import { ofAnswer, type ModelPart, type ModelRequest } from '../../../runtime/spec/model.ts';
import { ArgumentPieces } from './argument-pieces.ts';
import {
  continuesName,
  findContinued,
  isCutName,
  isDoubtful,
  type CallPiece,
  type KnownCall,
} from './continued-call.ts';
import type { ExactNumbers } from './exact-numbers.ts';

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
  read(given: JsonObject, exact: ExactNumbers): JsonObject | null {
    const piece = readPiece(given, exact);
    const call = this.#callOf(piece);
    call.data = mergeData(call.data, given.extra_content);
    const added = call.arguments.add(piece.arguments);
    call.pieces += 1;
    if (call.sdkName !== '') {
      if (isPlain(given, piece, call) && asObject(given.function).arguments === added) return given;
      // The piece was held back.
      if (added === '' && piece.arguments !== '') return null;
      return { index: call.sdkIndex, function: { arguments: added } };
    }
    if (call.givenId === '') this.#identify(call, piece.id);
    if (call.givenName === '' || continuesName(piece.name, call, this.#names))
      call.givenName += piece.name;
    const { givenName } = call;
    if (givenName === '' || isDoubtful(call) || isCutName(givenName, this.#names)) return null;
    call.sdkName = givenName;
    return firstPiece(call, givenName, call.arguments.passed);
  }

  /**
   * Pieces of calls that were held back, and of calls that never got a name. The SDK reports an answer with the latter
   * as invalid.
   */
  get rest(): readonly JsonObject[] {
    return this.#calls.flatMap((call) => {
      const { sdkIndex: index, sdkId: id, sdkName, givenName, arguments: pieces } = call;
      if (sdkName === '' && isCutName(givenName, this.#names))
        return [firstPiece(call, givenName, pieces.passed + pieces.end())];
      const text = sdkName === '' ? pieces.text : pieces.end();
      if (text === '') return [];
      return [{ index, ...(sdkName === '' ? { id } : {}), function: { arguments: text } }];
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
      const known = part.type.startsWith('call') ? this.#withSdkId(part) : undefined;
      const hasUsedId =
        known !== undefined && known.givenId !== '' && known.givenId !== known.sdkId;
      if (part.type === 'call' && known !== undefined) {
        const { data = {} } = part;
        const merged = Object.keys(known.data).length === 0 ? data : withData(data, known.data);
        const id = hasUsedId ? known.givenId : part.id;
        yield { ...part, id, ...(Object.keys(merged).length === 0 ? {} : { data: merged }) };
        continue;
      }
      // Under the server's id, these deltas would be shown as part of the earlier call that has this id.
      if (part.type === 'call-delta' && hasUsedId) continue;
      yield part;
    }
  }

  #withSdkId(part: ModelPart): KnownCall | undefined {
    return 'id' in part ? this.#calls.find(({ sdkId }) => sdkId === part.id) : undefined;
  }

  /** Finds the call that a piece belongs to, or creates one. */
  #callOf(piece: CallPiece): KnownCall {
    const known = { calls: this.#calls, latest: this.#latest, names: this.#names };
    const call = findContinued(piece, known) ?? this.#begin(piece.index);
    if (piece.index !== null) this.#latest.set(piece.index, call);
    return call;
  }

  #begin(index: number | null): KnownCall {
    const isUsed = this.#calls.some((call) => call.sdkIndex === index);
    const next = Math.max(-1, ...this.#calls.map((call) => call.sdkIndex)) + 1;
    const call: KnownCall = {
      givenId: '',
      givenName: '',
      arguments: new ArgumentPieces(),
      pieces: 0,
      data: {},
      sdkId: crypto.randomUUID(),
      sdkIndex: index === null || isUsed ? next : index,
      sdkName: '',
      before: index === null ? undefined : this.#latest.get(index),
    };
    this.#calls.push(call);
    return call;
  }

  #identify(call: KnownCall, id: string): void {
    call.givenId = id;
    if (id !== '' && this.#calls.every((other) => other.sdkId !== id)) call.sdkId = id;
  }
}

/**
 * Returns a function that adds the data of earlier calls to a request, because the SDK omits it; undefined if there is
 * none.
 */
export function callDataEdit({
  messages,
}: Pick<ModelRequest, 'messages'>): ((body: JsonObject) => JsonObject) | undefined {
  /** Data by the id that the server gave the call, which is the one in the request. */
  const dataById = new Map<Json | undefined, Json>();
  for (const message of messages)
    for (const part of message.role === 'assistant' ? message.parts : []) {
      const callData = part.type === 'call' ? asObject(part.opaque?.data.openaiCompatible) : {};
      if (part.type === 'call' && callData.extra_content !== undefined)
        dataById.set(part.askedId, callData.extra_content);
    }
  if (dataById.size === 0) return undefined;
  const editCall = (call: Json): Json => {
    const extra_content = isObject(call) ? dataById.get(call.id) : undefined;
    return isObject(call) && extra_content !== undefined ? { ...call, extra_content } : call;
  };
  return (body) => ({
    ...body,
    messages: (Array.isArray(body.messages) ? body.messages : []).map((message) =>
      isObject(message) && Array.isArray(message.tool_calls)
        ? { ...message, tool_calls: message.tool_calls.map(editCall) }
        : message,
    ),
  });
}

/** Reads a piece in which members may be missing, or have another type than in OpenAI's API. */
function readPiece(given: JsonObject, exact: ExactNumbers): CallPiece {
  const called = asObject(given.function);
  const index = typeof given.index === 'string' ? Number(given.index) : given.index;
  return {
    index: typeof index === 'number' ? index : null,
    id: typeof given.id === 'number' ? String(given.id) : asText(given.id),
    name: asText(called.name),
    arguments: isObject(called.arguments)
      ? exact.restore(JSON.stringify(called.arguments))
      : asText(called.arguments),
  };
}

/** Returns whether a piece of a named call has only what the SDK expects, apart from its arguments. */
function isPlain(given: JsonObject, { id, name }: CallPiece, call: KnownCall): boolean {
  const { index, type, extra_content } = given;
  const isUsualType = type === undefined || type === 'function';
  const hasExpectedIndex = index === call.sdkIndex;
  return id === '' && name === '' && hasExpectedIndex && isUsualType && extra_content === undefined;
}

/** The first piece of a call for the SDK, with all arguments that have arrived and are not held back. */
function firstPiece({ sdkIndex, sdkId }: KnownCall, name: string, args: string): JsonObject {
  return { index: sdkIndex, id: sdkId, type: 'function', function: { name, arguments: args } };
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
