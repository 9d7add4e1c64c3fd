/**
 * Lines of chat completions as the SDKs take them: compatible servers, older ones above all, write some of them in ways
 * of their own. What is well-formed stays as it is.
 */

import { isObject } from '../../spec/guards.ts';
import type { Json, JsonObject } from '../../spec/json.ts';
import { ExactNumbers } from './exact-numbers.ts';

/** What others call the ends that OpenAI has names for; an empty one is none. */
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

/** Reads the lines of one answer. */
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
    // So llama.cpp told of errors.
    const reported = field === 'error' && chunk.error === undefined ? { error: chunk } : chunk;
    const mended = mendedChunk(reported, exact);
    isFinished ||= list(mended.choices).some(
      (choice) => isObject(choice) && typeof choice.finish_reason === 'string',
    );
    return mended === chunk && field === 'data' ? line : `data: ${JSON.stringify(mended)}`;
  };
}

/** Of an answer that is done and does not say why. */
const ending = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

function mendedChunk(chunk: JsonObject, exact: ExactNumbers): JsonObject {
  const { error, object, message, type, code, choices, created, usage } = chunk;
  // vLLM had errors of this shape.
  if (object === 'error' && typeof message === 'string')
    return { error: { message, type: type ?? null, code: code ?? null } };
  if (typeof error === 'string' && error !== '') return { error: { message: error } };
  // What stands beside an error, such as how the answer ended, would be taken for all that there is.
  if (isObject(error)) return choices === undefined ? chunk : { error };
  const isChunk = object === 'chat.completion.chunk' || isObject(usage);
  return changed(chunk, {
    error: undefined,
    created: typeof created === 'number' ? created : undefined,
    choices: Array.isArray(choices)
      ? same(choices, (choice) => mendedChoice(choice, exact))
      : isChunk
        ? []
        : choices,
  });
}

function mendedChoice(choice: Json, exact: ExactNumbers): Json {
  if (!isObject(choice)) return choice;
  const { finish_reason, delta } = choice;
  const finish = typeof finish_reason === 'string' ? finish_reason.toLowerCase() : '';
  return changed(choice, {
    finish_reason:
      typeof finish_reason !== 'string'
        ? finish_reason
        : Object.hasOwn(finishes, finish)
          ? finishes[finish]
          : finish,
    delta: isObject(delta) ? mendedDelta(delta, exact) : delta,
  });
}

function mendedDelta(delta: JsonObject, exact: ExactNumbers): JsonObject {
  const { role, tool_calls } = delta;
  return changed(delta, {
    role: typeof role === 'string' ? 'assistant' : role,
    tool_calls: Array.isArray(tool_calls)
      ? same(tool_calls.every(isCall) ? tool_calls : tool_calls.filter(isCall), (call) =>
          mendedCall(call, exact),
        )
      : tool_calls,
  });
}

/** Some send an index and nothing with it. */
function isCall(call: Json): boolean {
  return isObject(call) && (isObject(call.function) || typeof call.id === 'string');
}

function mendedCall(call: Json, exact: ExactNumbers): Json {
  if (!isObject(call)) return call;
  const { index, type, function: called } = call;
  const made = isObject(called) ? called : {};
  const { arguments: given } = made;
  return changed(call, {
    index: typeof index === 'string' ? Number(index) : index,
    type: typeof type === 'string' ? 'function' : type,
    function: changed(made, {
      arguments: isObject(given) ? exact.restore(JSON.stringify(given)) : given,
    }),
  });
}

/** The object with these values, undefined ones left away; itself where it has them already. */
function changed(
  object: JsonObject,
  values: Readonly<Record<string, Json | undefined>>,
): JsonObject {
  const news = Object.entries(values).filter(([key, value]) => object[key] !== value);
  if (news.length === 0) return object;
  const left = news.filter(([, value]) => value === undefined).map(([key]) => key);
  const rest = Object.entries({ ...object, ...Object.fromEntries(news) });
  return Object.fromEntries(
    rest.filter((entry): entry is [string, Json] => !left.includes(entry[0])),
  );
}

/** The list with each item changed; itself where none was. */
function same(items: Json[], change: (item: Json) => Json): Json[] {
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
