/**
 * Corrects lines of chat-completions streams from OpenAI-compatible servers, older ones above all, so that the SDKs
 * accept them. Well-formed lines stay unchanged.
 */

import { isObject } from '../../spec/guards.ts';
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
    const fixed = fixChunk(reported, exact);
    isFinished ||= list(fixed.choices).some(
      (choice) => isObject(choice) && typeof choice.finish_reason === 'string',
    );
    return fixed === chunk && field === 'data' ? line : `data: ${JSON.stringify(fixed)}`;
  };
}

/** Sent for an answer that ends without a finish reason. */
const ending = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

function fixChunk(chunk: JsonObject, exact: ExactNumbers): JsonObject {
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
    choices: Array.isArray(choices)
      ? mapChanged(choices, (choice) => fixChoice(choice, exact))
      : isChunk
        ? []
        : choices,
  });
}

function fixChoice(choice: Json, exact: ExactNumbers): Json {
  if (!isObject(choice)) return choice;
  const { finish_reason, delta } = choice;
  const finish = typeof finish_reason === 'string' ? finish_reason.toLowerCase() : '';
  return withValues(choice, {
    finish_reason:
      typeof finish_reason !== 'string'
        ? finish_reason
        : Object.hasOwn(finishes, finish)
          ? finishes[finish]
          : finish,
    delta: isObject(delta) ? fixDelta(delta, exact) : delta,
  });
}

function fixDelta(delta: JsonObject, exact: ExactNumbers): JsonObject {
  const { role, tool_calls } = delta;
  return withValues(delta, {
    role: typeof role === 'string' ? 'assistant' : role,
    tool_calls: Array.isArray(tool_calls)
      ? mapChanged(tool_calls.every(isCall) ? tool_calls : tool_calls.filter(isCall), (call) =>
          fixCall(call, exact),
        )
      : tool_calls,
  });
}

/** Some servers send an index without a call. */
function isCall(call: Json): boolean {
  return isObject(call) && (isObject(call.function) || typeof call.id === 'string');
}

function fixCall(call: Json, exact: ExactNumbers): Json {
  if (!isObject(call)) return call;
  const { index, type, function: called } = call;
  const made = isObject(called) ? called : {};
  const { arguments: given } = made;
  return withValues(call, {
    index: typeof index === 'string' ? Number(index) : index,
    type: typeof type === 'string' ? 'function' : type,
    function: withValues(made, {
      arguments: isObject(given) ? exact.restore(JSON.stringify(given)) : given,
    }),
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
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
