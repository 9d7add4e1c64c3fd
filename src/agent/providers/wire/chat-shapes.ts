/**
 * Puts the choices of chat-completions servers into OpenAI's shape: a delta with a text, reasoning and a list of calls.
 * The SDKs would drop what stands elsewhere, or report the whole answer as invalid because of a member that Cloche does
 * not use.
 */

import { asObject, isObject } from '../../../runtime/spec/guards.ts';
import type { Json, JsonObject } from '../../../runtime/spec/json.ts';
import { mapSame } from '../../../runtime/spec/map-same.ts';

type Values = Readonly<Record<string, Json | undefined>>;

/** Removes members that Cloche does not use: the SDKs refuse answers in which one has an unexpected form. */
const withoutUnused: Values = { annotations: undefined, audio: undefined, images: undefined };
/** Names of the member that has the reasoning. The SDK reads the first two. */
const reasoningNames = ['reasoning_content', 'reasoning', 'thinking', 'reasoning_text'] as const;
/** Names of the member that has the arguments of a call. */
const argumentNames = ['arguments', 'parameters', 'args', 'input'] as const;

/** Returns a choice in the usual shape; the same object if it has that already. */
export function usualChoice(choice: JsonObject): JsonObject {
  const { delta, message, text, tool_calls, finish_reason, finishReason } = choice;
  // If neither member has a reason, `finish_reason` stays what it is: null, empty or missing.
  const finish = hasContent(finish_reason) ? finish_reason : (finishReason ?? finish_reason);
  // Some servers send the whole message. An empty delta beside it is ignored.
  const hasWholeMessage =
    isObject(message) && bringsNothing(delta) && (!hasContent(text) || !bringsNothing(message));
  const deltas = hasWholeMessage ? undefined : deltaOf(delta, text);
  // Some servers send the calls beside the delta or the message.
  const calls = hasContent(tool_calls) ? tool_calls : undefined;
  const withCalls = hasWholeMessage ? undefined : withCallsBeside(deltas, calls);
  return withValues(choice, {
    delta: withCalls === undefined ? undefined : usualDelta(withCalls),
    message: isObject(message) ? usualDelta(withCallsBeside(message, calls) ?? {}) : undefined,
    tool_calls: undefined,
    text: undefined,
    // Cloche does not use them, and the SDKs refuse answers in which they have an unexpected form.
    logprobs: undefined,
    finishReason: undefined,
    finish_reason: isObject(finish) ? (finish.type ?? null) : finish,
  });
}

function deltaOf(delta: Json | undefined, text: Json | undefined): JsonObject | undefined {
  if (typeof delta === 'string' && delta !== '') return { content: delta };
  // Servers of text completions send a text in place of the delta, or beside one without text.
  if (isObject(delta)) {
    const isTextBeside = typeof text === 'string' && text !== '' && !hasContent(delta.content);
    return isTextBeside ? { ...delta, content: text } : delta;
  }
  if (typeof text === 'string') return { content: text };
  return typeof delta === 'string' ? { content: delta } : undefined;
}

function withCallsBeside(
  delta: JsonObject | undefined,
  tool_calls: Json | undefined,
): JsonObject | undefined {
  if (tool_calls === undefined || hasContent(delta?.tool_calls)) return delta;
  return { ...delta, tool_calls };
}

/** Returns whether a delta has at most a role, and members that are empty. */
function bringsNothing(delta: Json | undefined): boolean {
  if (!isObject(delta)) return !hasContent(delta);
  return Object.entries(delta).every(([name, value]) => name === 'role' || !hasContent(value));
}

