/**
 * Corrects the frames of chat-completions streams from OpenAI-compatible servers, mostly older ones, so that the SDKs
 * accept them. Well-formed frames stay unchanged.
 */

import { asObject, isObject, parseJson } from '../../../runtime/spec/guards.ts';
import { asText, asList } from '../../../runtime/spec/lenient.ts';
import type { Json, JsonObject } from '../../../runtime/spec/json.ts';
import { mapSame } from '../../../runtime/spec/map-same.ts';
import type { ModelPart, ModelRequest } from '../../../runtime/spec/model.ts';
import { ChatCalls } from './chat-calls.ts';
import { usualChoice, withValues } from './chat-shapes.ts';
import { countIn } from './counts.ts';
import { ExactNumbers } from './exact-numbers.ts';
import { errorBeside } from './error-shapes.ts';
import { errorFrame, hasError, type AnswerFrames, type Frame } from './frames.ts';

/** Finish reasons of other servers, with OpenAI's names for them; null for none. */
const finishes: Readonly<Record<string, string | null>> = {
  '': null,
  eos: 'stop',
  eos_token: 'stop',
  stop_sequence: 'stop',
  end_turn: 'stop',
  complete: 'stop',
  max_tokens: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  tool_call: 'tool_calls',
  safety: 'content_filter',
  sensitive: 'content_filter',
  recitation: 'content_filter',
  refusal: 'content_filter',
};

export class ChatFrames implements AnswerFrames {
  readonly #reading: Reading;
  #isFinished = false;
  hasAnswer = false;

