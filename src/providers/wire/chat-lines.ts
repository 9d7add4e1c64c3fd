/**
 * Corrects lines of chat-completions streams from OpenAI-compatible servers, older ones above all, so that the SDKs
 * accept them. Well-formed lines stay unchanged.
 */

import { isObject, parsedJson } from '../../spec/guards.ts';
import type { Json, JsonObject } from '../../spec/json.ts';
import { ExactNumbers } from './exact-numbers.ts';

/** Finish reasons of other servers, with OpenAI's names for them; null for none. */
const finishes: Readonly<Record<string, string | null>> = {
  '': null,
  eos: 'stop',
  eos_token: 'stop',
  stop_sequence: 'stop',
  end_turn: 'stop',
  complete: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_calls',
};

/** Returns a function that corrects the lines of one answer. */
export function chatLines(): (line: string) => string {
  const exact = new ExactNumbers('arguments');
  const reading: Reading = { exact, indexes: new CallIndexes(), hasPieces: false };
  let isFinished = false;
  return (line) => {
    const field = /^(data|error):/.exec(line)?.[1];
    if (field === undefined) return line;
    const text = line.slice(field.length + 1).trim();
    if (text === '[DONE]' && !isFinished) return `data: ${JSON.stringify(ending)}\n\n${line}`;
    const chunk = parsed(/"arguments"\s*:\s*\{/.test(text) ? exact.mark(text) : text);
    if (chunk === undefined) return line;
    // Older llama.cpp servers reported errors this way.
    const reported = field === 'error' && chunk.error === undefined ? { error: chunk } : chunk;
    const fixed = fixChunk(reported, reading);
    isFinished ||= list(fixed.choices).some(
      (choice) => isObject(choice) && typeof choice.finish_reason === 'string',
    );
    return fixed === chunk && field === 'data' ? line : `data: ${JSON.stringify(fixed)}`;
  };
}

/** Sent for an answer that ends without a finish reason. */
const ending = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

/**
 * Turns an answer that a server sent as a whole, although a stream was requested, into a stream. Null if it is not such
 * an answer.
 */
export function asStream(body: string): string | null {
  const answer = parsed(body);
  if (answer === undefined || !list(answer.choices).some(hasMessage)) return null;
  // Not written from the parsed values, which would round large integers. No string of JSON contains a line end.
  return `data: ${body.replace(/[\r\n]+/g, ' ')}\n\ndata: [DONE]\n\n`;
}

function hasMessage(choice: Json): boolean {
  return isObject(choice) && isObject(choice.message);
}

/** What is known of an answer while its lines are read. */
interface Reading {
  readonly exact: ExactNumbers;
  readonly indexes: CallIndexes;
  /** A whole message after pieces of it would repeat them. */
  hasPieces: boolean;
}

/** What one piece of a call contains; empty for what is missing. */
interface CallPiece {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Gives each call of an answer its own index, because some servers send index 0 with every call. */
class CallIndexes {
  /** For each of the server's indexes, the last call that was sent with it, and its arguments so far. */
  readonly #latest = new Map<
    number,
    { id: string; name: string; arguments: string; index: number }
  >();
  readonly #used = new Set<number>();

  /** @returns the index and the id of the call to which the piece belongs */
  of(index: number, piece: CallPiece): { readonly index: number; readonly id: string } {
    const latest = this.#latest.get(index);
    if (latest !== undefined && !isOther(piece, latest)) {
      latest.arguments += piece.arguments;
      return latest;
    }
    const own = this.#used.has(index) ? Math.max(...this.#used) + 1 : index;
    this.#used.add(own);
    const begun = { ...piece, index: own };
    this.#latest.set(index, begun);
    return begun;
  }
}

/** Whether a piece belongs to another call than the latest one with its index. */
function isOther(piece: CallPiece, latest: CallPiece): boolean {
  if (piece.id === '' || piece.name === '' || latest.id === '' || piece.id === latest.id)
    return false;
  // Some servers send another id with each piece of a call.
  return piece.name !== latest.name || isComplete(latest.arguments);
}

/** Whether arguments are a whole JSON object. */
function isComplete(text: string): boolean {
  return text.trimEnd().endsWith('}') && parsed(text) !== undefined;
}

function fixChunk(chunk: JsonObject, reading: Reading): JsonObject {
  const { error, object, message, type, code, choices, created, usage } = chunk;
  // Older vLLM servers had errors of this shape.
  if (object === 'error' && typeof message === 'string')
    return { error: { message, type: type ?? null, code: code ?? null } };
  if (typeof error === 'string' && error !== '') return { error: { message: error } };
  // Only the error counts; other members, such as a finish reason, would hide it.
  if (isObject(error)) return choices === undefined ? chunk : { error };
  const isChunk = object === 'chat.completion.chunk' || isObject(usage);
  return withValues(chunk, {
    error: undefined,
    created: typeof created === 'number' ? created : undefined,
    usage: isObject(usage) ? fixUsage(usage) : usage === null ? null : undefined,
    choices: Array.isArray(choices)
      ? mapChanged(choices, (choice) => fixChoice(choice, reading))
      : isChunk
        ? []
        : choices,
  });
}

/** Reads counts that servers write as text. A count that is not a number must not make the answer invalid. */
function fixUsage(usage: JsonObject): JsonObject | undefined {
  const counts = Object.entries(usage).map(([key, value]): [string, Json | undefined] => {
    if (isObject(value)) return [key, fixUsage(value)];
    const isCount = key.endsWith('_tokens') && value !== null;
    return [key, isCount ? numberIn(value) : value];
  });
  // If one of these counts is missing, the SDKs would report 0.
  const isUsable = counts.every(
    ([key, value]) => value !== undefined || !/^(prompt|completion)_tokens$/.test(key),
  );
  return isUsable ? withValues(usage, Object.fromEntries(counts)) : undefined;
}

function numberIn(value: Json): number | undefined {
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof count === 'number' && Number.isFinite(count) ? count : undefined;
}

function fixChoice(choice: Json, reading: Reading): Json {
  if (!isObject(choice)) return choice;
  const { finish_reason, message } = choice;
  // Some servers send a whole message at the end.
  const isWhole = isObject(message) && !isObject(choice.delta) && !reading.hasPieces;
  const delta = isWhole ? withCallIndexes(message) : choice.delta;
  reading.hasPieces ||= isObject(choice.delta);
  const finish = typeof finish_reason === 'string' ? finish_reason.toLowerCase() : '';
  return withValues(choice, {
    finish_reason:
      typeof finish_reason !== 'string'
        ? finish_reason
        : Object.hasOwn(finishes, finish)
          ? finishes[finish]
          : finish,
    delta: isObject(delta) ? fixDelta(delta, reading) : delta,
  });
}

function fixDelta(delta: JsonObject, reading: Reading): JsonObject {
  const { role, tool_calls } = delta;
  return withValues(delta, {
    role: typeof role === 'string' ? 'assistant' : role,
    tool_calls: Array.isArray(tool_calls)
      ? mapChanged(tool_calls.every(isCall) ? tool_calls : tool_calls.filter(isCall), (call) =>
          fixCall(call, reading),
        )
      : tool_calls,
  });
}

/** Adds indexes to the calls of a whole message, which have none, or null. */
function withCallIndexes(message: JsonObject): JsonObject {
  const { tool_calls } = message;
  if (!Array.isArray(tool_calls)) return message;
  const calls = tool_calls.map((call, index) => (isObject(call) ? { ...call, index } : call));
  return { ...message, tool_calls: calls };
}

/** Some servers send an index without a call. */
function isCall(call: Json): boolean {
  return isObject(call) && (isObject(call.function) || typeof call.id === 'string');
}

function fixCall(call: Json, reading: Reading): Json {
  if (!isObject(call)) return call;
  const { type, function: called } = call;
  const index = typeof call.index === 'string' ? Number(call.index) : call.index;
  const id = typeof call.id === 'number' ? String(call.id) : call.id;
  const made = isObject(called) ? called : {};
  const given = isObject(made.arguments)
    ? reading.exact.restore(JSON.stringify(made.arguments))
    : made.arguments;
  const piece = { id: word(id), name: word(made.name), arguments: word(given) };
  const own = typeof index === 'number' ? reading.indexes.of(index, piece) : { index, id: '' };
  return withValues(call, {
    id: piece.id === '' || own.id === '' ? id : own.id,
    index: own.index,
    type: typeof type === 'string' ? 'function' : type,
    function: withValues(made, { arguments: given }),
  });
}

/** Returns the object with these values set, and undefined ones removed; the same object if nothing changes. */
function withValues(
  object: JsonObject,
  values: Readonly<Record<string, Json | undefined>>,
): JsonObject {
  const changes = Object.entries(values).filter(([key, value]) => object[key] !== value);
  if (changes.length === 0) return object;
  const left = changes.filter(([, value]) => value === undefined).map(([key]) => key);
  const rest = Object.entries({ ...object, ...Object.fromEntries(changes) });
  return Object.fromEntries(
    rest.filter((entry): entry is [string, Json] => !left.includes(entry[0])),
  );
}

/** Returns the list with each item changed; the same list if nothing changes. */
function mapChanged(items: Json[], change: (item: Json) => Json): Json[] {
  const changes = items.map(change);
  return changes.every((item, index) => item === items[index]) ? items : changes;
}

function parsed(text: string): JsonObject | undefined {
  const value = parsedJson(text);
  return isObject(value) ? value : undefined;
}

function word(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