/** Returns whether a value is not missing, null, or an empty text, list or object. */
function hasContent(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** Returns a delta or a message in the usual shape. */
function usualDelta(delta: JsonObject): JsonObject {
  const { content, tool_calls, function_call } = delta;
  const parts = isObject(content) ? [content] : content;
  const thought = Array.isArray(parts) ? parts.filter(isThinking).map(textOf).join('') : '';
  const answer = Array.isArray(parts) ? parts.filter((part) => !isThinking(part)) : content;
  // Before there were lists of calls, an answer had at most one.
  const onlyCall =
    isObject(function_call) && !bringsNothing(function_call)
      ? [{ index: 0, function: function_call }]
      : undefined;
  const listed = hasContent(tool_calls) ? tool_calls : (onlyCall ?? tool_calls);
  const calls = isObject(listed) ? [listed] : listed;
  return withValues(delta, {
    ...withoutUnused,
    ...reasoningIn(delta, thought),
    content: answer === undefined || answer === null ? answer : textOf(answer),
    function_call: undefined,
    tool_calls: Array.isArray(calls) ? mapSame(calls, usualCall) : undefined,
  });
}

/**
 * The reasoning as a text in a member that the SDK reads, from the first member that has some. Members that are objects or
 * lists are removed, since the SDK would refuse the answer; a text in another member may stay, since the SDK ignores it.
 * @param thought reasoning among the parts of the content, for an answer without such a member
 */
function reasoningIn(delta: JsonObject, thought: string): Values {
  if (thought === '' && reasoningNames.every((one) => delta[one] === undefined)) return {};
  const name = reasoningNames.find((one) => textOf(delta[one]) !== '');
  const text = name === undefined ? thought : textOf(delta[name]);
  const readName = name === 'reasoning' ? name : 'reasoning_content';
  const withoutOtherForms = Object.fromEntries(
    reasoningNames
      .filter((one) => isObject(delta[one]) || Array.isArray(delta[one]))
      .map((one) => [one, undefined]),
  );
  // The SDK would read an empty `reasoning_content` in place of `reasoning`.
  return text === ''
    ? withoutOtherForms
    : { ...withoutOtherForms, reasoning_content: undefined, [readName]: text };
}

function isThinking(part: Json): boolean {
  return isObject(part) && (part.type === 'thinking' || part.type === 'reasoning');
}

/** The text of a text, a part or a list of parts. Parts such as pictures have none. */
function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(textOf).join('');
  if (!isObject(value)) return '';
  const { text, thinking, content, summary } = value;
  return [text, thinking, content, summary].map(textOf).find((one) => one !== '') ?? '';
}

/**
 * Some servers put the name and the arguments into the call, without a function or beside one that lacks them, or give the
 * arguments another name.
 */
function usualCall(call: Json): Json {
  if (!isObject(call)) return call;
  const { name, function: given } = call;
  const called = asObject(given);
  const args = argumentsIn(called);
  const argsBeside = hasContent(args) ? undefined : argumentsIn(call);
  const nameBeside = hasContent(called.name) ? undefined : [name, given].find(isName);
  if (!isObject(given) && nameBeside === undefined && argsBeside === undefined) return call;
  const usesArgsBeside = args === undefined || hasContent(argsBeside);
  const whole = withValues(called, {
    ...(nameBeside !== undefined && { name: nameBeside }),
    ...(argsBeside !== undefined && usesArgsBeside && { arguments: argsBeside }),
  });
  return withValues(call, { function: withArguments(whole) });
}

function isName(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

/** The arguments in a call or its function, from the first member that has some, or else from the first empty one. */
function argumentsIn(called: JsonObject): Json | undefined {
  const given = argumentNames.map((name) => called[name] ?? undefined);
  return given.find(hasContent) ?? given.find((args) => args !== undefined);
}

/** Arguments that are a list or a number are passed on as text, so that the model learns that they are invalid. */
function withArguments(called: JsonObject): JsonObject {
  const args = argumentsIn(called);
  const isUsual = args === undefined || typeof args === 'string' || isObject(args);
  return withValues(called, {
    ...Object.fromEntries(argumentNames.map((name) => [name, undefined])),
    // If no member has arguments, `arguments` stays what it is: null or missing.
    arguments: isUsual ? (args ?? called.arguments) : JSON.stringify(args),
  });
}

/** Returns the object with these values, and without those that are undefined; the same object if nothing changes. */
export function withValues(object: JsonObject, values: Values): JsonObject {
  if (Object.keys(values).every((key) => object[key] === values[key])) return object;
  return Object.fromEntries(
    Object.entries({ ...object, ...values }).filter(
      (entry): entry is [string, Json] => entry[1] !== undefined,
    ),
  );
}