  constructor({ tools }: Pick<ModelRequest, 'tools'>) {
    this.#reading = {
      exact: new ExactNumbers('arguments'),
      calls: new ChatCalls(tools.map(({ name }) => name)),
      has: { text: false, reasoning: false, calls: false },
      choices: null,
    };
  }

  read({ event, text, value }: Frame): readonly string[] | null {
    const chunk = /"arguments"\s*:\s*\{/.test(text)
      ? asObject(parseJson(this.#reading.exact.mark(text)))
      : value;
    const reported = event === 'error' && !hasError(chunk) ? { error: chunk } : chunk;
    const fixed = fixChunk(reported, this.#reading);
    const choices = asList(fixed.choices).filter(isObject);
    const isAnswer = choices.length > 0 || hasError(fixed);
    if (!isAnswer && !isObject(fixed.usage)) return null;
    this.hasAnswer ||= isAnswer;
    this.#isFinished ||= choices.some((choice) => typeof choice.finish_reason === 'string');
    return [fixed === value ? text : JSON.stringify(fixed)];
  }

  end(isDone: boolean): readonly string[] {
    const tool_calls = [...this.#reading.calls.rest];
    const delta = tool_calls.length === 0 ? {} : { tool_calls };
    const finish_reason = isDone && !this.#isFinished ? 'stop' : null;
    // The added frame ends an answer that has no finish reason.
    const isNeeded = finish_reason !== null || tool_calls.length > 0;
    return isNeeded ? [JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })] : [];
  }

  /** Changes the parts that the SDK makes of these frames. */
  parts(parts: AsyncIterable<ModelPart>): AsyncIterable<ModelPart> {
    return this.#reading.calls.parts(parts);
  }
}

/**
 * Turns a complete answer, from a server that did not stream, into a stream. Null if the body is not such an answer.
 */
export function streamOfAnswer(body: string): string | null {
  const answer = parseObject(body);
  if (answer === undefined || !asList(answer.choices).some(hasMessage)) return null;
  // The original text is kept, because writing parsed values would round large integers. JSON strings contain no line
  // ends.
  return `data: ${body.replace(/[\r\n]+/g, ' ')}\n\ndata: [DONE]\n\n`;
}

function hasMessage(choice: Json): boolean {
  return isObject(choice) && isObject(choice.message);
}

/** State of an answer while its frames are read. */
interface Reading {
  readonly exact: ExactNumbers;
  readonly calls: ChatCalls;
  /** Whether pieces have arrived, which a whole message at the end would repeat. */
  readonly has: { text: boolean; reasoning: boolean; calls: boolean };
  choices: ReadChoices | null;
}

/** What is known about the choices so far. */
interface ReadChoices {
  /** The index of the first one. */
  readonly first: number;
  latest: number;
  areSeveral: boolean;
}

function fixChunk(chunk: JsonObject, reading: Reading): JsonObject {
  const { id, model, created, usage } = chunk;
  const error = errorChunk(chunk);
  if (error !== null) return error;
  return withValues(chunk, {
    error: undefined,
    id: typeof id === 'string' ? id : undefined,
    model: typeof model === 'string' ? model : undefined,
    created: typeof created === 'number' ? created : undefined,
    usage: usageIn(chunk) ?? (usage === null ? null : undefined),
    choices: fixChoices(chunk, reading),
  });
}

/**
 * Leaves out all choices but the first one, since the SDKs would mix their texts. Some servers increase the index of
 * their only choice with each chunk. A new index therefore proves nothing: there are several choices if a chunk has several,
 * or if the first index comes back.
 */
function ownChoices(choices: Json[], reading: Reading): Json[] {
  const indexes = choices.filter(isObject).map(indexOf);
  const [latest] = indexes;
  if (latest === undefined) return [];
  const read = (reading.choices ??= { first: latest, latest, areSeveral: false });
  const hasComeBack = latest === read.first && read.latest !== read.first;
  read.areSeveral ||= hasComeBack || indexes.some((index) => index !== latest);
  read.latest = latest;
  const own = choices.filter(
    (choice) => isObject(choice) && (!read.areSeveral || indexOf(choice) === read.first),
  );
  return own.length === choices.length ? choices : own;
}

function indexOf({ index }: JsonObject): number {
  return countIn(index) ?? 0;
}

/** The error that a chunk reports, alone: other members, such as a finish reason, would hide it. Null if there is none. */
function errorChunk(chunk: JsonObject): JsonObject | null {
  const { error, object, message, type, code, choices } = chunk;
  // Older vLLM servers sent errors in this format.
  if (object === 'error' && typeof message === 'string')
    return { error: { message, type: type ?? null, code: code ?? null } };
  if (typeof error === 'string' && error !== '') return { error: { message: error } };
  const beside = errorBeside(chunk);
  if (beside !== undefined) return errorFrame(beside).value;
  const { error: choiceError } = asObject(asList(choices)[0]);
  if (typeof choiceError === 'string' && choiceError !== '')
    return { error: { message: choiceError } };
  if (isObject(choiceError) && Object.keys(choiceError).length > 0) return { error: choiceError };
  if (!isObject(error) || !hasError(chunk)) return null;
  return choices === undefined ? chunk : { error };
}

function fixChoices({ object, choices, usage }: JsonObject, reading: Reading): Json | undefined {
  if (Array.isArray(choices)) {
    return mapChanged(ownChoices(choices, reading), (choice) => fixChoice(choice, reading));
  }
  // The SDKs require a list in each chunk, even in one that has only the usage.
  const isChunk = object === 'chat.completion.chunk' || isObject(usage);
  return isChunk ? [] : choices;
}

/** The usage, which some servers report in the choice, as Moonshot does, or in a member of their own, as Groq does. */
function usageIn({ usage, choices, x_groq }: JsonObject): JsonObject | undefined {
  const places = [usage, asObject(asList(choices)[0]).usage, asObject(x_groq).usage];
  return places
    .filter(isObject)
    .map(fixUsage)
    .find((one) => one !== undefined);
}

/**
 * Reads counts that servers write as text, or under the names of other APIs. A count that is not a number must not make
 * the answer invalid.
 */
function fixUsage(usage: JsonObject): JsonObject | undefined {
  const { prompt_tokens, completion_tokens, input_tokens, output_tokens } = usage;
  const prompt = countIn(prompt_tokens) ?? countIn(input_tokens);
  const completion = countIn(completion_tokens) ?? countIn(output_tokens);
  // If one of these counts were missing, the SDKs would report 0.
  if (prompt === undefined || completion === undefined) return undefined;
  return withValues(fixCounts(usage), { prompt_tokens: prompt, completion_tokens: completion });
}

function fixCounts(counts: JsonObject): JsonObject {
  const fixed = Object.entries(counts).map(([key, value]): [string, Json | undefined] => {
    if (isObject(value)) return [key, fixCounts(value)];
    if (key.endsWith('_tokens') && value !== null) return [key, countIn(value)];
    return [key, key.endsWith('_details') && value !== null ? undefined : value];
  });
  return withValues(counts, Object.fromEntries(fixed));
}

function fixChoice(given: Json, reading: Reading): Json {
  if (!isObject(given)) return given;
  const choice = usualChoice(given);
  const { finish_reason, message } = choice;
  const { has } = reading;
  // Some servers send a whole message at the end.
  const isWhole = isObject(message) && !isObject(choice.delta);
  const delta = isWhole ? withoutArrived(message, has) : choice.delta;
  if (isObject(delta)) {
    has.text ||= hasValue(delta.content) || hasValue(delta.refusal);
    has.reasoning ||= hasValue(delta.reasoning_content) || hasValue(delta.reasoning);
    has.calls ||= asList(delta.tool_calls).length > 0;
  }
  return withValues(choice, {
    index: typeof choice.index === 'number' ? choice.index : 0,
    finish_reason: usualFinish(finish_reason),
    delta: isObject(delta) ? fixDelta(delta, reading) : delta,
  });
}

function usualFinish(reason: Json | undefined): string | null | undefined {
  if (typeof reason !== 'string') return reason === undefined ? undefined : null;
  const name = reason.toLowerCase();
  return Object.hasOwn(finishes, name) ? finishes[name] : name;
}

function fixDelta(delta: JsonObject, { calls, exact }: Reading): JsonObject {
  const { role, content, refusal, tool_calls, extra_content } = delta;
  calls.addAnswerData(extra_content);
  const refused = typeof refusal === 'string' && refusal !== '';
  return withValues(delta, {
    role: typeof role === 'string' ? 'assistant' : role,
    // A refusal is shown as the answer. The SDKs would drop it, or report the answer as filtered.
    content: refused ? `${asText(content)}${refusal}` : content,
    refusal: refused ? undefined : refusal,
    tool_calls: Array.isArray(tool_calls)
      ? mapChanged(tool_calls, (call) => (isCall(call) ? calls.read(call, exact) : null))
      : tool_calls,
  });
}

function hasValue(text: Json | undefined): boolean {
  return text !== undefined && text !== null && text !== '';
}

/** Returns the parts of a whole message that have not arrived in pieces. Calls of a whole message have no index. */
function withoutArrived(message: JsonObject, has: Reading['has']): JsonObject {
  const { tool_calls, content, refusal } = message;
  // Reasoning may have arrived in the text, too.
  const hasReasoning = has.text || has.reasoning;
  const calls = asList(tool_calls).map((call, index) =>
    isObject(call) ? { ...call, index } : call,
  );
  return withValues(message, {
    content: has.text ? undefined : content,
    refusal: has.text ? undefined : refusal,
    reasoning_content: hasReasoning ? undefined : message.reasoning_content,
    reasoning: hasReasoning ? undefined : message.reasoning,
    tool_calls: has.calls || !Array.isArray(tool_calls) ? undefined : calls,
  });
}

/** Returns whether an entry is a call: some servers send only an index. */
function isCall(call: Json): call is JsonObject {
  return (
    isObject(call) &&
    (isObject(call.function) || typeof call.id === 'string' || isObject(call.extra_content))
  );
}

/** Returns the list with each item changed, and without items that become null; the same list if nothing changes. */
function mapChanged(items: Json[], change: (item: Json) => Json): Json[] {
  const changed = mapSame(items, change);
  return changed === items ? items : changed.filter((item) => item !== null);
}

function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}
