/** The arguments of a call as the model wrote them: mended where it is plain how, else refused in words that it can act on. */

import { failure } from '../call/results.ts';
import { errorText } from '../spec/error.ts';
import type { Json, JsonText } from '../spec/json.ts';
import type { AskedCall } from '../spec/model.ts';
import type { ToolResult } from '../spec/result.ts';

export type CallArguments =
  | { readonly ok: true; readonly args: JsonText; readonly value: Json }
  /** What the model is told. */
  | { readonly ok: false; readonly result: ToolResult };

/** A JSON object. The model is told by the name that it calls the tool by, and no provider takes another. */
export function callArguments(asked: AskedCall): CallArguments {
  const args = repaired(asked.arguments);
  let value: Json;
  try {
    value = JSON.parse(args) as Json;
  } catch (thrown) {
    const result = failure(
      `ValidationError: the arguments are no JSON`,
      `The arguments of ${asked.wire} are no JSON (${errorText(thrown)}). They were: ${args.slice(0, 2_000)}\nCall it again with a JSON object.`,
    );
    return { ok: false, result };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { ok: true, args, value };
  const result = failure(
    `ValidationError: the arguments are no JSON object`,
    `The arguments of ${asked.wire} must be a JSON object, such as {"name": "value"}.`,
  );
  return { ok: false, result };
}

/** What some models put round the arguments, or leave out where there are none. */
function repaired(args: JsonText): JsonText {
  const text = args.trim();
  if (text === '') return '{}';
  const isFenced = text.length > 6 && text.startsWith('```') && text.endsWith('```');
  return isFenced
    ? text
        .slice(3, -3)
        .replace(/^json\b/, '')
        .trim() || '{}'
    : args;
}
